import { MAX_INPUT_TEXT } from '#contract/limits.ts';
import type { ComputerInput } from '#contract/message/computer.ts';

const MAX_WAITING = 100;

/**
 * What a reader does on the page, sent one after the other in its order. While one is on its way, letters are joined to a text, turns of
 * the wheel to one, and of moves the last counts.
 */
export class InputQueue {
  private readonly waiting: ComputerInput[] = [];
  private isSending = false;
  private sending: Promise<void> = Promise.resolve();
  private readonly send: (input: ComputerInput) => Promise<void>;
  private readonly onFailure: (error: unknown) => void;

  constructor(send: (input: ComputerInput) => Promise<void>, onFailure: (error: unknown) => void) {
    this.send = send;
    this.onFailure = onFailure;
  }

  /** Sends an input after those before it. */
  readonly add = (input: ComputerInput): void => {
    const last = this.waiting.at(-1);
    const joined = last ? join(last, input) : null;
    if (joined) this.waiting[this.waiting.length - 1] = joined;
    else if (this.waiting.length < MAX_WAITING) this.waiting.push(input);
    if (!this.isSending) this.sending = this.run();
  };

  /** Settles when nothing waits any more. Never rejects. */
  whenSent(): Promise<void> {
    return this.sending;
  }

  private async run(): Promise<void> {
    this.isSending = true;
    try {
      for (let next = this.waiting.shift(); next; next = this.waiting.shift()) await this.send(next);
    } catch (error) {
      this.waiting.length = 0;
      this.onFailure(error);
    } finally {
      this.isSending = false;
    }
  }
}

function join(last: ComputerInput, next: ComputerInput): ComputerInput | null {
  if (last.kind === 'type' && next.kind === 'type') {
    const text = last.text + next.text;
    return text.length > MAX_INPUT_TEXT ? null : { kind: 'type', text };
  }
  if (last.kind === 'scroll' && next.kind === 'scroll') {
    return { ...next, dx: bound(last.dx + next.dx), dy: bound(last.dy + next.dy) };
  }
  return last.kind === 'move' && next.kind === 'move' ? next : null;
}

/** A distance within what one input may have. */
export function bound(distance: number): number {
  return Math.round(Math.min(2_000, Math.max(-2_000, distance)));
}
