import { setTimeout as sleep } from 'node:timers/promises';
import { memoryMb, peakMemoryMb, resetPeakMemory, treeMemoryMb } from '../process-usage.ts';
import { against, table } from '../results.ts';
import type { Rig } from '../rig.ts';
import { waitForQuiet } from '../streams/measure-load.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { BUDGETS } from './budgets.ts';
import { makeLarge, makeSmall } from './sample-files.ts';
import { openUploader, type SampleFile } from './uploader.ts';

const UPLOADS = 50;
const REST_MS = 10_000;
const SAMPLE_MS = 250;

/** The memory of a new server with 50 uploads of the largest file at once, each of another user. */
export async function measureMemory(rig: Rig): Promise<string> {
  const large = await makeLarge();
  await warmUp(rig);
  await waitForQuiet();
  await sleep(REST_MS);
  const { pid } = rig.server;
  const rest = { alone: memoryMb(pid), all: treeMemoryMb(pid) };
  const rows = [await measureUploads(rig, rest, large)];
  const heads = [
    ...[
      'all sent after s',
      'all read after s',
      'at rest MB',
      'peak until sent',
      'peak',
      'peak above rest',
      'after',
      'after above rest',
    ],
    ...['with its readers at rest', 'peak'],
  ];
  return `**Memory of a new server with ${UPLOADS} uploads of 20 MB at once**; a reader is a process of its own\n\n${table(heads, rows)}`;
}

/** The first file loads what reads and writes files. */
async function warmUp(rig: Rig): Promise<void> {
  const { cookies } = await seedUsers(rig, 1);
  const user = openUploader(rig, cookies[0] ?? '');
  await user.ready((await user.send(makeSmall())).id);
}

async function measureUploads(rig: Rig, rest: { alone: number; all: number }, large: SampleFile) {
  const { pid } = rig.server;
  const { cookies } = await seedUsers(rig, UPLOADS);
  const users = cookies.map((cookie) => openUploader(rig, cookie));
  await waitForQuiet();
  resetPeakMemory(pid);
  const tree = watchTree(pid);
  const began = performance.now();
  const secondsSince = () => (performance.now() - began) / 1_000;
  const sent = await Promise.all(users.map((user) => user.send(large)));
  const sentAfter = secondsSince();
  const peakSent = peakMemoryMb(pid);
  await Promise.all(users.map((user, index) => user.ready(sent[index]?.id ?? '')));
  const readAfter = secondsSince();
  const treePeak = tree.stop();
  const peak = peakMemoryMb(pid);
  await sleep(REST_MS);
  const after = memoryMb(pid);
  return [
    ...[sentAfter, readAfter, rest.alone, peakSent, peak, against(peak - rest.alone, BUDGETS.peakMb)],
    ...[after, against(after - rest.alone, BUDGETS.leftMb), rest.all, treePeak],
  ];
}

/** The most that the server and all beneath it took at a moment that was looked at. */
function watchTree(pid: number) {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, treeMemoryMb(pid));
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}
