import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import { plantConversations } from '#test/chat/many-messages.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { countRowsRead } from '#test/database/rows-read.ts';
import { insertUser } from '#test/factories.ts';
import {
  deleteNewestMessages,
  lockMarked,
  markTemporary,
  selectAllConversations,
  unmarkDeleted,
} from '../message-store/conversation-store.ts';
import { deleteOldConversations } from './delete-old-conversations.ts';

let test: TestDatabase;
let sql: Sql;
let heavy: string;
let light: string;
let long: string;
beforeAll(async () => {
  test = await createTestDatabase();
  sql = test.database.sql;
  heavy = (await insertUser(sql)).userId;
  light = (await insertUser(sql)).userId;
  await plantConversations(sql, heavy, { count: 3_000, messages: 1 });
  long = (await plantConversations(sql, heavy, { count: 1, messages: 3_000 })).ids[0] ?? '';
  await plantConversations(sql, light, { count: 3, messages: 2 });
  await sql`analyze conversations, messages`;
});
afterAll(() => test.drop());

const rowsRead = (work: Parameters<typeof countRowsRead>[1]) => countRowsRead(test.database, work);

describe('among thousands of conversations', () => {
  it('a page of all of a user reads what it gives', async () => {
    const middle = '80000000-0000-4000-8000-000000000000';
    for (const after of [null, middle]) {
      const page = { userId: heavy, after, limit: 50 };
      expect(await rowsRead((tx) => selectAllConversations(tx, page))).toBeLessThan(200);
    }
  });

  it('a look for what can be deleted reads what it finds', async () => {
    const [doomed] = await sql`
      update conversations set deleted_at = now() - interval '1 hour' where user_id = ${light} returning id`;
    expect(doomed).toBeDefined();
    const marked = { undoMs: 0, limit: 5, at: null };
    const temporary = { ageMs: HOUR_MS, limit: 100, at: null };
    expect(await rowsRead((tx) => lockMarked(tx, marked))).toBeLessThan(100);
    expect(await rowsRead((tx) => markTemporary(tx, temporary))).toBeLessThan(100);
    await sql`update conversations set deleted_at = null where user_id = ${light}`;
  });

  it('a step of the deletion of a long conversation reads what it deletes', async () => {
    let count = 0;
    const read = await rowsRead(async (tx) => {
      count = await deleteNewestMessages(tx, [long], 20);
    });
    expect(count).toBe(20);
    expect(read).toBeLessThan(500);
  });
});

describe('a conversation that was deleted', () => {
  const deps = () => ({
    database: test.database,
    clock: { now: () => new Date(), databaseTime: () => null },
    bus: { publish: () => {} },
  });
  const run = () => deleteOldConversations(deps() as never, { conversations: 2, messages: 10 });
  const countLeft = async (ids: string[]) =>
    (await sql`select from conversations where id = any(${ids}::uuid[])`).length +
    (await sql`select from messages where conversation_id = any(${ids}::uuid[])`).length;

  it('goes in steps, the newest messages first, whole at the end', async () => {
    const { ids } = await plantConversations(sql, light, { count: 3, messages: 25 });
    await sql`update conversations set deleted_at = now() - interval '1 hour' where id = any(${ids}::uuid[])`;
    const [first = ''] = ids;
    await sql.begin((tx) => deleteNewestMessages(tx, [first], 10));
    const left = await sql`select depth from messages where conversation_id = ${first} order by depth`;
    expect(left.map(({ depth }) => depth)).toEqual(Array.from({ length: 15 }, (_, depth) => depth));
    await run();
    expect(await countLeft(ids)).toBe(0);
  });

  it('loses no parent although a clock was set back for one message', async () => {
    const { ids } = await plantConversations(sql, light, { count: 1, messages: 40 });
    await sql`
      update messages set created_at = timestamptz '2026-10-01' where conversation_id = any(${ids}::uuid[]) and depth = 38`;
    await sql.begin((tx) => deleteNewestMessages(tx, ids, 10));
    const left =
      await sql`select depth from messages where conversation_id = any(${ids}::uuid[]) order by depth desc`;
    expect([left.length, left[0]?.depth]).toEqual([39, 38]);
    await sql`update conversations set deleted_at = now() - interval '1 hour' where id = any(${ids}::uuid[])`;
    await run();
    expect(await countLeft(ids)).toBe(0);
  });

  it('goes whole although a clock was set back while it was written', async () => {
    const { ids } = await plantConversations(sql, light, { count: 1, messages: 40 });
    await sql`
      update messages set created_at = timestamptz '2026-11-02' - depth * interval '1 second'
       where conversation_id = any(${ids}::uuid[])`;
    await sql`update conversations set deleted_at = now() - interval '1 hour' where id = any(${ids}::uuid[])`;
    await run();
    expect(await countLeft(ids)).toBe(0);
  });

  it('is not restored once it has begun, though the clock goes back', async () => {
    const { ids } = await plantConversations(sql, light, { count: 1, messages: 2 });
    const [id = ''] = ids;
    await sql`update conversations set deleted_at = now() where id = ${id}`;
    await sql.begin(async (tx) => {
      await lockMarked(tx, { undoMs: 0, limit: 5, at: null });
      await deleteNewestMessages(tx, [id], 1);
    });
    expect(await unmarkDeleted(sql, light, id, HOUR_MS, null)).toBeNull();
    await run();
    expect(await countLeft(ids)).toBe(0);
  });

  it('is locked by one process at a time', async () => {
    const { ids } = await plantConversations(sql, light, { count: 1, messages: 2 });
    await sql`update conversations set deleted_at = now() - interval '1 hour' where id = any(${ids}::uuid[])`;
    await sql.begin(async (tx) => {
      expect(await lockMarked(tx, { undoMs: 0, limit: 5, at: null })).toEqual(ids);
      await run();
      expect(await countLeft(ids)).toBe(3);
    });
    await run();
    expect(await countLeft(ids)).toBe(0);
  });
});
