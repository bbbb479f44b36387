import type { Sql } from 'postgres';
import { connectPostgres } from '#server/platform/database/database.ts';

/** One connection to the database at `url` without a limit of time, closed when `use` is done. Throws where there is none. */
export async function openConnection<T>(url: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connectPostgres(url, {
    max: 1,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: 'parley copy', timezone: 'UTC' },
  });
  try {
    await sql`select`.catch(({ message }: Error) => {
      throw new Error(
        `连不上数据库（${message}），请检查 DATABASE_URL。\nThe database cannot be reached (${message}); check DATABASE_URL.`,
      );
    });
    return await use(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
