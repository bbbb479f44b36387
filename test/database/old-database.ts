import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './database.ts';

const FOLDER = join(import.meta.dirname, '../../server/db/migrations');

/** A database with nothing in it, not even migrations. */
export async function createEmptyDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const test = await createTestDatabase(options);
  await test.database.sql`drop schema public, credit, billing cascade`;
  await test.database.sql`create schema public`;
  return test;
}

/** Brings an empty database to the migration `last`, as the version did that had it: each by itself and no functions after them. */
export async function migrateTo(sql: Sql, last: string): Promise<void> {
  await sql`create table schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`;
  for (const name of readdirSync(FOLDER).sort()) {
    if (name.slice(0, 4) > last) return;
    const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll('\r\n', '\n');
    await sql.unsafe(text);
    const hash = createHash('sha256').update(text).digest('hex');
    await sql`insert into schema_migrations (name, hash) values (${name}, ${hash})`;
  }
}
