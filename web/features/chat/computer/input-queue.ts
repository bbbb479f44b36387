import { MAX_INPUT_TEXT } from '#contract/limits.ts';
import type { ComputerInput } from '#contract/message/computer.ts';

const MAX_WAITING = 100;
/** Longest text that can be pasted at once, in UTF-16 code units. */
export const MAX_PASTED_TEXT = MAX_WAITING * MAX_INPUT_TEXT;

/** Why an input was not sent, nor a part of it: its text is too long, or too many others wait before it. */
export type InputRefusal = 'text_too_long' | 'too_many_waiting';

/**
 * What a reader does on the page, sent one after the other in its order. While one is on its way, letters are joined to a text, turns of
 * the wheel to one, and of moves the last counts. A text that is too long for one input, as one that is pasted, goes as several. An
 * input for which there is no room is refused as a whole.
 */
export class InputQueue {
  private readonly waiting: ComputerInput[] = [];
  private isSending = false;
  private sending: Promise<void> = Promise.resolve();
  private readonly send: (input: ComputerInput) => Promise<void>;
  private readonly onFailure: (error: unknown) => void;
  private readonly onRefused: (reason: InputRefusal) => void;

  constructor(
    send: (input: ComputerInput) => Promise<void>,
    onFailure: (error: unknown) => void,
    onRefused: (reason: InputRefusal) => void,
  ) {
    this.send = send;
    this.onFailure = onFailure;
    this.onRefused = onRefused;
  }

  /** Sends an input after those before it. */
  readonly add = (input: ComputerInput): void => {
    const refusal = this.put(input);
    if (refusal) this.onRefused(refusal);
    else if (!this.isSending) this.sending = this.run();
  };

  /** Settles when nothing waits any more. Never rejects. */
  whenSent(): Promise<void> {
    return this.sending;
  }

  /** Has an input wait, or refuses it: then nothing of it waits. */
  private put(input: ComputerInput): InputRefusal | null {
    const parts = split(input);
    if (parts.length > MAX_WAITING) return 'text_too_long';
    const [last, first] = [this.waiting.at(-1), parts[0]];
    const joined = last && first ? join(last, first) : null;
    const added = joined ? parts.slice(1) : parts;
    if (this.waiting.length + added.length > MAX_WAITING) return 'too_many_waiting';
    if (joined) this.waiting[this.waiting.length - 1] = joined;
    this.waiting.push(...added);
    return null;
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

/** An input as the server takes it: no text is longer than it may be, and no sign of two code units is split. */
function split(input: ComputerInput): ComputerInput[] {
  if (input.kind !== 'type' || input.text.length <= MAX_INPUT_TEXT) return [input];
  const texts = [''];
  for (const sign of input.text) {
    const last = texts.at(-1) ?? '';
    if (last.length + sign.length > MAX_INPUT_TEXT) texts.push(sign);
    else texts[texts.length - 1] = last + sign;
  }
  return texts.map((text) => ({ kind: 'type', text }));
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
