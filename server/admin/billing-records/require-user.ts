import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type AdminUser, findUserBy } from './store.ts';

/** A user by address or id, or by the number of an order. Throws `not_found`. */
export async function requireUser({ database }: Pick<Deps, 'database'>, key: string): Promise<AdminUser> {
  const user = await findUserBy(database.sql, key);
  if (!user) throw new AppError('not_found');
  return user;
}
