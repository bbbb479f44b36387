import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { BranchPage, Message } from '#contract/chat.ts';
import {
  type KnownMessages,
  mergeNewest,
  mergePage,
  messagesKey,
  NOTHING_KNOWN,
  putMessage,
} from './message-cache.ts';

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
    quote: { max: 0, lines: [] },
    charged: null,
    usage: null,
    finishReason: null,
    firstTextMs: null,
    endedAt: null,
  };
}

const page = (messages: Message[], rest: Partial<BranchPage> = {}): BranchPage => ({
  messages,
  olderCursor: null,
  newerCursor: null,
  leafId: messages.at(-1)?.id ?? null,
  siblings: {},
  siblingsBeyond: {},
  ...rest,
});
const known = (...messages: Message[]): KnownMessages => mergePage(NOTHING_KNOWN, page(messages));
const ids = ({ messages }: KnownMessages) => messages.map(({ id }) => id);

test('an ended message is never put back to running by a page that was read earlier', () => {
  const merged = mergeNewest(known(message('a', 1)), page([message('a', 1, 'running')]));
  expect(merged.messages[0]?.status).toBe('completed');
});

test('a message that arrived while the page was read stays, in its place in time, and is still an end', () => {
  const merged = mergeNewest(
    known(message('a', 1), message('c', 3, 'running')),
    page([message('a', 1), message('b', 2)]),
  );
  expect(ids(merged)).toEqual(['a', 'b', 'c']);
  expect(merged.leaves).toEqual(['c', 'b']);
});

test('what was the end may have something below it when the newest page is read again', () => {
  const merged = mergeNewest(known(message('a', 1)), page([message('x', 8), message('y', 9)]));
  expect(ids(merged)).toEqual(['a', 'x', 'y']);
  expect(merged.leaves).toEqual(['y']);
});

test('a page whose branch goes on below it has no end', () => {
  const merged = mergePage(
    known(message('z', 9)),
    page([message('b', 2)], { newerCursor: 'b', leafId: 'z' }),
  );
  expect(ids(merged)).toEqual(['b', 'z']);
  expect(merged.leaves).toEqual(['z']);
});

test('the siblings of a message are kept under what they have in common', () => {
  const merged = mergePage(NOTHING_KNOWN, page([message('b', 2)], { siblings: { b: ['a', 'b'] } }));
  expect(merged.siblings).toEqual({ '': { ids: ['a', 'b'], older: 0, newer: 0 } });
  expect(merged.around).toEqual({});
});

test('unchanged messages keep their identity', () => {
  const before = known(message('a', 1));
  expect(mergeNewest(before, page([message('a', 1)])).messages[0]).toBe(before.messages[0]);
});

test('a message is written only into a conversation that is open, as an end while it is new', () => {
  const client = new QueryClient();
  expect(putMessage(client, message('a', 1))).toBe(false);
  client.setQueryData(messagesKey('c'), NOTHING_KNOWN);
  expect(putMessage(client, message('a', 1, 'running'))).toBe(true);
  expect(putMessage(client, message('a', 1))).toBe(true);
  expect(client.getQueryData<KnownMessages>(messagesKey('c'))).toMatchObject({
    messages: [{ id: 'a', status: 'completed' }],
    leaves: ['a'],
  });
});
