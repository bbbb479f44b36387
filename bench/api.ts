import type { Benchmark } from './benchmark.ts';
import { startRig } from './rig.ts';
import { concurrentTable, measureConcurrent } from './streams/concurrent.ts';
import { measureSequential, sequentialTable } from './streams/sequential.ts';

const STREAMS = 200;

/**
 * Answers by OpenAI's wire beside those by our own, in the same run: one after another, then many at once. `parts` narrows it
 * to `sequential` or a number of streams.
 */
export const runApi: Benchmark = async (parts) => {
  const rig = await startRig();
  try {
    const body: string[] = [];
    if (parts.length === 0 || parts.includes('sequential')) {
      body.push(sequentialTable(await measureSequential(rig, ['emulator', 'parley', 'api'])));
    }
    const sizes = parts.map(Number).filter((size) => size > 0);
    const streams = parts.length === 0 ? [STREAMS] : sizes;
    if (streams.length > 0) {
      body.push(concurrentTable(await measureConcurrent(rig, streams, ['parley', 'api'])));
    }
    return { body: body.join('\n\n'), postgres: rig.postgres.version };
  } finally {
    await rig.close();
  }
};
