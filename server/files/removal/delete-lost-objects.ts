import { DAY_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { firstIdAt } from '#server/platform/ids.ts';
import { selectKnownObjects } from './removal-store.ts';

/** Far longer than a piece takes from its object to its row: a database restored from a backup does not know what was stored since. */
export const MIN_AGE_MS = 28 * DAY_MS;
const AT_ONCE = 500;
/** As pieces are named: the id of a file, then one of its own. Anything else in the bucket is not ours. */
const OURS = /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/;

/**
 * Deletes objects that are pieces of no file: what a crash between an object and its row left. `ageMs`: of files that were begun at
 * most so long ago, which is where the names of objects end; null: of all there are. Returns how many there were.
 */
export async function deleteLostObjects(
  { database, clock, storages }: Pick<Deps, 'database' | 'clock' | 'storages'>,
  ageMs: number | null = null,
): Promise<number> {
  const storage = storages.current;
  const before = clock.now().getTime() - MIN_AGE_MS;
  const after = ageMs === null ? '' : firstIdAt(new Date(clock.now().getTime() - ageMs));
  let waiting: string[] = [];
  let deleted = 0;
  const check = async () => {
    const known = await selectKnownObjects(database.sql, waiting);
    for (const name of waiting.filter((one) => !known.has(one))) {
      await storage.delete(name);
      deleted += 1;
    }
    waiting = [];
  };
  for await (const { name, putAt } of storage.list('', after)) {
    if (OURS.test(name) && putAt.getTime() < before) waiting.push(name);
    if (waiting.length >= AT_ONCE) await check();
  }
  if (waiting.length > 0) await check();
  return deleted;
}
