import { expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { threadOf } from './thread.ts';

function message(id: string, parentId: string | null, timestamp: number): Message {
  return {
    id,
    parentId,
    timestamp,
    userId: 'u',
    conversationId: 'c',
    content: id,
    response: '',
    modelType: 'parley-flash',
    creditsUsed: 15,
    status: 'completed',
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

const ids = (messages: Message[], choices = {}) =>
  threadOf({ messages, siblings: {}, around: {} }, choices, null).map((turn) => turn.message.id);

test('a plain conversation is shown from its beginning', () => {
  expect(ids([message('a', null, 1), message('b', 'a', 2), message('c', 'b', 3)])).toEqual(['a', 'b', 'c']);
});

test('nothing is shown of nothing', () => {
  expect(ids([])).toEqual([]);
});

test('the branch with the newest message is shown, with its siblings named', () => {
  const messages = [message('a', null, 1), message('b', 'a', 2), message('b2', 'a', 3), message('c', 'b', 4)];
  expect(ids(messages)).toEqual(['a', 'b', 'c']);
  expect(threadOf({ messages, siblings: {}, around: {} }, {}, null)[1]?.siblings.ids).toEqual(['b', 'b2']);
});

test("the reader's choice wins over the newest", () => {
  const messages = [message('a', null, 1), message('b', 'a', 2), message('b2', 'a', 3), message('c', 'b', 4)];
  expect(ids(messages, { a: 'b2' })).toEqual(['a', 'b2']);
});

test('a retried first message stands in the place of the failed one', () => {
  const messages = [message('a', null, 1), message('a2', null, 2)];
  expect(ids(messages)).toEqual(['a2']);
  expect(ids(messages, { '': 'a' })).toEqual(['a']);
});

test('a page whose older part is not loaded begins at its oldest message', () => {
  expect(ids([message('y', 'x', 5), message('z', 'y', 6)])).toEqual(['y', 'z']);
});

test('a branch of 2,000 messages is shown whole', () => {
  const messages = Array.from({ length: 2000 }, (_, place) =>
    message(`m${place}`, place === 0 ? null : `m${place - 1}`, place),
  );
  expect(ids(messages)).toHaveLength(2000);
});

test('around a message that was jumped to, what is loaded apart from it is left out', () => {
  const messages = [message('c', 'b', 3), message('d', 'c', 4), message('y', 'x', 8), message('z', 'y', 9)];
  const around = threadOf({ messages, siblings: {}, around: {} }, {}, 'd');
  expect(around.map((turn) => turn.message.id)).toEqual(['c', 'd']);
  expect(ids(messages)).toEqual(['y', 'z']);
});

test('siblings are those that the server named, and those loaded that it did not know yet', () => {
  const messages = [message('b1', 'a', 1), message('b8', 'a', 8), message('b9', 'a', 9)];
  const siblings = { a: { ids: ['b6', 'b7', 'b8'], older: 0, newer: 0 } };
  expect(threadOf({ messages, siblings, around: {} }, {}, null)[0]?.siblings).toEqual({
    ids: ['b1', 'b6', 'b7', 'b8', 'b9'],
    older: 0,
    newer: 0,
  });
});

test('of many siblings each message has those around it, also after another one was shown', () => {
  const messages = [message('b15', 'a', 15), message('b30', 'a', 30)];
  const newest = { ids: ['b29', 'b30'], older: 28, newer: 0 };
  const middle = { ids: ['b14', 'b15', 'b16'], older: 13, newer: 14 };
  const known = { messages, siblings: { a: middle }, around: { b15: middle, b30: newest } };
  expect(threadOf(known, {}, null)[0]?.siblings).toEqual(newest);
  expect(threadOf(known, { a: 'b15' }, null)[0]?.siblings).toEqual(middle);
});
