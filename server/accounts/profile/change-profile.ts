import type { ChangeProfile } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { requireName } from '#server/platform/clean-text.ts';
import { userTopic } from '#server/platform/database/bus.ts';
import { findUser, updateProfile } from '../users/store.ts';

/** Changes the caller's name or the language in which they are written to. Throws `invalid_request` for a name of nothing. */
export async function changeProfile(
  deps: Pick<Deps, 'database' | 'bus'>,
  userId: string,
  { displayName, language }: ChangeProfile,
): Promise<void> {
  const name = displayName === undefined ? null : requireName(displayName, 'displayName');
  await updateProfile(deps.database.sql, userId, { name, language: language ?? null });
  if (name !== null) await publishProfile(deps, userId);
}

/** Notifies every open tab of a user of the name and picture as they are now. */
export async function publishProfile(
  { database, bus }: Pick<Deps, 'database' | 'bus'>,
  userId: string,
): Promise<void> {
  const user = await findUser(database.sql, userId);
  if (!user) return;
  const { displayName, photoUrl: photoURL } = user;
  bus.publish(userTopic(userId), { type: 'profile', displayName, photoURL });
}
