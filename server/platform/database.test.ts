import { eq } from 'drizzle-orm';
import { pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { newId } from './ids.ts';

const notes = pgTable('notes', {
  id: uuid('id').primaryKey(),
  at: timestamp('at', { withTimezone: true }).notNull(),
});

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.sql`create table notes (id uuid primary key, at timestamptz not null, body jsonb)`;
});
afterAll(() => test.drop());

it('keeps times and JSON as postgres.js reads and writes them, beside Drizzle on the same pool', async () => {
  const { sql, orm } = test.database;
  const row = { id: newId(), at: new Date(1_700_000_000_123), body: { text: '你好', list: [1, null] } };
  await sql`insert into notes values (${row.id}, ${row.at}, ${sql.json(row.body)})`;
  expect([...(await sql`select * from notes where id = ${row.id}`)]).toEqual([row]);
  expect(await orm.select().from(notes).where(eq(notes.id, row.id))).toEqual([{ id: row.id, at: row.at }]);

  const other = { id: newId(), at: row.at };
  await orm.transaction((tx) => tx.insert(notes).values(other));
  expect([...(await sql`select id, at from notes where id = ${other.id}`)]).toEqual([other]);
});
