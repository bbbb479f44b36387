import type { AnswerPart } from '#contract/message/parts.ts';

/** How long a model thought each time: from what came before, or from the question, to what came after. In milliseconds. */
export class ThinkingTime {
  private readonly times: number[] = [];
  private isThinking = false;
  private since: number;

  constructor(askedAt: number) {
    this.since = askedAt;
  }

  /** A piece of thinking came, or of the answer. */
  note(isThinking: boolean, now: number) {
    if (isThinking && !this.isThinking) this.times.push(0);
    if (isThinking || this.isThinking) this.times[this.times.length - 1] = Math.round(now - this.since);
    if (!isThinking) this.since = now;
    this.isThinking = isThinking;
  }

  /** The parts of the answer, each that is thinking with its time. */
  writeTo(parts: readonly AnswerPart[]): AnswerPart[] {
    let place = 0;
    return parts.map((part) => {
      if (part.kind !== 'reasoning') return part;
      const ms = this.times[place];
      place += 1;
      return ms === undefined ? part : { ...part, ms };
    });
  }
}
