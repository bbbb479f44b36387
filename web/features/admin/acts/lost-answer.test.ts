import { expect, it } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import { ApiError } from '#web/lib/api.ts';
import { isAnswer, isRefusal } from './lost-answer.ts';

const refusal = (code: ErrorCode) => new ApiError(code, {}, ERROR_STATUS[code]);

it.each([
  ['no answer came', new ApiError('network'), false, false],
  ['a proxy answered', new ApiError('unavailable', {}, 503), false, false],
  ['the server failed', refusal('internal'), false, false],
  ['something else was thrown', new Error('odd'), false, false],
  ['a provider failed', refusal('payment_provider_failed'), true, false],
  ['it is under way', refusal('act_under_way'), true, false],
  ['another one decided', refusal('proposal_decided'), true, true],
])('where %s, the server knows why: %#, and nothing was done', (_, error, answered, refused) => {
  expect([isAnswer(error), isRefusal(error)]).toEqual([answered, refused]);
});
