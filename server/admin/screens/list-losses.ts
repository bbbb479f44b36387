import { z } from 'zod';
import type { DisputesScreen } from '#contract/admin/screens.ts';
import type { Deps } from '#server/deps.ts';
import { type LossCursor, selectLosses } from './screen-store.ts';

const PAGE = 50;

/** How a page says where the next one begins. */
export const lossCursorSchema = z
  .string()
  .regex(/^(open|closed)_\d{1,18}$/)
  .transform((cursor): LossCursor => {
    const [state = '', id = ''] = cursor.split('_');
    return { isOpen: state === 'open', id };
  });

/** Charges of which credits are to be taken back, page by page: open disputes first, then the newest. */
export async function listLosses(
  { database }: Pick<Deps, 'database'>,
  cursor: LossCursor | null,
): Promise<DisputesScreen> {
  const rows = await selectLosses(database.sql, { before: cursor, limit: PAGE + 1 });
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    losses: shown.map(({ id: _, ...loss }) => loss),
    nextCursor: last && rows.length > PAGE ? `${last.isOpen ? 'open' : 'closed'}_${last.id}` : null,
  };
}
