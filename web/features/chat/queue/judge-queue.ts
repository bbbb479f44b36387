import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import type { Queue } from './queue-store.ts';

/** What waited longer is not sent by itself: its writer may have forgotten it. */
const FRESH_MS = 3_600_000;

/** Why the first message of a queue is not sent by itself. */
export type NotSentBecause = 'ended' | 'price' | 'credits' | 'model' | 'stale' | 'refused';
export type Verdict = 'wait' | 'send' | NotSentBecause;

interface Known {
  /** The message that the first one goes under; undefined when it is not known, or not there. */
  before: Message | undefined;
  /** It may be there, and only not read or not sent yet. */
  isExpected: boolean;
  /** The model of the first one, as the catalogue has it now; undefined when that is not here yet. */
  model: CatalogueModel | undefined;
  credits: number;
  /** Nothing may be sent for a while. */
  isPaused: boolean;
  /** The server refused it, or could not be reached. */
  isRefused: boolean;
  /** In epoch milliseconds. */
  now: number;
}

/**
 * Whether the first message of a queue may go: when the answer before it ended well, at the price that its writer saw and for credits
 * that are there. In any other case it waits for its writer.
 */
export function judgeQueue({ items }: Queue, known: Known): Verdict {
  const { before, model, credits } = known;
  const first = items[0];
  if (!first || (!before && known.isExpected) || before?.status === 'running') return 'wait';
  if (known.isRefused) return 'refused';
  if (before?.status !== 'completed' || before.finishReason === 'length') return 'ended';
  if (first.at < known.now - FRESH_MS) return 'stale';
  if (!model || known.isPaused) return 'wait';
  if (model.paused) return 'model';
  if (!model.allowed || model.cost === null || model.cost > first.cost) return 'price';
  const isPlain = !first.files && !first.options;
  return credits < (isPlain ? model.cost : first.cost) ? 'credits' : 'send';
}
