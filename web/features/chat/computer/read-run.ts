import type { AnswerPart, ConfirmationPart, StepPart } from '#contract/message/parts.ts';

/** What happened in a browser, in its order. */
export type RunEntry = StepPart | ConfirmationPart;

export interface BrowserRun {
  entries: readonly RunEntry[];
  steps: readonly StepPart[];
  /** The question that is to be answered now. */
  asked: ConfirmationPart | null;
}

/** Reads what happened in a browser out of an answer's parts. A confirmation that came again counts as it came last. */
export function readRun(parts: readonly AnswerPart[]): BrowserRun {
  const entries: RunEntry[] = [];
  for (const part of parts) {
    if (part.kind !== 'step' && part.kind !== 'confirmation') continue;
    const place = entries.findIndex((entry) => isSame(entry, part));
    if (place < 0) entries.push(part);
    else entries[place] = part;
  }
  const steps = entries.filter((entry) => entry.kind === 'step');
  const questions = entries.filter((entry) => entry.kind === 'confirmation');
  return { entries, steps, asked: questions.findLast(({ state }) => state === 'waiting') ?? null };
}

function isSame(one: RunEntry, other: RunEntry): boolean {
  if (one.kind === 'step') return other.kind === 'step' && one.n === other.n;
  return other.kind === 'confirmation' && one.id === other.id;
}
