import type { Histogram } from 'prom-client';
import { expect, test } from 'vitest';
import { MEGABYTE } from '#contract/limits.ts';
import { createMetrics } from '#server/platform/metrics.ts';
import { picture } from '#test/chat/files.ts';
import { readMeasured } from './read-measured.ts';

/** How many readings of a kind a histogram has, and what they come to together. */
async function totalOf(histogram: Histogram<'kind'>, kind: string) {
  const { values } = await histogram.get();
  const valueFor = (ending: string) =>
    values.find(({ metricName, labels }) => metricName?.endsWith(ending) && labels.kind === kind)?.value ?? 0;
  return { count: valueFor('_count'), sum: valueFor('_sum') };
}

test.runIf(process.platform === 'linux')(
  'what a reading took is in the metrics, also where its file is refused',
  async () => {
    const metrics = createMetrics();
    await readMeasured({ metrics }, Buffer.from('text'), {});
    await readMeasured({ metrics }, await picture(), {});
    const cut = (await picture()).subarray(0, 40);
    await expect(readMeasured({ metrics }, cut, {})).rejects.toMatchObject({ code: 'file_unreadable' });
    for (const [kind, count] of [
      ['document', 1],
      ['picture', 2],
    ] as const) {
      const [cpu, memory] = [metrics.fileReadingCpu, metrics.fileReadingMemory];
      const [seconds, bytes] = [await totalOf(cpu, kind), await totalOf(memory, kind)];
      expect([seconds.count, bytes.count]).toEqual([count, count]);
      expect(seconds.sum).toBeGreaterThan(0.03 * count);
      expect(seconds.sum).toBeLessThan(40 * count);
      expect(bytes.sum).toBeGreaterThan(30 * MEGABYTE * count);
    }
  },
);
