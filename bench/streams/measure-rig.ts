import { findModel } from '#server/catalogue/rules.ts';
import { measureIdle } from '../idle.ts';
import { percentile } from '../percentile.ts';
import type { Rig } from '../rig.ts';
import { MODEL, TOKEN } from './ask.ts';
import type { Figure } from './budgets.ts';
import { gapsOf } from './gaps-of.ts';
import { type Measured, measureLoad, setWork, type Work } from './measure-load.ts';
import type { MeasuredAnswer } from './measured-answer.ts';
import { seedHistory } from './seed-history.ts';
import { seedUsers } from './seed-users.ts';

const ONE: Work = { ttftMs: 50, tokens: 200, gapMs: 5, text: TOKEN };
const MANY: Work = { ttftMs: 50, tokens: 200, gapMs: 20, text: TOKEN };
const IN_TURN = 30;
const WARM_UP = 500;
const SPREAD_MS = 1_000;

export type Figures = Record<Figure, number>;

/** All figures that checkouts are compared by, but the start: idle first, then one answer after another, then many at once. */
export async function measureRig(rig: Rig): Promise<Omit<Figures, 'startSeconds'>> {
  await seedHistory(rig);
  const idle = await measureIdle(rig);
  await measureAnswers(rig, { ...ONE, tokens: 10 }, IN_TURN, null);
  const one = await measureAnswers(rig, ONE, IN_TURN, null);
  await measureAnswers(rig, MANY, WARM_UP, SPREAD_MS);
  const some = await measureAnswers(rig, MANY, 200, SPREAD_MS);
  const many = await measureAnswers(rig, MANY, 500, SPREAD_MS);
  const firstTokens = firstOf(many.answers);
  const perThousand = (seconds: number) => (seconds * 1_000) / many.answers.length;
  return {
    ...idle,
    addedFirstTokenMs: percentile(firstOf(one.answers), 0.5) - ONE.ttftMs,
    latenessAtOneMs: percentile(latenessOf(one.answers, ONE), 0.5),
    latenessAt200Ms: percentile(latenessOf(some.answers, MANY), 0.5),
    firstTokenAt500P50Ms: percentile(firstTokens, 0.5),
    firstTokenAt500P99Ms: percentile(firstTokens, 0.99),
    gapAt500P99Ms: percentile(gapsOf(many.answers), 0.99),
    serverCpuSeconds: perThousand(many.serverCpuSeconds),
    databaseCpuSeconds: perThousand(many.databaseCpuSeconds),
    peakMemoryMb: many.peakMemoryMb,
    incomplete: [one, some, many].flatMap(({ answers }) => answers).filter(({ complete }) => !complete)
      .length,
  };
}

/** So many answers: one after the other for one user, or each for its own, begun within `spreadMs`. */
export async function measureAnswers(
  rig: Rig,
  work: Work,
  answers: number,
  spreadMs: number | null,
): Promise<Measured> {
  await setWork(rig, work);
  const cost = findModel(MODEL.ours)?.cost ?? 0;
  const users = await seedUsers(rig, spreadMs === null ? 1 : answers, answers * cost);
  const credentials = Array.from(
    { length: answers },
    (_, index) => users.cookies[index] ?? users.cookies[0] ?? '',
  );
  return measureLoad(rig, { target: 'parley', url: rig.url, credentials, spreadMs });
}

/** When each answer had its first text, in milliseconds. */
export function firstOf(answers: MeasuredAnswer[]): Float64Array {
  return Float64Array.from(answers, ({ deltas }) => deltas[0] ?? Number.NaN).filter(Number.isFinite);
}

/** How much later than the provider said it each token was there. */
export function latenessOf(answers: MeasuredAnswer[], { ttftMs, gapMs, tokens }: Work): Float64Array {
  const all = answers.flatMap((answer) =>
    Array.from(answer.tokens.subarray(0, tokens), (time, index) => time - ttftMs - index * gapMs),
  );
  return Float64Array.from(all);
}
