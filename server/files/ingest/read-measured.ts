import type { BaseDeps } from '#server/base-deps.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { type ReadOptions, readFile } from '../reading/read-file.ts';
import type { ReadingResult } from '../reading/reading-rules.ts';
import type { ReaderUsage } from '../reading/start-reader.ts';

/** Reads a file as `readFile` does; what its process took goes into the metrics. */
export function readMeasured(
  { metrics }: Pick<BaseDeps, 'metrics'>,
  bytes: Buffer,
  options: Omit<ReadOptions, 'onUsage'>,
): Promise<ReadingResult> {
  return readFile(bytes, { ...options, onUsage: (usage) => countReading(metrics, usage) });
}

/** Puts what a process that read a file took into the metrics. */
export function countReading(metrics: Metrics, { isPicture, cpuMs, peakMemory }: ReaderUsage): void {
  const kind = isPicture ? 'picture' : 'document';
  metrics.fileReadingCpu.observe({ kind }, cpuMs / 1_000);
  metrics.fileReadingMemory.observe({ kind }, peakMemory);
}
