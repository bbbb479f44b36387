import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connectPostgres, type Executor } from '#server/platform/database.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
const LOCK = 7_273_539;
const OLDEST_SERVER = 150_000;

/**
 * Brings the schema of the database at `url` to the newest migration, in one transaction; several processes may call it
 * at once. Throws, with what to do, when the server cannot be reached, is older than PostgreSQL 15, or was migrated by
 * files that are not these.
 */
export async function migrate(url: string): Promise<void> {
  const sql = connectPostgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    await requireSupportedServer(sql);
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${LOCK})`;
      await applyMissing(tx);
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Does the database have every migration that this version of the program knows. */
export async function isMigrated(sql: Executor): Promise<boolean> {
  const rows = await sql<{ name: string }[]>`select name from schema_migrations`;
  const applied = new Set(rows.map(({ name }) => name));
  return migrationNames().every((name) => applied.has(name));
}

async function applyMissing(tx: Executor) {
  await tx`
    create table if not exists schema_migrations (
      name text primary key, hash text not null, applied_at timestamptz not null default now())`;
  const rows = await tx<{ name: string; hash: string }[]>`select name, hash from schema_migrations`;
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  for (const name of migrationNames()) {
    const text = readFileSync(`${FOLDER}/${name}`, 'utf8').replaceAll('\r\n', '\n');
    const hash = createHash('sha256').update(text).digest('hex');
    const known = applied.get(name);
    if (known === undefined) {
      await tx.unsafe(text);
      await tx`insert into schema_migrations (name, hash) values (${name}, ${hash})`;
    } else if (known !== hash) {
      throw new Error(
        `迁移 ${name} 在执行之后又被改过，数据库与程序不符。The migration ${name} was changed after it had been applied; the database does not fit this program.`,
      );
    }
  }
}

function migrationNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort();
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
