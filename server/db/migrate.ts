import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Sql } from 'postgres';
import { connectPostgres, type Executor } from '#server/platform/database/database.ts';
import { isDeadlock } from '#server/platform/database/database-errors.ts';

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const FUNCTIONS = fileURLToPath(new URL('./functions', import.meta.url));
const LOCK = 7_273_539;
const TRIES = 5;
const OLDEST_SERVER = 150_000;

/**
 * Brings the schema of the database at `url` to the newest migration and to the functions of this program, in one transaction, and then
 * validates constraints that were added NOT VALID; several processes may call it at once. Throws, with what to do, when the server cannot
 * be reached, is older than PostgreSQL 15, or was migrated by files that are not these.
 */
export async function migrate(url: string): Promise<void> {
  const sql = connectPostgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    await requireSupportedServer(sql);
    await applyAll(sql);
    await validateConstraints(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** True when the database has every migration that this version of the program knows. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const rows = await sql<{ name: string }[]>`select name from schema_migrations`.catch(noneIfMissing);
  const applied = new Set(rows.map(({ name }) => name));
  return migrationNames().every((name) => applied.has(name));
}

/** Tries again after a deadlock: a running server may hold the tables in another order. */
async function applyAll(sql: Sql) {
  for (let tries = 1; ; tries++) {
    try {
      return await sql.begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(${LOCK})`;
        const { isChanged, isNewer } = await applyMissing(tx);
        if (isChanged || !isNewer) await applyFunctions(tx, isChanged);
      });
    } catch (error) {
      if (!isDeadlock(error) || tries === TRIES) throw error;
    }
  }
}

/** Applies the migrations that the database lacks. Answers whether there were any, and whether it has some of a newer program. */
async function applyMissing(tx: Executor): Promise<{ isChanged: boolean; isNewer: boolean }> {
  await tx`
    create table if not exists schema_migrations (
      name text primary key, hash text not null, applied_at timestamptz not null default now())`;
  const rows = await tx<{ name: string; hash: string }[]>`select name, hash from schema_migrations`;
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const names = migrationNames();
  for (const name of names) {
    const { text, hash } = readSql(MIGRATIONS, name);
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
  return {
    isChanged: names.some((name) => !applied.has(name)),
    isNewer: rows.some(({ name }) => !names.includes(name)),
  };
}

/** Applies each file of functions, views and triggers whose text is not what was applied last; all of them after a migration. */
async function applyFunctions(tx: Executor, all: boolean) {
  await tx`
    create table if not exists schema_functions (
      file text primary key, hash text not null, applied_at timestamptz not null default now())`;
  const rows = await tx<{ file: string; hash: string }[]>`select file, hash from schema_functions`;
  const applied = new Map(rows.map(({ file, hash }) => [file, hash]));
  for (const file of sqlFilesOf(FUNCTIONS)) {
    const { text, hash } = readSql(FUNCTIONS, file);
    if (!all && applied.get(file) === hash) continue;
    await tx.unsafe(text);
    await tx`
      insert into schema_functions (file, hash) values (${file}, ${hash})
      on conflict (file) do update set hash = excluded.hash, applied_at = now()`;
  }
}

/** Reads the tables without keeping anybody from writing; a constraint that is valid already costs nothing. */
async function validateConstraints(sql: Executor) {
  const rows = await sql<{ statement: string }[]>`
    select format('alter table %s %s', conrelid::regclass, string_agg(format('validate constraint %I', conname), ', ')) as statement
      from pg_constraint
     where not convalidated and contype in ('c', 'f')
       and connamespace in ('public'::regnamespace, 'credit'::regnamespace, 'billing'::regnamespace)
     group by conrelid`;
  for (const { statement } of rows) await sql.unsafe(statement);
}

/** A database without any table of ours has no migration; anything else is a fault. */
function noneIfMissing(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === '42P01') return [];
  throw error;
}

function migrationNames(): string[] {
  return sqlFilesOf(MIGRATIONS).filter((name) => /^\d{4}_\w+\.sql$/.test(name));
}

function sqlFilesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

function readSql(folder: string, name: string): { text: string; hash: string } {
  const text = readFileSync(`${folder}/${name}`, 'utf8').replaceAll('\r\n', '\n');
  return { text, hash: createHash('sha256').update(text).digest('hex') };
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
