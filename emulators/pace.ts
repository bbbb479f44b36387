/** When the pieces of an answer are due. */
export interface Pace {
  ttftMs: number;
  gapMs: number;
  /** Spread of the gaps, as a part of `gapMs`; 0 is a metronome. */
  jitter: number;
}

/** What a person sees of a quick model: a first token after 300 ms, then about 30 pieces a second. */
export const PERSON: Pace = { ttftMs: 300, gapMs: 32, jitter: 0.6 };

const MULTIPLIER = 1_664_525;
const INCREMENT = 1_013_904_223;

/** Numbers in [0, 1) that look random and are the same every time, so that a run can be repeated. */
export function createDice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, MULTIPLIER) + INCREMENT) >>> 0;
    return state / 2 ** 32;
  };
}
