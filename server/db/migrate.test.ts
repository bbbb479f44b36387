import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { isMigrated, migrate } from './migrate.ts';

describe.for([18, 15] as const)('on PostgreSQL %i', (version) => {
  it('an empty database is brought to the newest schema once, whoever asks', async () => {
    const test = await createTestDatabase({ version });
    const { sql } = test.database;
    await sql`drop schema public, credit, billing cascade`;
    await sql`create schema public`;
    await Promise.all([migrate(test.url), migrate(test.url), migrate(test.url)]);
    expect(await isMigrated(sql)).toBe(true);
    const applied = await sql`select * from schema_migrations order by name`;
    expect(applied.length).toBeGreaterThanOrEqual(4);
    await migrate(test.url);
    expect([...(await sql`select * from schema_migrations order by name`)]).toEqual([...applied]);
    await test.drop();
  });
});

it('a database that lacks a migration is not ready, and one that has more is', async () => {
  const test = await createTestDatabase();
  const { sql } = test.database;
  await sql`insert into schema_migrations (name, hash) values ('9999_later.sql', '')`;
  expect(await isMigrated(sql)).toBe(true);
  await migrate(test.url);
  await sql`delete from schema_migrations where name like '0003%'`;
  expect(await isMigrated(sql)).toBe(false);
  await test.drop();
});

it('a migration that was changed after it had been applied is refused, and nothing is done', async () => {
  const test = await createTestDatabase();
  await test.database.sql`update schema_migrations set hash = 'other' where name = '0000_accounts.sql'`;
  await expect(migrate(test.url)).rejects.toThrow('0000_accounts.sql was changed');
  await test.drop();
});
