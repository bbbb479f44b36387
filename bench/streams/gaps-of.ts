import type { MeasuredAnswer } from './measured-answer.ts';

/** Times between consecutive deltas of one answer; deltas of one chunk are 0 apart. */
export function gapsOf(answers: MeasuredAnswer[]): Float64Array {
  const all = answers.map(({ deltas }) =>
    deltas.subarray(1).map((time, index) => time - (deltas[index] ?? time)),
  );
  const gaps = new Float64Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const some of all) {
    gaps.set(some, at);
    at += some.length;
  }
  return gaps;
}
