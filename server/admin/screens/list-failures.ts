import { z } from 'zod';
import type { FailuresScreen } from '#contract/admin/screens.ts';
import type { Deps } from '#server/deps.ts';
import { type FailureCursor, selectFailures } from './screen-store.ts';

const PAGE = 50;

/** How a page says where the next one begins. */
export const failureCursorSchema = z
  .string()
  .regex(/^\d{1,18}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  .transform((cursor): FailureCursor => {
    const [micros = '', id = ''] = cursor.split('_');
    return { micros, id };
  });

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
