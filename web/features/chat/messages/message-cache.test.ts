import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Message, MessagePage } from '#contract/chat.ts';
import { mergeLatest, mergeOlder, messagesKey, putMessage } from './message-cache.ts';

function message(id: string, timestamp: number, status: Message['status'] = 'completed'): Message {
  return {
    id,
    timestamp,
    status,
    parentId: null,
    userId: 'u',
    conversationId: 'c',
    content: id,
    response: status === 'running' ? '' : 'answer',
    modelType: 'parley-flash',
    creditsUsed: 15,
    error: null,
    modelVersion: null,
    contextTrimmed: false,
    upstreamSwitched: false,
    cost: 15,
    usage: null,
    finishReason: null,
    firstTextMs: null,
    endedAt: null,
  };
}

const page = (messages: Message[], nextCursor: string | null = null): MessagePage => ({
  messages,
  nextCursor,
});
const ids = ({ messages }: MessagePage) => messages.map(({ id }) => id);

test('an ended message is never put back to running by a page that was read earlier', () => {
  const merged = mergeLatest(page([message('a', 1)]), page([message('a', 1, 'running')]));
  expect(merged.messages[0]?.status).toBe('completed');
});

test('a message that arrived while the page was read stays, in its place in time', () => {
  const merged = mergeLatest(
    page([message('a', 1), message('c', 3, 'running')]),
    page([message('a', 1), message('b', 2)]),
  );
  expect(ids(merged)).toEqual(['a', 'b', 'c']);
});

test('older messages already loaded stay before a latest page that overlaps them', () => {
  const known = page([message('a', 1), message('b', 2), message('c', 3)], 'a');
  const merged = mergeLatest(known, page([message('c', 3), message('d', 4)], 'c'));
  expect(ids(merged)).toEqual(['a', 'b', 'c', 'd']);
  expect(merged.nextCursor).toBe('a');
});

test('older messages are let go when the latest page no longer reaches them', () => {
  const merged = mergeLatest(page([message('a', 1)], null), page([message('x', 8), message('y', 9)], 'x'));
  expect(ids(merged)).toEqual(['x', 'y']);
  expect(merged.nextCursor).toBe('x');
});

test('unchanged messages keep their identity', () => {
  const known = page([message('a', 1)]);
  const merged = mergeLatest(known, page([message('a', 1)]));
  expect(merged.messages[0]).toBe(known.messages[0]);
});

test('a page of older messages comes first and moves the cursor', () => {
  const merged = mergeOlder(page([message('b', 2)], 'b'), page([message('a', 1)], null));
  expect(ids(merged)).toEqual(['a', 'b']);
  expect(merged.nextCursor).toBeNull();
});

test('a message is written only into a conversation that is open', () => {
  const client = new QueryClient();
  expect(putMessage(client, message('a', 1))).toBe(false);
  client.setQueryData(messagesKey('c'), page([]));
  expect(putMessage(client, message('a', 1))).toBe(true);
  expect(ids(client.getQueryData<MessagePage>(messagesKey('c')) ?? page([]))).toEqual(['a']);
});
