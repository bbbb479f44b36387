import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../percentile.ts';
import { against, table } from '../results.ts';
import type { Rig } from '../rig.ts';
import { BUDGETS } from './budgets.ts';
import { checkSettled } from './check-settled.ts';
import { readExpectedText } from './expected-text.ts';
import { gapsOf } from './gaps-of.ts';
import { type Measured, measureLoad, setWork } from './measure-load.ts';
import type { Load } from './measured-answer.ts';
import { seedUsers } from './seed-users.ts';

const WORK = { ttftMs: 50, tokens: 200, gapMs: 20 };
const IDEAL_MS = WORK.ttftMs + (WORK.tokens - 1) * WORK.gapMs;
const SPREAD_MS = 1000;
const PAUSE_MS = 3000;
/** As many as the largest size that has budgets: what a server does that has been running, not what its compiler does meanwhile. */
const WARM_UP = 500;

/** Our server, by its own wire or by OpenAI's. */
type Target = 'parley' | 'api';

interface Row {
  target: Load['target'];
  streams: number;
  measured: Measured;
  good: number;
  faults: string[];
}

/** Many answers at once, each of its own user; before each size its control, in the same run. */
export async function measureConcurrent(
  rig: Rig,
  sizes: number[],
  targets: Target[] = ['parley'],
): Promise<Row[]> {
  await setWork(rig, WORK);
  const text = await readExpectedText(rig);
  for (const target of targets) await measureOurs(rig, target, WARM_UP, text);
  const rows: Row[] = [];
  for (const streams of sizes) {
    await sleep(PAUSE_MS);
    rows.push(await measureControl(rig, streams));
    for (const target of targets) rows.push(await measureOurs(rig, target, streams, text));
  }
  return rows;
}

async function measureControl(rig: Rig, streams: number): Promise<Row> {
  const credentials = Array<string>(streams).fill('');
  const load = { target: 'emulator', url: rig.emulator.url, credentials, spreadMs: SPREAD_MS } as const;
  const measured = await measureLoad(rig, load);
  const good = measured.answers.filter((answer) => answer.complete).length;
  return { target: 'emulator', streams, measured, good, faults: [] };
}

async function measureOurs(rig: Rig, target: Target, streams: number, text: string): Promise<Row> {
  const users = await seedUsers(rig, streams);
  const credentials = target === 'api' ? users.keys : users.cookies;
  const measured = await measureLoad(rig, { target, url: rig.url, credentials, spreadMs: SPREAD_MS });
  return { target, streams, measured, ...(await checkSettled(rig, users.ids, text)) };
}

/** The rows as the baselines show them. */
export function concurrentTable(rows: Row[]): string {
  const heads = [
    'target',
    'streams',
    'TTFT p50 ms',
    'p99',
    'delta gap p50',
    'p99',
    'worst',
    'end over ideal p50',
    'p99',
    'deltas / answer',
    'server CPU s / 1,000',
    'PostgreSQL CPU s / 1,000',
    'client CPU s / 1,000',
    'peak RSS MB',
    'complete and settled',
    'foreign busy',
  ];
  const intro = `**Many at once, ${WORK.tokens} tokens at ${WORK.gapMs} ms**, starts spread over ${SPREAD_MS / 1000} s (ms)`;
  return [intro, table(heads, rows.map(cells)), ...rows.flatMap(remarks)].join('\n\n');
}

function cells({ target, streams, measured, good }: Row) {
  const { answers } = measured;
  const seen = (values: Float64Array) => values.filter(Number.isFinite);
  const ttft = seen(Float64Array.from(answers, ({ deltas }) => deltas[0] ?? Number.NaN));
  const end = seen(Float64Array.from(answers, (answer) => answer.end - IDEAL_MS));
  const gaps = gapsOf(answers);
  const limits: Limits = target === 'parley' && isBudgeted(streams) ? BUDGETS.concurrent[streams] : {};
  const perThousand = (seconds: number) => (seconds * 1000) / answers.length;
  return [
    target,
    streams,
    against(percentile(ttft, 0.5), limits.ttftP50),
    against(percentile(ttft, 0.99), limits.ttftP99),
    percentile(gaps, 0.5),
    against(percentile(gaps, 0.99), limits.gapP99),
    percentile(gaps, 1),
    percentile(end, 0.5),
    percentile(end, 0.99),
    answers.reduce((sum, { deltas }) => sum + deltas.length, 0) / answers.length,
    against(perThousand(measured.serverCpuSeconds), limits.serverCpuSeconds),
    against(perThousand(measured.databaseCpuSeconds), limits.databaseCpuSeconds),
    perThousand(measured.clientCpuSeconds),
    against(measured.peakMemoryMb, limits.peakMemoryMb),
    `${good}/${answers.length}`,
    measured.foreignBusy.toFixed(2),
  ];
}

type Limits = Partial<(typeof BUDGETS.concurrent)[keyof typeof BUDGETS.concurrent]>;

function isBudgeted(streams: number): streams is keyof typeof BUDGETS.concurrent {
  return streams in BUDGETS.concurrent;
}

function remarks({ target, streams, measured, faults }: Row): string[] {
  const faulty = measured.answers.filter((answer) => answer.fault !== null);
  const first = faulty[0]?.fault;
  return [
    ...(first ? [`${target} at ${streams}: ${faulty.length} faults, the first: ${first}`] : []),
    ...faults.map((fault) => `Not settled at ${streams}: ${fault}`),
  ];
}
