import type { SecondFactorProof } from '#contract/accounts/confirmation.ts';
import type { SecondStep } from '#contract/accounts/second-factor.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import type { TextKey } from '#web/lib/translate.ts';
import { reachProblem } from '../sign-in/sign-in.ts';

/** What the sign-in of this browser waits for; null: it does not. */
export async function readSecondStep(): Promise<SecondStep | null> {
  return callApi<SecondStep | null>('/api/auth/second-factor');
}

/** Ends the sign-in with a proof of the second factor. Throws `ApiError`. */
export async function finishSecondStep(proof: SecondFactorProof): Promise<void> {
  await callApi('/api/auth/second-factor', { method: 'POST', body: proof });
}

/** The text key of a code that was refused. */
export function codeProblem(error: unknown): TextKey {
  if (error instanceof ApiError && error.code === 'code_invalid') return 'errors.code_invalid';
  return reachProblem(error) ?? 'confirmation.failed';
}
