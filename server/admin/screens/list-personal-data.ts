import type { PersonalDataScreen } from '#contract/admin/screens.ts';
import type { Deps } from '#server/deps.ts';
import { selectDeletions, selectExports } from './screen-store.ts';

const MAX_ROWS = 200;

/** Exports and deletions that are due, the oldest first. */
export async function listPersonalData({ database }: Pick<Deps, 'database'>): Promise<PersonalDataScreen> {
  const exports = await selectExports(database.sql, MAX_ROWS);
  const deletions = await selectDeletions(database.sql, MAX_ROWS);
  return {
    exports: exports.map(({ requestedAt, ...row }) => ({ ...row, requestedAt: requestedAt.getTime() })),
    deletions: deletions.map(({ askedAt, nextTryAt, ...row }) => ({
      ...row,
      askedAt: askedAt.getTime(),
      nextTryAt: nextTryAt.getTime(),
    })),
  };
}
