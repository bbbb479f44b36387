import type { Rig } from '../rig.ts';
import { callProgram } from '../start-program.ts';
import type { Load, LoadResult } from './measured-answer.ts';

/** The users whose first token is measured beside something else, and over how long they ask, one after the other. */
export const OTHERS = 300;
export const SPREAD_MS = 15_000;
/** What they ask for. */
export const WORK = { ttftMs: 50, tokens: 20, gapMs: 20 };

/** First tokens in ms of one answer for each of these users, each on a connection of its own, and how many answers were not complete. */
export async function measureFirstTokens(
  rig: Rig,
  cookies: string[],
): Promise<{ ms: number[]; faults: number }> {
  const load: Load = { target: 'parley', url: rig.url, credentials: cookies, spreadMs: SPREAD_MS };
  const { answers } = await callProgram<LoadResult>(rig.client(), load);
  return {
    ms: answers.map(({ deltas }) => deltas[0] ?? Number.NaN).filter(Number.isFinite),
    faults: answers.filter(({ complete }) => !complete).length,
  };
}
