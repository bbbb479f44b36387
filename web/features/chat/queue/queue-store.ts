import { useSyncExternalStore } from 'react';
import type { SendOptions } from '#contract/message/quotes.ts';
import type { DraftFile } from '../files/attachments.ts';

/** A message that waits for the answer before it. Its id is the one that it will be sent under, from whichever tab. */
export interface QueuedMessage {
  id: string;
  content: string;
  /** The model that is to answer, and the price that the reader saw, in credits. */
  model: string;
  cost: number;
  /** What the model cost then, without anything added. */
  modelCost?: number;
  files?: readonly DraftFile[];
  options?: SendOptions;
  /** When it was queued, in epoch milliseconds. */
  at: number;
  /** When a tab began to send it, in epoch milliseconds; undefined before, and once that failed. */
  sendingAt?: number | undefined;
}

/** The messages that wait in one conversation. */
export interface Queue {
  /** The message that the first one goes under. */
  after: string;
  items: readonly QueuedMessage[];
}

/** Why a message does not wait; `queueNotKept`: this browser has no room for it, or keeps nothing. */
export type QueueRefusal = 'queueFull' | 'queuesFull' | 'queueNotKept';

/** By conversation. */
export type Queues = Readonly<Record<string, Queue>>;

const PREFIX = 'chat.queue.';
export const MAX_QUEUED = 5;
/** Conversations with messages that wait. */
export const MAX_QUEUES = 20;
/** Longer than a message is on its way to the server, with its repeats. */
export const ON_WAY_MS = 120_000;
const QUEUE_KEPT_MS = 30 * 24 * 3_600_000;
const NONE: Queues = {};

/** What was read last, and from which text: the same text is the same object. */
const known = new Map<string, { text: string; queues: Queues }>();
const listeners = new Set<() => void>();

/** The messages of a user that wait in this browser, in all its tabs. */
export function useQueues(userId: string): Queues {
  return useSyncExternalStore(
    subscribe,
    () => readQueues(userId),
    () => NONE,
  );
}

function readQueues(userId: string): Queues {
  const text = readText(PREFIX + userId);
  const before = known.get(userId);
  if (before?.text === text) return before.queues;
  const queues = parse(text);
  known.set(userId, { text, queues });
  return queues;
}

/** Has a message wait behind those that do, else behind the message `after`; null once it does, else why not. */
export function addQueued(
  userId: string,
  conversationId: string,
  after: string,
  item: QueuedMessage,
): QueueRefusal | null {
  const queues = readQueues(userId);
  const queue = queues[conversationId];
  if (queue && queue.items.length >= MAX_QUEUED) return 'queueFull';
  if (!queue && Object.keys(queues).length >= MAX_QUEUES) return 'queuesFull';
  const items = [...(queue?.items ?? []), item];
  return change(userId, conversationId, { after: queue?.after ?? after, items }) ? null : 'queueNotKept';
}

/** Notes for all tabs that one sends a message, so that none takes it off meanwhile. False when it is not there any more. */
export function beginSendingQueued(userId: string, conversationId: string, id: string): boolean {
  return markSending(userId, conversationId, id, Date.now());
}

/** Notes that no tab sends it any more: where it is still there, it can be taken off again. */
export function endSendingQueued(userId: string, conversationId: string, id: string): void {
  markSending(userId, conversationId, id, undefined);
}

function markSending(
  userId: string,
  conversationId: string,
  id: string,
  sendingAt: number | undefined,
): boolean {
  const queue = readQueues(userId)[conversationId];
  if (!queue?.items.some((one) => one.id === id)) return false;
  const items = queue.items.map((one) => (one.id === id ? { ...one, sendingAt } : one));
  change(userId, conversationId, { ...queue, items });
  return true;
}

/** Takes a message off and returns it; null when it is not there any more, or a tab is sending it. */
export function deleteQueued(userId: string, conversationId: string, id: string): QueuedMessage | null {
  const queue = readQueues(userId)[conversationId];
  const item = queue?.items.find((one) => one.id === id);
  if (!queue || !item || isOnWay(item)) return null;
  const items = queue.items.filter((one) => one !== item);
  return change(userId, conversationId, { ...queue, items }) ? item : null;
}

/** A tab that was closed meanwhile, or a clock that was set, holds a message for as long as it may be on its way, no longer. */
function isOnWay({ sendingAt }: QueuedMessage): boolean {
  return sendingAt !== undefined && Math.abs(Date.now() - sendingAt) < ON_WAY_MS;
}

/** A message was sent: the next one goes under it. */
export function advanceQueue(userId: string, conversationId: string, id: string): void {
  const queue = readQueues(userId)[conversationId];
  if (!queue?.items.some((one) => one.id === id)) return;
  change(userId, conversationId, { after: id, items: queue.items.filter((one) => one.id !== id) });
}

/** Takes all off that waits in a conversation, and returns it. */
export function takeQueue(userId: string, conversationId: string): readonly QueuedMessage[] {
  const items = readQueues(userId)[conversationId]?.items ?? [];
  return items.length > 0 && change(userId, conversationId, { after: '', items: [] }) ? items : [];
}

/** Forgets all of this browser, of any user: for signing out. */
export function clearQueues(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Nothing was kept where storage is forbidden.
  }
  tell();
}

/** False where the browser does not keep it: then all is as it was, in every tab. */
function change(userId: string, conversationId: string, queue: Queue): boolean {
  const { [conversationId]: _, ...others } = readQueues(userId);
  const all = queue.items.length > 0 ? { ...others, [conversationId]: queue } : others;
  try {
    localStorage.setItem(PREFIX + userId, JSON.stringify(all));
  } catch {
    return false;
  }
  tell();
  return true;
}

function readText(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function parse(text: string): Queues {
  try {
    const queues = JSON.parse(text) as Queues;
    const young = Object.entries(queues).filter(([, { items }]) =>
      items.some(({ at }) => at > Date.now() - QUEUE_KEPT_MS),
    );
    return Object.fromEntries(young);
  } catch {
    return NONE;
  }
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
}

function onStorage({ key }: StorageEvent): void {
  if (key === null || key.startsWith(PREFIX)) tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}
