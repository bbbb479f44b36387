import type { UserLine } from '#contract/admin/screens.ts';
import type { Deps } from '#server/deps.ts';
import { presentUser } from './present-screen.ts';
import { selectUsersBy } from './screen-store.ts';

const MAX_ROWS = 20;

/** Users by address or the beginning of one, by id, or by the number of an order. */
export async function searchUsers({ database }: Pick<Deps, 'database'>, find: string): Promise<UserLine[]> {
  return (await selectUsersBy(database.sql, find, MAX_ROWS)).map(presentUser);
}
