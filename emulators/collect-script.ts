import type { Finish, Script, Step } from './script.ts';

const MAX_STEPS = 50_000;

/** A whole script in one piece, for calls that do not stream. */
export interface Collected {
  text: string;
  reasoning: string;
  refusal: string;
  calls: Extract<Step, { kind: 'call' }>[];
  textTokens: number;
  reasoningTokens: number;
  /** What ended it, when that was not a finish. */
  broken: Exclude<Step, { kind: 'text' | 'reasoning' | 'refusal' | 'call' | 'finish' | 'part' }> | null;
  finish: Finish | null;
  /** Parts of other kinds, and further fields of the last candidate. */
  parts: object[];
  metadata: object;
  usage: { inputTokens: number; outputTokens: number } | null;
  /** When its last step is due, in milliseconds after the request. */
  at: number;
}

/** Runs a script through without waiting. A script without an end is taken for silence. */
export function collectScript(script: Script): Collected {
  const all: Collected = {
    text: '',
    reasoning: '',
    refusal: '',
    calls: [],
    textTokens: 0,
    reasoningTokens: 0,
    broken: null,
    finish: null,
    parts: [],
    metadata: {},
    usage: null,
    at: 0,
  };
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const beat = script.next();
    if (beat.done) return all;
    const { step } = beat.value;
    all.at = beat.value.at;
    if (step.kind === 'text') {
      all.text += step.text;
      all.textTokens += step.tokens;
    } else if (step.kind === 'reasoning') {
      all.reasoning += step.text;
      all.reasoningTokens += step.tokens;
    } else if (step.kind === 'refusal') {
      all.refusal += step.text;
      all.textTokens += step.tokens;
    } else if (step.kind === 'call') {
      all.calls.push(step);
      all.textTokens += step.tokens;
    } else if (step.kind === 'part') all.parts.push(step.part);
    else if (step.kind === 'finish') {
      all.finish = step.finish;
      all.metadata = step.metadata ?? {};
    } else if (step.kind === 'usage') all.usage = step;
    else if (step.kind !== 'raw' || !step.bytes.startsWith(':')) {
      all.broken = step;
      return all;
    }
  }
  all.broken = { kind: 'silence' };
  return all;
}
