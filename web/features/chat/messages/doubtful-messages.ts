import type { SendMessage } from '#contract/chat.ts';

/** A message of which its sender does not know whether it arrived. */
interface Doubtful {
  message: SendMessage;
  /** Its conversation begins with it. */
  isFirst: boolean;
}

const KEY = 'chat.doubtful';

let byConversation: Map<string, Doubtful> | null = null;

/**
 * The message of the conversation that may have arrived; undefined without one. It is known over a reload of its tab too: the same
 * question once more has the same id then, and is charged once.
 */
export function doubtfulIn(conversationId: string): SendMessage | undefined {
  return known().get(conversationId)?.message;
}

/** The conversation that the newest message begins which may have arrived; undefined without one. */
export function doubtfulBeginning(): string | undefined {
  return [...known()].findLast(([, { isFirst }]) => isFirst)?.[0];
}

/** Notes a message that goes out, or comes back without anybody knowing whether it arrived. */
export function noteDoubtful(message: SendMessage, isFirst: boolean): void {
  known().delete(message.conversationId);
  known().set(message.conversationId, { message, isFirst });
  keep();
}

/** What became of the conversation's message is known. */
export function forgetDoubtful(conversationId: string): void {
  if (known().delete(conversationId)) keep();
}

/** Removes all from this device: for signing out. */
export function clearDoubtful(): void {
  known().clear();
  keep();
}

function known(): Map<string, Doubtful> {
  byConversation ??= new Map(readKept());
  return byConversation;
}

function readKept(): [string, Doubtful][] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [string, Doubtful][];
  } catch {
    return [];
  }
}

function keep(): void {
  try {
    if (known().size === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify([...known()]));
  } catch {
    // Storage is full or forbidden: it is known as long as the page lives.
  }
}
