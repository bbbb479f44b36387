import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import { connectPostgres } from '#server/platform/database.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
const LOCK = 7_273_539;

/** Brings the schema of the database at `url` to the newest migration, in one transaction; several processes may call it at once. */
export async function migrate(url: string): Promise<void> {
  const sql = connectPostgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_advisory_lock(${LOCK})`;
    await runMigrations(drizzle(sql), { migrationsFolder: FOLDER });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
