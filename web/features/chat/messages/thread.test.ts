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
  threadOf({ messages, siblings: {} }, choices, null).map((turn) => turn.message.id);

test('a plain conversation is shown from its beginning', () => {
  expect(ids([message('a', null, 1), message('b', 'a', 2), message('c', 'b', 3)])).toEqual(['a', 'b', 'c']);
});

test('nothing is shown of nothing', () => {
  expect(ids([])).toEqual([]);
});

test('the branch with the newest message is shown, with its siblings named', () => {
  const messages = [message('a', null, 1), message('b', 'a', 2), message('b2', 'a', 3), message('c', 'b', 4)];
  expect(ids(messages)).toEqual(['a', 'b', 'c']);
  expect(threadOf({ messages, siblings: {} }, {}, null)[1]?.siblings).toEqual(['b', 'b2']);
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
  const around = threadOf({ messages, siblings: {} }, {}, 'd');
  expect(around.map((turn) => turn.message.id)).toEqual(['c', 'd']);
  expect(ids(messages)).toEqual(['y', 'z']);
});

test('siblings are those that the server named, and those it left out or does not know yet', () => {
  const messages = [message('b1', 'a', 1), message('b8', 'a', 8), message('b9', 'a', 9)];
  const siblings = { a: ['b6', 'b7', 'b8'] };
  expect(threadOf({ messages, siblings }, {}, null)[0]?.siblings).toEqual(['b1', 'b6', 'b7', 'b8', 'b9']);
});
