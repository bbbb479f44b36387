import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { verifyPassword } from './hash-password.ts';
import { forgetSignIns, limitSignIns } from './limit-sign-ins.ts';
import { findPassword } from './verification-store.ts';

/**
 * Makes sure that whoever sits at a signed-in browser knows its password; tries count like those to sign in.
 * Throws `invalid_credentials`, also for somebody without a password, and `rate_limited`.
 */
export async function verifyOwnPassword(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  userId: string,
  password: string,
  address: string,
): Promise<void> {
  const user = await findPassword(deps.database.sql, userId);
  if (!user) throw new AppError('invalid_credentials');
  await limitSignIns(deps, user.email, address);
  if (!(await verifyPassword(user.hash, password, deps.config.hashing)))
    throw new AppError('invalid_credentials');
  await forgetSignIns(deps, user.email, address);
}
