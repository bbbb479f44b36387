import { percentile } from '../percentile.ts';
import type { Rig } from '../rig.ts';
import { TOKEN } from '../streams/ask.ts';
import { firstOf, latenessOf, measureAnswers } from '../streams/measure-rig.ts';
import type { Figures } from './compare-variants.ts';

const ONE = { ttftMs: 50, tokens: 20, gapMs: 5, text: TOKEN };
const MANY = { ttftMs: 50, tokens: 200, gapMs: 20, text: TOKEN };
const IN_TURN = 50;
const SPREAD_MS = 1_000;

/** What users feel of a send, one after the other and `streams` at once, and what an answer costs. */
export async function measureSends(rig: Rig, streams: number): Promise<Figures> {
  const one = await measureAnswers(rig, ONE, IN_TURN, null);
  const many = await measureAnswers(rig, MANY, streams, SPREAD_MS);
  const [firstOfOne, firstOfMany] = [firstOf(one.answers), firstOf(many.answers)];
  const ends = Float64Array.from(
    many.answers,
    ({ end }) => end - MANY.ttftMs - (MANY.tokens - 1) * MANY.gapMs,
  );
  const each = (seconds: number) => (seconds * 1_000) / many.answers.length;
  return {
    'one connection: first text over the model’s, p50 ms': percentile(firstOfOne, 0.5) - ONE.ttftMs,
    'one connection: p99 ms': percentile(firstOfOne, 0.99) - ONE.ttftMs,
    [`${streams} at once: first text p50 ms`]: percentile(firstOfMany, 0.5),
    'first text p99 ms': percentile(firstOfMany, 0.99),
    'lateness of a token p50 ms': percentile(latenessOf(many.answers, MANY), 0.5),
    'end over the model’s p50 ms': percentile(ends, 0.5),
    'end over the model’s p99 ms': percentile(ends, 0.99),
    'server CPU ms / answer': each(many.serverCpuSeconds),
    'PostgreSQL CPU ms / answer': each(many.databaseCpuSeconds),
    'answers that were not complete': [...one.answers, ...many.answers].filter(({ complete }) => !complete)
      .length,
  };
}
