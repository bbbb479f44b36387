import type { SecondFactor } from '#contract/accounts/second-factor.ts';
import type { Deps } from '#server/deps.ts';
import { findSecondFactor } from './second-factor-store.ts';

/** Whether the user's second factor is on, since when, and how many recovery codes are left. */
export async function readSecondFactor(
  { database }: Pick<Deps, 'database'>,
  userId: string,
): Promise<SecondFactor> {
  const factor = await findSecondFactor(database.sql, userId);
  return {
    on: factor !== null,
    since: factor?.createdAt.getTime() ?? null,
    recoveryCodesLeft: factor?.codesLeft ?? 0,
  };
}
