import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ScenarioName, ScenarioParams } from '#emulators/scenario.ts';
import { modelsFileSchema } from '#server/catalogue/upstream-chains.ts';
import {
  type BrowserModel,
  browsing,
  FLASH,
  GENERATE,
  INTERACTIONS,
  openBrowserModel,
} from '#test/chat/interactions.ts';
import { asking, listen, nothingReceived, TOO_LATE_MS } from '#test/chat/upstream.ts';

describe('a model that drives browsers is asked', () => {
  let model: BrowserModel;
  beforeAll(async () => {
    model = await openBrowserModel();
  });
  beforeEach(() => model.reset());
  afterAll(() => model.on.close());

  test('at generateContent, as long as that serves it', async () => {
    await model.ask();
    await model.ask();
    expect(await model.paths()).toEqual([GENERATE, GENERATE]);
  });

  test('at the Interactions API where that alone serves it, and there first as long as the process lives', async () => {
    await model.on.control.scenario('only-interactions', { times: null });
    const received = nothingReceived();
    await model.ask(browsing(), received);
    await model.ask();
    expect(await model.paths()).toEqual([GENERATE, INTERACTIONS, INTERACTIONS]);
    expect(received.parts).toMatchObject([{ kind: 'call', name: 'navigate' }]);
    expect(model.on.logged.filter((line) => line.includes('"endpoint":"interactions"'))).toHaveLength(1);
    expect(model.on.alerts).toEqual([]);
    await model.ask(browsing(), nothingReceived(), model.on.open());
    expect((await model.paths()).slice(3)).toEqual([GENERATE, INTERACTIONS]);
  });

  test('where it is served now, when that has changed', async () => {
    await model.teach();
    await model.on.control.scenario('no-computer-use');
    await model.ask();
    await model.ask();
    expect(await model.paths()).toEqual([INTERACTIONS, GENERATE, GENERATE]);
  });

  test('without a browser at generateContent alone', async () => {
    await model.on.control.scenario('only-interactions', { times: null });
    await expect(listen(model.on.open(), asking('a'), nothingReceived())).rejects.toMatchObject({
      status: 400,
    });
    expect(await model.paths()).toEqual([GENERATE]);
  });

  test('at both before it counts as served nowhere, and the first refusal is told', async () => {
    await model.on.control.scenario('no-computer-use', { times: null });
    await expect(model.ask()).rejects.toMatchObject({
      ...{ kind: 'fetch', status: 400, vendorCode: 'INVALID_ARGUMENT', code: 'upstream_failed' },
    });
    expect(await model.paths()).toEqual([GENERATE, INTERACTIONS]);
  });

  test.each<[string, ScenarioName, ScenarioParams, string]>([
    ['the first', 'http-400', {}, 'fetch'],
    ['the first', 'http-403', {}, 'fetch'],
    ['the first', 'http-404', {}, 'fetch'],
    ['the first', 'bad-key', {}, 'fetch'],
    ['the second', 'http-429', { retryMs: TOO_LATE_MS }, 'rate'],
    ['the second', 'http-402', {}, 'balance'],
    ['the second', 'blocked-prompt', {}, 'blocked'],
    ['the second', 'cut-off', {}, 'truncated'],
    ['the second', 'mid-stream-error', { status: 400 }, 'fetch'],
  ])(
    'at both, and what %s says is told when the second answers with %s',
    async (which, name, params, kind) => {
      await model.on.control.scenario('only-interactions');
      await model.on.control.scenario(name, { params });
      const vendorCode =
        which === 'the first' ? 'INVALID_ARGUMENT' : expect.not.stringMatching('INVALID_ARG');
      await expect(model.ask()).rejects.toMatchObject({
        kind,
        ...(name === 'cut-off' ? {} : { vendorCode }),
      });
      expect(await model.paths()).toEqual([GENERATE, INTERACTIONS]);
    },
  );

  test('at both before the next model of its chain is', async () => {
    const modelsFile = modelsFileSchema.parse({
      m: [FLASH, 'gemini-3.7-flash'].map((model) => ({ dialect: 'gemini', model })),
    });
    await model.on.control.scenario('http-404', { times: 2 });
    await model.ask(browsing(), nothingReceived(), model.on.open({ modelsFile }));
    expect(await model.paths()).toEqual([
      GENERATE,
      INTERACTIONS,
      GENERATE.replace(FLASH, 'gemini-3.7-flash'),
    ]);
  });

  test.each<[ScenarioName, ScenarioParams]>([
    ['bad-key', {}],
    ['http-401', {}],
    ['http-402', {}],
    ['http-403', {}],
    ['http-429', { retryMs: TOO_LATE_MS }],
    ['http-500', {}],
    ['blocked-prompt', {}],
    ['mid-stream-error', { status: 400 }],
    ['empty', {}],
  ])('nowhere else for %s', async (name, params) => {
    await model.on.control.scenario(name, { params, times: null });
    await expect(model.ask()).rejects.toMatchObject({ name: 'UpstreamError' });
    expect(new Set(await model.paths())).toEqual(new Set([GENERATE]));
  });
});
