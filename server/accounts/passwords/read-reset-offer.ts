import type { ResetOffer } from '#contract/accounts.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { findSecondFactor } from '../second-factor/second-factor-store.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { selectWays } from '../users/access-store.ts';
import { findMailedProof } from '../users/mailed-proof-store.ts';
import { findUser } from '../users/store.ts';

/** What is younger may be a thief's: the notice may have been overlooked for so long. */
const RECENT_MS = 30 * DAY_MS;

/** What the holder of a reset link may decide. Throws `reset_link_invalid`. */
export async function readResetOffer(
  { database: { sql }, clock }: Pick<Deps, 'database' | 'clock'>,
  token: string,
): Promise<ResetOffer> {
  const now = clock.now();
  const proof = await findMailedProof(sql, 'reset-password', hashProof(token), now);
  const user = proof && (await findUser(sql, proof.userId));
  if (!user) throw new AppError('reset_link_invalid');
  if (!user.emailVerified) return { ways: [], secondFactorSince: null, everything: true };
  const ways = await selectWays(sql, user.id);
  const factor = await findSecondFactor(sql, user.id);
  return {
    ways: ways.map(({ createdAt, ...way }) => ({
      ...way,
      createdAt: createdAt.getTime(),
      recent: createdAt.getTime() > now.getTime() - RECENT_MS,
    })),
    secondFactorSince: factor ? factor.createdAt.getTime() : null,
    everything: false,
  };
}
