import type { DisputesScreen } from '#contract/admin/screens.ts';
import type { Deps } from '#server/deps.ts';
import { selectLosses } from './screen-store.ts';

const LIMIT = 200;

/** Charges of which credits are to be taken back: open disputes first, then the newest. */
export async function listLosses({ database }: Pick<Deps, 'database'>): Promise<DisputesScreen> {
  const rows = await selectLosses(database.sql, LIMIT);
  return { losses: rows.map(({ isDisputed, ...loss }) => ({ ...loss, isOpen: isDisputed })) };
}
