import type { DataExport } from '#contract/personal-data.ts';
import type { Deps } from '#server/deps.ts';
import type { ExportRow } from './export-store.ts';
import { selectExports } from './export-store.ts';

/** More than can fail in the week for which a ready one is kept, so that it is among them. */
const MAX_ROWS = 50;

/** The caller's last exports, newest first. */
export async function listExports(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
): Promise<DataExport[]> {
  return (await selectExports(database.sql, userId, clock.now(), MAX_ROWS)).map(presentExport);
}

/** An export as its user sees it. */
export function presentExport({ id, state, requestedAt, size, expiresAt }: ExportRow): DataExport {
  return {
    id,
    state,
    requestedAt: requestedAt.getTime(),
    size,
    expiresAt: expiresAt?.getTime() ?? null,
  };
}
