import { expect, it } from 'vitest';
import { createMetrics, shareRead } from './metrics.ts';

const readSeries = (text: string, series: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);

it('a gauge that cannot be read keeps its last value, is counted, and hides no other', async () => {
  const metrics = createMetrics();
  let isAway = false;
  metrics.addGauge('away', 'Fails.', async () => {
    if (isAway) throw new Error('no database');
    return 7;
  });
  metrics.addGauge('here', 'Does not.', () => 1);
  await metrics.registry.metrics();
  isAway = true;
  await metrics.registry.metrics();
  const text = await metrics.registry.metrics();
  expect([readSeries(text, 'away'), readSeries(text, 'here')]).toEqual(['7', '1']);
  expect(readSeries(text, 'parley_gauge_failures_total{gauge="away"}')).toBe('1');
});

it('a gauge whose read does not end is left for that scrape, and not asked again meanwhile', async () => {
  const metrics = createMetrics(20);
  const read = Promise.withResolvers<number>();
  let reads = 0;
  metrics.addGauge('slow', 'Waits.', () => {
    reads += 1;
    return read.promise;
  });
  await metrics.registry.metrics();
  expect(readSeries(await metrics.registry.metrics(), 'slow')).toBe('0');
  expect(reads).toBe(1);
  read.resolve(3);
  await expect.poll(async () => readSeries(await metrics.registry.metrics(), 'slow')).toBe('3');
});

it('gauges of one label have the values of the last read alone', async () => {
  const metrics = createMetrics();
  let found = new Map([
    ['one', 1],
    ['other', 2],
  ]);
  metrics.addGauges('tasks', 'By queue.', 'queue', async () => found);
  await metrics.registry.metrics();
  found = new Map([['other', 5]]);
  const text = await metrics.registry.metrics();
  expect(text).not.toContain('queue="one"');
  expect(readSeries(text, 'tasks{queue="other"}')).toBe('5');
});

it('a shared read is asked once for all who wait, and again for who comes after', async () => {
  let reads = 0;
  const read = shareRead(async () => {
    reads += 1;
    return reads;
  });
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  expect(await read()).toBe(2);
});
