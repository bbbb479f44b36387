import { describe, expect, test } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import { judgeQueue } from './judge-queue.ts';

const NOW = 1_000_000_000;
const QUEUE = { after: 'a', items: [{ id: 'b', content: 'Next', model: 'm', cost: 15, at: NOW - 60_000 }] };
const MODEL = { id: 'm', cost: 15, allowed: true } as CatalogueModel;
const ended = (over: Partial<Message> = {}) =>
  ({ id: 'a', status: 'completed', finishReason: 'stop', ...over }) as Message;
const KNOWN = {
  before: ended(),
  isExpected: false,
  model: MODEL,
  credits: 15,
  isPaused: false,
  isRefused: false,
  now: NOW,
};

describe('the first message of a queue', () => {
  test.each([
    ['goes when the answer before it ended well', {}, 'send'],
    ['waits while that runs', { before: ended({ status: 'running' }) }, 'wait'],
    ['waits while that is on its way or being read', { before: undefined, isExpected: true }, 'wait'],
    ['is kept back when that was stopped', { before: ended({ status: 'stopped' }) }, 'ended'],
    ['is kept back when that failed', { before: ended({ status: 'failed' }) }, 'ended'],
    ['is kept back when that was interrupted', { before: ended({ status: 'interrupted' }) }, 'ended'],
    ['is kept back when that reached its length', { before: ended({ finishReason: 'length' }) }, 'ended'],
    ['is kept back when that is not there', { before: undefined }, 'ended'],
    ['is kept back at a higher price', { model: { ...MODEL, cost: 16 } }, 'price'],
    ['goes at a lower one', { model: { ...MODEL, cost: 14 } }, 'send'],
    ['is kept back when its model is not allowed any more', { model: { ...MODEL, allowed: false } }, 'price'],
    ['is kept back while its model is paused', { model: { ...MODEL, paused: true } }, 'model'],
    ['is kept back without the credits for it', { credits: 14 }, 'credits'],
    ['waits until prices are known', { model: undefined }, 'wait'],
    ['waits while nothing may be sent', { isPaused: true }, 'wait'],
    ['is kept back once it was refused', { isRefused: true }, 'refused'],
    ['is kept back after an hour', { now: NOW + 3_600_000 }, 'stale'],
  ] as const)('%s', (_, over, verdict) => {
    expect(judgeQueue(QUEUE, { ...KNOWN, ...over })).toBe(verdict);
  });
});
