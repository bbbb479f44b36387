import type { Sql } from 'postgres';
import { connectPostgres } from '#server/platform/database/database.ts';

/** One connection to the database at `url` without a limit of time, closed when `use` is done. */
export async function openConnection<T>(url: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connectPostgres(url, {
    max: 1,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: 'parley copy', timezone: 'UTC' },
  });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
