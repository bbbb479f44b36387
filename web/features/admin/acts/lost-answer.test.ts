import { expect, it } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import { ApiError } from '#web/lib/api.ts';
import { isAnswer, isRefusal, wasLookedAt } from './lost-answer.ts';

const refusal = (code: ErrorCode) => new ApiError(code, {}, ERROR_STATUS[code]);

it.each([
  ['no answer came', new ApiError('network'), false, false, false],
  ['a proxy answered', new ApiError('unavailable', {}, 503), false, false, false],
  ['the server failed', refusal('internal'), false, false, false],
  ['something else was thrown', new Error('odd'), false, false, false],
  ['a provider failed', refusal('payment_provider_failed'), true, false, true],
  ['it is under way', refusal('act_under_way'), true, false, true],
  ['another one decided', refusal('proposal_decided'), true, true, true],
  ['the session has ended', refusal('unauthenticated'), true, true, false],
  ['a fresh proof is wanted', refusal('confirmation_required'), true, true, false],
  ['too much was asked', refusal('rate_limited'), true, true, false],
])('where %s, the server knows why: %#, and nothing was done', (_, error, answered, refused, lookedAt) => {
  expect([isAnswer(error), isRefusal(error), wasLookedAt(error)]).toEqual([answered, refused, lookedAt]);
});
