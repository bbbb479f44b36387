import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import { connectPostgres, type Executor } from '#server/platform/database.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
const LOCK = 7_273_539;
const OLDEST_SERVER = 150_000;

/**
 * Brings the schema of the database at `url` to the newest migration, in one transaction; several processes may call it
 * at once. Throws, with what to do, when the server cannot be reached or is older than PostgreSQL 15.
 */
export async function migrate(url: string): Promise<void> {
  const sql = connectPostgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    await requireSupportedServer(sql);
    await sql`select pg_advisory_lock(${LOCK})`;
    await runMigrations(drizzle(sql), { migrationsFolder: FOLDER });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Does the database have every migration that this version of the program knows. */
export async function isMigrated(sql: Executor): Promise<boolean> {
  const [row] = await sql<{ newest: string | null }[]>`
    select max(created_at) as newest from drizzle.__drizzle_migrations`;
  return Number(row?.newest ?? 0) >= newestMigration();
}

function newestMigration(): number {
  const journal: { entries: { when: number }[] } = JSON.parse(
    readFileSync(`${FOLDER}/meta/_journal.json`, 'utf8'),
  );
  return Math.max(...journal.entries.map((entry) => entry.when));
}

async function requireSupportedServer(sql: Executor) {
  const asked = sql<{ version: string }[]>`select current_setting('server_version_num') as version`;
  const [row] = await asked.catch((error: Error) => {
    const reason = error.message;
    throw new Error(
      `连不上数据库（${reason}），请检查 DATABASE_URL。The database cannot be reached (${reason}); check DATABASE_URL.`,
      { cause: error },
    );
  });
  const version = Number(row?.version);
  if (version >= OLDEST_SERVER) return;
  const major = Math.floor(version / 10_000);
  throw new Error(
    `DATABASE_URL 指向 PostgreSQL ${major}，需要 15 或更新版本。DATABASE_URL points to PostgreSQL ${major}; 15 or newer is needed.`,
  );
}
