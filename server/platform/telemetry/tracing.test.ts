import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Collector, startCollector } from '#test/collector.ts';
import { IS_LONG } from '#test/runs.ts';
import { createLog } from '../log.ts';
import { startTracing, type TracingSettings } from './tracing.ts';

let collector: Collector;
const written: string[] = [];
const log = createLog('info', { write: (line) => written.push(line) });
beforeEach(async () => {
  written.length = 0;
  collector = await startCollector();
});
afterEach(() => collector.close());

const start = (over: Partial<TracingSettings> = {}) =>
  startTracing(
    {
      endpoint: collector.url,
      headers: {},
      serviceName: 'parley',
      sampler: 'always_on',
      followsParent: true,
      ratio: 1,
      readsTraceparent: true,
      scheduleDelayMs: 5,
      ...over,
    },
    log,
  );
const said = () => written.map((line) => (JSON.parse(line) as { msg: string }).msg);

it('what is sent has the name of the service and the headers of the operator', async () => {
  const tracing = await start({ serviceName: 'parley-eu', headers: { authorization: 'Bearer token' } });
  await tracing.trace({ name: 'one' }, async () => {});
  await expect.poll(() => collector.spans().map(({ name }) => name)).toEqual(['one']);
  expect(collector.resources()).toEqual([expect.objectContaining({ 'service.name': 'parley-eu' })]);
  const [request] = collector.requests;
  expect(request?.path).toBe('/v1/traces');
  expect(request?.headers).toMatchObject({
    authorization: 'Bearer token',
    'content-type': 'application/json',
  });
  await tracing.stop();
});

it('a stop sends what waits', async () => {
  const tracing = await start({ scheduleDelayMs: 600_000 });
  // A full batch goes at once, and opens what exports need.
  for (let n = 0; n < 512; n += 1) await tracing.trace({ name: 'first' }, async () => {});
  await expect.poll(() => collector.spans().length).toBe(512);
  await tracing.trace({ name: 'last' }, async () => {});
  await tracing.stop();
  expect(collector.spans().at(-1)?.name).toBe('last');
  await tracing.trace({ name: 'too late' }, async () => {});
  expect(collector.spans().at(-1)?.name).toBe('last');
});

it('an error is rethrown, and kept by its kind without its words', async () => {
  const tracing = await start();
  const faults = {
    kind: Object.assign(new Error('words'), { kind: 'timeout', code: 'other' }),
    code: Object.assign(new Error('words'), { code: '23505' }),
    name: new TypeError('words'),
    odd: Object.assign(new Error('words'), { code: 'words of somebody', name: 'more words' }),
    stopped: Object.assign(new Error('words'), { kind: 'aborted' }),
  };
  for (const [name, fault] of Object.entries(faults))
    await expect(tracing.measure({ name }, () => Promise.reject(fault))).rejects.toBe(fault);
  await expect.poll(() => collector.spans().length).toBe(5);
  const kept = collector.spans().map(({ name, attributes, status }) => [name, attributes, status]);
  expect(kept).toEqual([
    ['kind', { 'error.type': 'timeout' }, { code: 2 }],
    ['code', { 'error.type': '23505' }, { code: 2 }],
    ['name', { 'error.type': 'TypeError' }, { code: 2 }],
    ['odd', { 'error.type': 'Error' }, { code: 2 }],
    ['stopped', {}, { code: 0 }],
  ]);
  expect(collector.text()).not.toContain('words');
  await tracing.stop();
});

describe('the sampler', () => {
  const remote = (flags: string) => ({
    name: 'asked',
    traceparent: () => `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`,
  });

  it.each<[string, Partial<TracingSettings>, string[]]>([
    ['always_on keeps all', { sampler: 'always_on', followsParent: false }, ['asked', 'asked', 'own']],
    ['always_off keeps none', { sampler: 'always_off', followsParent: false }, []],
    ['traceidratio keeps its share', { sampler: 'traceidratio', ratio: 0, followsParent: false }, []],
    ['parentbased_always_on follows its caller', { sampler: 'always_on' }, ['asked', 'own']],
    ['parentbased_always_off follows its caller', { sampler: 'always_off' }, ['asked']],
  ])('%s', async (_, settings, kept) => {
    const tracing = await start({ ...settings, scheduleDelayMs: 50 });
    await tracing.trace(remote('00'), async () => {});
    await tracing.trace(remote('01'), async () => {});
    await tracing.trace({ name: 'own' }, async () => {});
    await expect.poll(() => collector.spans().map(({ name }) => name)).toEqual(kept);
    await tracing.stop();
    expect(collector.spans().length).toBe(kept.length);
  });
});

describe('a collector', () => {
  const FAULTS: Record<string, (response: ServerResponse) => void> = {
    'that never answers': () => {},
    'that cuts the connection': (response) => response.destroy(),
    'that answers garbage': (response) => response.writeHead(200).end('\0\xff{"partialSuccess":'),
    'that refuses': (response) => response.writeHead(400).end('words'),
    'that answers without an end': (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 10);
      response.on('close', () => clearInterval(timer));
    },
  };

  it.runIf(IS_LONG)('that fails in whatever way fails no work and no stop', async () => {
    const works = Object.values(FAULTS).map(async (answer) => {
      const broken = await startCollector();
      broken.answer(answer);
      const tracing = await start({ endpoint: broken.url });
      const done = await Promise.all(
        Array.from({ length: 50 }, (_, n) => tracing.trace({ name: 'work' }, async () => n)),
      );
      await expect.poll(() => broken.requests.length).toBeGreaterThan(0);
      await tracing.stop();
      await broken.close();
      return done.length;
    });
    expect(await Promise.all(works)).toEqual([50, 50, 50, 50, 50]);
  });

  it('that refuses is a line of the log once, without its words, and another when it takes them again', async () => {
    collector.answer(FAULTS['that refuses'] ?? null);
    const tracing = await start();
    for (const count of [1, 2]) {
      await tracing.trace({ name: 'work' }, async () => {});
      await expect.poll(() => collector.requests.length).toBe(count);
    }
    await expect.poll(said).toEqual(['traces cannot be exported and are dropped']);
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ reason: '400' });
    expect(written.join()).not.toContain('words');
    collector.answer(null);
    await tracing.trace({ name: 'work' }, async () => {});
    await expect.poll(said).toContain('traces are exported again');
    await tracing.stop();
  });

  it.runIf(IS_LONG)(
    'that never answers leaves no more than a full queue and eight batches in memory',
    async () => {
      collector.answer(() => {});
      const tracing = await start();
      for (let n = 0; n < 10_000; n += 1) await tracing.trace({ name: 'work' }, async () => {});
      await expect.poll(() => collector.requests.length).toBeGreaterThan(0);
      collector.answer(null);
      await tracing.stop();
      expect(collector.spans().length).toBeLessThanOrEqual(2_048 + 8 * 512);
    },
  );
});
