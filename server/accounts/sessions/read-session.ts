import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { findUser } from '../users/store.ts';
import type { Actor } from './authenticate.ts';
import { findSession } from './session-store.ts';

/** A user as answers of `/api/auth/` show one. */
export interface SessionUser {
  id: string;
  email: string;
  emailVerified: boolean;
  name: string;
  image: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Who is signed in here, and since when; null for a visitor, whom a refusal would only alarm. */
export async function readSession({ database }: Pick<Deps, 'database'>, actor: Actor | null) {
  const session = actor && (await findSession(database.sql, actor.sessionId));
  if (!session) return null;
  const { usedAt: _, ip, ...rest } = session;
  return {
    session: { ...rest, ipAddress: ip },
    user: await readSessionUser({ database }, session.userId),
  };
}

/** Who has just signed in. Throws `unauthenticated` when the account is gone. */
export async function readSessionUser(
  { database }: Pick<Deps, 'database'>,
  userId: string,
): Promise<SessionUser> {
  const user = await findUser(database.sql, userId);
  if (!user) throw new AppError('unauthenticated');
  const { id, email, emailVerified, displayName, photoUrl, createdAt, updatedAt } = user;
  return { id, email, emailVerified, name: displayName, image: photoUrl, createdAt, updatedAt };
}
