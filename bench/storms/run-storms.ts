import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark } from '../benchmark.ts';
import { collectGarbage } from '../collect-garbage.ts';
import { percentile } from '../percentile.ts';
import { countDescriptors, memoryMb, peakMemoryMb, resetPeakMemory } from '../process-usage.ts';
import { against, table } from '../results.ts';
import { freePort, type Rig, startRig } from '../rig.ts';
import { callProgram, type Program, startProgram } from '../start-program.ts';
import { measureFirstTokens, OTHERS, SPREAD_MS, WORK } from '../streams/first-tokens.ts';
import { setWork } from '../streams/measure-load.ts';
import { seedHistory } from '../streams/seed-history.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { seedLongAnswers } from './seed-long-answers.ts';
import type { AttackOrder, Seen, StormName, StormTarget } from './storms.ts';

const NAMES: Record<StormName, string> = {
  heads: '1,000 half-open heads',
  bodies: '1,000 slow bodies',
  json: '20 bodies of 90,000 keys a second',
  idle: '10,000 idle connections',
  followers: '1,000 followers that never read',
};
const CREDITS = 1_000;
const ATTACKERS = 20;
/** Issue 19: the others' p99 stays within a fifth, and the memory comes back. */
const P99_RATIO = 1.2;
const MEMORY_RATIO = 1.2;
const GONE_TIMEOUT_S = 90;

interface Others {
  p50: number;
  p99: number;
  faults: number;
}

interface Row {
  storm: StormName;
  before: Others;
  during: Others;
  after: Others;
  memory: { before: number; peak: number; after: number };
  descriptors: { before: number; during: number; after: number };
  /** Seconds until the server had let go of what the attackers kept open. */
  goneS: number;
  seen: Seen;
}

/**
 * What one attacker with many connections does to everybody else: the first token of other users' answers before, during and after
 * each storm, and what is left of it in the server. `parts` are the storms, all of them by default; one that is named again shows whether
 * memory grows once or each time.
 */
export const runStorms: Benchmark = async (parts) => {
  const names = Object.keys(NAMES) as StormName[];
  const chosen = parts.length === 0 ? names : parts.flatMap((part) => names.filter((name) => name === part));
  const inspectPort = await freePort();
  const rig = await startRig({ nodeFlags: [`--inspect-port=${inspectPort}`] });
  const attacker = startProgram('bench/storms/attacker.ts', [], { channel: true });
  try {
    await seedHistory(rig);
    await setWork(rig, WORK);
    const others = await seedUsers(rig, OTHERS, CREDITS);
    const { cookies, ids } = await seedUsers(rig, ATTACKERS, CREDITS);
    const messages = await seedLongAnswers(rig, ids);
    for (let left = 2; left > 0; left -= 1) await measureOthers(rig, others.cookies);
    const rows: Row[] = [];
    for (const storm of chosen) {
      const target = { storm, url: rig.url, cookies, messages };
      rows.push(await measureStorm({ rig, attacker, inspectPort }, target, others.cookies));
    }
    return { body: stormsTable(rows), postgres: rig.postgres.version };
  } finally {
    await attacker.stop();
    await rig.close();
  }
};

interface Field {
  rig: Rig;
  attacker: Program;
  /** Where the server's inspector is opened. */
  inspectPort: number;
}

async function measureStorm(
  { rig, attacker, inspectPort }: Field,
  target: StormTarget,
  cookies: string[],
): Promise<Row> {
  const { pid } = rig.server;
  const heldMb = async () => {
    await collectGarbage(pid, inspectPort);
    return memoryMb(pid);
  };
  const order = (act: AttackOrder['act']) =>
    callProgram<Seen>(attacker, { act, target } satisfies AttackOrder);
  const before = await measureOthers(rig, cookies);
  const left = { memory: await heldMb(), descriptors: countDescriptors(pid) };
  resetPeakMemory(pid);
  await order('start');
  const during = await measureOthers(rig, cookies);
  const descriptors = countDescriptors(pid);
  await order('freeze');
  const goneS = await waitUntilGone(pid, left.descriptors);
  const seen = await order('stop');
  const peak = peakMemoryMb(pid);
  const after = await measureOthers(rig, cookies);
  const memory = { before: left.memory, peak, after: await heldMb() };
  return {
    storm: target.storm,
    before,
    during,
    after,
    memory,
    descriptors: { before: left.descriptors, during: descriptors, after: countDescriptors(pid) },
    goneS,
    seen,
  };
}

/** The first tokens of answers to users who have nothing to do with the storm, each on a connection of its own. */
async function measureOthers(rig: Rig, cookies: string[]): Promise<Others> {
  const { ms, faults } = await measureFirstTokens(rig, cookies);
  const ttft = Float64Array.from(ms);
  return { p50: percentile(ttft, 0.5), p99: percentile(ttft, 0.99), faults };
}

/** The server's own connections, to the database and to providers, come and go. */
const SLACK = 40;

async function waitUntilGone(pid: number, before: number): Promise<number> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  while (countDescriptors(pid) > before + SLACK && seconds() < GONE_TIMEOUT_S) await sleep(100);
  return seconds() < GONE_TIMEOUT_S ? seconds() : Number.NaN;
}

function stormsTable(rows: Row[]): string {
  const heads = [
    'storm',
    'others’ TTFT p50 ms before',
    'during',
    'after',
    'p99 before',
    'during',
    'after',
    'p99 during / before',
    'others’ faults',
    'RSS MB before, garbage collected',
    'peak',
    'after, garbage collected',
    'RSS after / before',
    'descriptors before',
    'during',
    'after',
    'gone in s',
    'opened',
    'closed by the server',
    'answers',
  ];
  const intro = `**One attacker, and ${OTHERS} others** who ask one after the other over ${SPREAD_MS / 1000} s; the emulator’s ${WORK.ttftMs} ms are in their first token`;
  return [intro, table(heads, rows.map(cells))].join('\n\n');
}

function cells({ storm, before, during, after, memory, descriptors, goneS, seen }: Row) {
  const statuses = Object.entries(seen.statuses).map(([status, count]) => `${count} × ${status}`);
  return [
    NAMES[storm],
    before.p50,
    during.p50,
    after.p50,
    before.p99,
    during.p99,
    after.p99,
    against(during.p99 / before.p99, P99_RATIO),
    before.faults + during.faults + after.faults,
    memory.before,
    memory.peak,
    memory.after,
    against(memory.after / memory.before, MEMORY_RATIO),
    descriptors.before,
    descriptors.during,
    descriptors.after,
    goneS,
    seen.opened,
    seen.closed,
    statuses.join(', ') || '–',
  ];
}
