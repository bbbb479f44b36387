import { expect, it } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { isMigrated, migrate } from './migrate.ts';

it.each([18, 15] as const)(
  'brings an empty PostgreSQL %i to the newest schema once, whoever asks',
  async (version) => {
    const test = await createTestDatabase({ version });
    const { sql } = test.database;
    await sql`drop schema public cascade`;
    await sql`drop schema credit cascade`;
    await sql`drop schema drizzle cascade`;
    await sql`create schema public`;
    await Promise.all([migrate(test.url), migrate(test.url), migrate(test.url)]);
    expect(await isMigrated(sql)).toBe(true);
    const applied = await sql`select hash from drizzle.__drizzle_migrations`;
    await migrate(test.url);
    expect((await sql`select hash from drizzle.__drizzle_migrations`).length).toBe(applied.length);
    await sql`delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;
    expect(await isMigrated(sql)).toBe(false);
    await test.drop();
  },
);
