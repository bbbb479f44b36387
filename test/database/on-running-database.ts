import type { Sql } from 'postgres';
import { openConnection } from '#server/admin/copies/open-connection.ts';
import { reachPostgres } from '#server/platform/postgres/reach-postgres.ts';

/** Runs statements on the embedded database of a server that uses `dataDir`. */
export async function onRunningDatabase<T>(dataDir: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const postgres = await reachPostgres(dataDir);
  try {
    return await openConnection(postgres.url, use);
  } finally {
    await postgres.close();
  }
}
