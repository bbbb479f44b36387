import type { Benchmark } from '../benchmark.ts';
import { putFirst, watchForeign } from '../process-usage.ts';
import { type Rig, startRig } from '../rig.ts';
import { measureMemory } from './measure-memory.ts';
import { measureReading } from './measure-reading.ts';
import { measureTransfers } from './measure-transfers.ts';

/** Users of the bench keep more than a free user may; browsers are no part of it. */
const SETTINGS = { FILE_QUOTA_FREE_MB: '100000', COMPUTER_USE: 'off' };

const PARTS: Record<string, (rig: Rig) => Promise<string>> = {
  memory: measureMemory,
  transfers: measureTransfers,
  reading: measureReading,
};

/** Files: how fast they come, are read and go, and what 50 uploads at once take. `parts` narrows it; each has a server of its own. */
export const runFiles: Benchmark = async (parts) => {
  const body: string[] = [];
  let postgres = '';
  for (const [name, measure] of Object.entries(PARTS)) {
    if (parts.length > 0 && !parts.includes(name)) continue;
    const rig = await startRig({ env: SETTINGS });
    try {
      putFirst(rig.postgres.pid);
      postgres = rig.postgres.version;
      const foreignShare = watchForeign();
      body.push(await measure(rig), `Foreign busy: ${foreignShare().toFixed(2)}`);
    } finally {
      await rig.close();
    }
  }
  return { body: body.join('\n\n'), postgres };
};
