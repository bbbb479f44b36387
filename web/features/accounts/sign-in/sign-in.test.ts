import { expect, it } from 'vitest';
import { ApiError } from '#web/lib/api.ts';
import { reachProblem, signInProblem } from './sign-in.ts';

it('an account that is being deleted is named as such at every way in, and not as a fault of ours', () => {
  const error = new ApiError('account_leaving', {}, 403);
  expect([signInProblem(error), reachProblem(error)]).toEqual([
    'errors.account_leaving',
    'errors.account_leaving',
  ]);
  expect(signInProblem(new ApiError('internal'))).toBe('account.loginBroken');
});
