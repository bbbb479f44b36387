import type { Deps } from '#server/deps.ts';
import { userTopic } from '#server/platform/bus.ts';
import { findUser } from './store.ts';

/** Tells every open tab of a user what the user is called and looks like now. */
export async function publishProfile(
  { database, bus }: Pick<Deps, 'database' | 'bus'>,
  userId: string,
): Promise<void> {
  const user = await findUser(database.sql, userId);
  if (!user) return;
  const { displayName, photoUrl: photoURL } = user;
  bus.publish(userTopic(userId), { type: 'profile', displayName, photoURL });
}
