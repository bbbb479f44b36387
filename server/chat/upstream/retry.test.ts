import { expect, test } from 'vitest';
import { createRetryPolicy } from './retry.ts';
import { UpstreamError } from './transport/upstream-error.ts';

const busy = (retryAfterMs: number | null) => new UpstreamError('rate', 'busy', { retryAfterMs });
const broken = new UpstreamError('overloaded', 'broken');

test('a busy provider is asked twice more, after what it says', () => {
  const policy = createRetryPolicy(() => 0);
  expect(policy.next(busy(700), 30_000)).toBe(700);
  expect(policy.next(busy(900), 29_000)).toBe(900);
  expect(policy.next(busy(10), 28_000)).toBeNull();
});

test('a busy provider that does not say when is waited for longer each time', () => {
  const policy = createRetryPolicy(() => 1);
  expect(policy.next(busy(null), 30_000)).toBe(1_500);
  expect(policy.next(busy(null), 30_000)).toBe(3_000);
});

test('a wait that leaves no time for an answer is not begun', () => {
  expect(createRetryPolicy().next(busy(29_500), 30_000)).toBeNull();
});

test('a broken or unreachable provider is asked once more, together', () => {
  const policy = createRetryPolicy(() => 0);
  expect(policy.next(broken, 30_000)).toBe(250);
  expect(policy.next(new UpstreamError('connect', 'refused'), 30_000)).toBeNull();
});

test.each([
  'auth',
  'balance',
  'fetch',
  'blocked',
  'empty',
  'truncated',
  'parse',
  'timeout',
  'aborted',
] as const)('%s is never tried again', (kind) => {
  expect(createRetryPolicy().next(new UpstreamError(kind, kind), 30_000)).toBeNull();
});
