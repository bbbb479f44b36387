import { expect, it } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import { ApiError } from '#web/lib/api.ts';
import { mayPass } from './may-pass.ts';

const refusal = (code: ErrorCode) => new ApiError(code, {}, ERROR_STATUS[code]);

it('trying again can help where no answer came, where the server failed, and where one has to wait', () => {
  expect(mayPass(new ApiError('network'))).toBe(true);
  for (const code of [
    'internal',
    'unavailable',
    'payment_provider_failed',
    'rate_limited',
    'act_under_way',
  ] as const)
    expect([code, mayPass(refusal(code))]).toEqual([code, true]);
});

it('trying again does not help where something was refused', () => {
  for (const code of [
    'not_found',
    'not_configured',
    'insufficient_credits',
    'own_proposal',
    'invalid_request',
  ] as const)
    expect([code, mayPass(refusal(code))]).toEqual([code, false]);
});
