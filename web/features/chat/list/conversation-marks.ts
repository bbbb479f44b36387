import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Message, RunningAnswers } from '#contract/chat.ts';
import { callApi } from '#web/lib/api.ts';
import { readAgainIfReading } from '#web/lib/read-again.ts';

/** A conversation is being answered, or an answer ended there that was not seen yet. */
export type Mark = 'running' | 'ended';
type Marks = Readonly<Record<string, Mark>>;

const KEY = 'chat.marks';
/** The oldest marks are given up from here on. */
const MAX_MARKS = 200;

/**
 * The answers being written. What ran when it was last read and runs no more has ended: marks are kept in this browser, so that an
 * answer which ended while no tab was open is marked too. Another device does not know what was seen here.
 */
export const runningQuery = queryOptions({
  queryKey: ['running'],
  queryFn: async ({ signal }) => {
    const { running } = await callApi<RunningAnswers>('/api/conversations/running', { signal });
    const ids = new Set(running.map(({ conversationId }) => conversationId));
    change((marks) => withRunning(marks, ids));
    return { running };
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Writes news of an answer into the marks; a stopped one needs no look. */
export function putRunning(client: QueryClient, { id, conversationId, status }: Message): void {
  readAgainIfReading(client, runningQuery.queryKey);
  const known = client.getQueryData(runningQuery.queryKey)?.running ?? [];
  const others = known.filter((one) => one.id !== id);
  const running = status === 'running' ? [...others, { id, conversationId }] : others;
  client.setQueryData(runningQuery.queryKey, (before) => before && { running });
  if (running.some((one) => one.conversationId === conversationId)) {
    change((marks) => ({ ...marks, [conversationId]: 'running' }));
  } else if (markOf(conversationId) === 'running') {
    if (status === 'stopped') deleteMark(conversationId);
    else change((marks) => ({ ...marks, [conversationId]: 'ended' }));
  }
}

/** Takes the mark off a conversation. */
export function deleteMark(conversationId: string): void {
  if (markOf(conversationId)) change(({ [conversationId]: _, ...others }) => others);
}

/** Forgets all marks: the user has signed out. */
export function clearMarks(): void {
  change(() => ({}));
}

/** The mark of a conversation; null for most. */
export function useMark(conversationId: string): Mark | null {
  return useSyncExternalStore(
    subscribe,
    () => markOf(conversationId),
    () => null,
  );
}

/** Keeps the marks true while the chat is on screen, and takes that of the conversation on screen off once it is seen. */
export function useMarks(conversationId: string): Mark | null {
  useQuery(runningQuery);
  const mark = useMark(conversationId);
  useEffect(() => {
    if (mark !== 'ended') return;
    const look = () => {
      if (document.visibilityState === 'visible') deleteMark(conversationId);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [mark, conversationId]);
  return mark;
}

/** The marks once these conversations, and no others, are being answered. */
export function withRunning(marks: Marks, running: ReadonlySet<string>): Marks {
  const known = Object.keys(marks).map((id) => [id, 'ended'] as const);
  return Object.fromEntries([...known, ...[...running].map((id) => [id, 'running'] as const)]);
}

let current: Marks | null = null;
const listeners = new Set<() => void>();

/** The mark of a conversation now; null for most. */
export function markOf(conversationId: string): Mark | null {
  current ??= read();
  return current[conversationId] ?? null;
}

/** Other tabs write too, so what is kept is read anew before it is changed. */
function change(update: (marks: Marks) => Marks): void {
  current = Object.fromEntries(Object.entries(update(read())).slice(-MAX_MARKS));
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Storage is forbidden: marks live as long as the page.
  }
  tell();
}

function read(): Marks {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Marks;
  } catch {
    return current ?? {};
  }
}

function tell(): void {
  for (const listener of listeners) listener();
}

function onStorage({ key }: StorageEvent): void {
  if (key !== KEY && key !== null) return;
  current = read();
  tell();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
}
