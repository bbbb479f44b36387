import { findModel } from '#server/catalogue/rules.ts';
import { percentile } from '../percentile.ts';
import { against, table } from '../results.ts';
import type { Rig } from '../rig.ts';
import { MODEL } from './ask.ts';
import { BUDGETS } from './budgets.ts';
import { checkSettled } from './check-settled.ts';
import { readExpectedText } from './expected-text.ts';
import { type Measured, measureLoad, setWork } from './measure-load.ts';
import type { Load, MeasuredAnswer } from './measured-answer.ts';
import { seedUsers } from './seed-users.ts';

const ANSWERS = 100;
const WORK = { ttftMs: 50, tokens: 200, gapMs: 5 };
/** Each of the server's connections plans a statement anew five times before it keeps the plan. */
const WARM_UP = 100;
const WARM_UP_WORK = { ...WORK, tokens: 10 };
/** As many as either takes. */
const CREDITS = Math.max(ANSWERS, WARM_UP) * (findModel(MODEL.ours)?.cost ?? 0);
const IDEAL_MS = WORK.ttftMs + (WORK.tokens - 1) * WORK.gapMs;

interface Row {
  target: Load['target'];
  measured: Measured;
  good: number;
  faults: string[];
}

const TARGETS: Load['target'][] = ['emulator', 'parley'];

/**
 * One answer after another on one connection and in one session, as one person asks, each in a new conversation;
 * the control goes first, in the same run.
 */
export async function measureSequential(rig: Rig, targets = TARGETS): Promise<Row[]> {
  await setWork(rig, WARM_UP_WORK);
  for (const target of targets) await ask(rig, target, WARM_UP);
  await setWork(rig, WORK);
  const text = await readExpectedText(rig);
  const rows: Row[] = [];
  for (const target of targets) {
    const { measured, userIds } = await ask(rig, target, ANSWERS);
    const complete = measured.answers.filter((answer) => answer.complete).length;
    const settled = userIds ? await checkSettled(rig, userIds, text) : { good: complete, faults: [] };
    rows.push({ target, measured, ...settled });
  }
  return rows;
}

async function ask(rig: Rig, target: Load['target'], answers: number) {
  const isOurs = target !== 'emulator';
  const users = isOurs ? await seedUsers(rig, 1, CREDITS) : null;
  const [credential = ''] = (target === 'api' ? users?.keys : users?.cookies) ?? [];
  const url = isOurs ? rig.url : rig.emulator.url;
  const load = { target, url, credentials: Array<string>(answers).fill(credential), spreadMs: null };
  return { measured: await measureLoad(rig, load), userIds: users?.ids ?? null };
}

/** The rows as the baselines show them. */
export function sequentialTable(rows: Row[]): string {
  const heads = [
    'target',
    'added TTFT p50',
    'p90',
    'p99',
    'min',
    'last delta over ideal p50',
    'p99',
    'end over ideal p50',
    'p99',
    'wire bytes / answer',
    'server CPU ms / request',
    'PostgreSQL CPU ms / request',
    'complete and settled',
    'foreign busy',
  ];
  const intro = `**One connection, ${WORK.tokens} tokens at ${WORK.gapMs} ms** (ms; the emulator's ${WORK.ttftMs} ms are taken off)`;
  return [intro, table(heads, rows.map(cells)), ...rows.flatMap(remarks)].join('\n\n');
}

function cells({ target, measured, good }: Row) {
  const { answers } = measured;
  const of = (read: (answer: MeasuredAnswer) => number) => {
    const values = Float64Array.from(answers, read).filter(Number.isFinite);
    return (share: number) => percentile(values, share);
  };
  const ttft = of(({ deltas }) => (deltas[0] ?? Number.NaN) - WORK.ttftMs);
  const last = of(({ deltas }) => (deltas.at(-1) ?? Number.NaN) - IDEAL_MS);
  const end = of((answer) => answer.end - IDEAL_MS);
  const budget = target === 'parley' ? BUDGETS.sequential.addedTtftP50 : undefined;
  return [
    target,
    against(ttft(0.5), budget),
    ttft(0.9),
    ttft(0.99),
    ttft(0),
    last(0.5),
    last(0.99),
    end(0.5),
    end(0.99),
    measured.wireBytes / answers.length,
    (measured.serverCpuSeconds * 1000) / answers.length,
    (measured.databaseCpuSeconds * 1000) / answers.length,
    `${good}/${answers.length}`,
    measured.foreignBusy.toFixed(2),
  ];
}

function remarks({ target, measured, faults }: Row): string[] {
  const first = measured.answers.find((answer) => answer.fault !== null)?.fault;
  return [
    ...(first ? [`First fault of ${target}: ${first}`] : []),
    ...faults.map((fault) => `Not settled: ${fault}`),
  ];
}
