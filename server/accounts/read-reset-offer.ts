import type { ResetOffer } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { hashProof } from './hash-proof.ts';
import { selectKeys } from './key-store.ts';
import { findUser } from './store.ts';
import { findResetToken } from './verification-store.ts';

/** What whoever holds a reset link may decide. Throws `reset_link_invalid`. */
export async function readResetOffer(
  { database: { sql }, clock }: Pick<Deps, 'database' | 'clock'>,
  token: string,
): Promise<ResetOffer> {
  const userId = await findResetToken(sql, hashProof(token), clock.now());
  const user = userId === null ? null : await findUser(sql, userId);
  if (!user) throw new AppError('reset_link_invalid');
  return { keys: user.emailVerified ? (await selectKeys(sql, user.id)).length : 0 };
}
