import type { FailuresScreen } from '#contract/admin/screens.ts';
import type { Deps } from '#server/deps.ts';
import { type FailureCursor, selectFailures } from './screen-store.ts';

const PAGE = 50;

/** Answers that did not come, the newest first. */
export async function listFailures(
  { database }: Pick<Deps, 'database'>,
  cursor: FailureCursor | null,
): Promise<FailuresScreen> {
  const rows = await selectFailures(database.sql, { before: cursor, limit: PAGE + 1 });
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    failures: shown.map(({ micros: _, endedAt, ...failure }) => ({ ...failure, endedAt: endedAt.getTime() })),
    nextCursor: last && rows.length > PAGE ? `${last.micros}_${last.messageId}` : null,
  };
}
