import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, machineCpuSeconds, peakMemoryMb, putFirst, resetPeakMemory } from '../process-usage.ts';
import type { Rig } from '../rig.ts';
import { callProgram, type Program } from '../start-program.ts';
import type { Load, LoadResult } from './measured-answer.ts';

export interface Measured extends LoadResult {
  /** CPU of the server under test: ours, or the emulator in a control. */
  serverCpuSeconds: number;
  databaseCpuSeconds: number;
  /** What the load itself costs on the same cores. */
  clientCpuSeconds: number;
  peakMemoryMb: number;
  /** Share of all cores that went to anything but the bench. */
  foreignBusy: number;
}

const QUIET_TRIES = 30;
const QUIET_SHARE = 0.15;

/** What a text of the emulator's work looks like in time. */
export interface Work {
  ttftMs: number;
  tokens: number;
  gapMs: number;
  /** What each token says; else the emulator's own words. */
  text?: string;
}

/** Sets in the emulator what every answer is from now on. */
export async function setWork(rig: Rig, work: Work): Promise<void> {
  const response = await fetch(`${rig.emulator.url}/__control/work`, {
    method: 'POST',
    body: JSON.stringify(work),
    headers: { 'content-type': 'application/json' },
  });
  if (!response.ok) throw new Error(`the emulator refused the work: ${response.status}`);
}

/** Lets the rig's client do `load` and reads what it cost. */
export async function measureLoad(rig: Rig, load: Load): Promise<Measured> {
  const client = rig.client();
  const server = load.target === 'emulator' ? rig.emulator : rig.server;
  const read = () => readUsage(rig, server, client);
  putFirst(rig.postgres.pid);
  await waitForQuiet();
  resetPeakMemory(server.pid);
  const before = read();
  const result = await callProgram<LoadResult>(client, load);
  const after = read();
  const spent = (key: keyof typeof before) => after[key] - before[key];
  const foreign = spent('machine') - spent('ours');
  return {
    ...result,
    serverCpuSeconds: spent('server'),
    databaseCpuSeconds: load.target === 'emulator' ? 0 : spent('database'),
    clientCpuSeconds: spent('client'),
    peakMemoryMb: peakMemoryMb(server.pid),
    foreignBusy: Math.max(0, foreign / availableParallelism() / spent('seconds')),
  };
}

/** Waits a second at least, and up to `QUIET_TRIES` more while others use the machine. */
export async function waitForQuiet(): Promise<void> {
  for (let left = QUIET_TRIES; left >= 0; left -= 1) {
    const before = machineCpuSeconds();
    await sleep(1000);
    if ((machineCpuSeconds() - before) / availableParallelism() < QUIET_SHARE) return;
  }
}

/** Everything the bench started is beneath this process. */
function readUsage(rig: Rig, server: Program, client: Program) {
  return {
    server: cpuSeconds(server.pid),
    database: cpuSeconds(rig.postgres.pid),
    client: cpuSeconds(client.pid),
    ours: cpuSeconds(process.pid),
    machine: machineCpuSeconds(),
    seconds: performance.now() / 1000,
  };
}
