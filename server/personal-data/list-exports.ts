import type { DataExport } from '#contract/personal-data.ts';
import type { Deps } from '#server/deps.ts';
import { selectExports } from './export-store.ts';
import { presentExport } from './present-export.ts';

const MOST = 5;

/** The caller's last exports, newest first. */
export async function listExports(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
): Promise<DataExport[]> {
  return (await selectExports(database.sql, userId, clock.now(), MOST)).map(presentExport);
}
