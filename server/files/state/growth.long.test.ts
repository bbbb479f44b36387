import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { storeFile } from '#test/chat/files.ts';
import { plantConversations } from '#test/chat/many-messages.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createEmptyDatabase, migrateTo } from '#test/database/old-database.ts';
import { countRowsRead } from '#test/database/rows-read.ts';
import { insertUser } from '#test/factories.ts';
import { runs } from '#test/runs.ts';
import { countUnnamed } from '../uploads/upload-store.ts';
import {
  bindFiles,
  deleteDoomedFiles,
  deleteExpiredFiles,
  selectConversationFiles,
  selectFiles,
  sumBytes,
} from './file-store.ts';

const PAGE = { after: null, limit: 200 };

let home: TestDatabase;
let sql: Sql;
let userId: string;
let conversationId: string;
let named: string[];
beforeAll(async () => {
  home = await createTestDatabase();
  sql = home.database.sql;
  userId = (await insertUser(sql)).userId;
  await plantConversations(sql, userId, { count: 1_000, messages: 1 });
  conversationId = (await plantConversations(sql, userId, { count: 1, messages: 2_000 })).ids[0] ?? '';
  named = [await storeFile(sql, userId), await storeFile(sql, userId), await storeFile(sql, userId)];
  await sql.begin((tx) => bindFiles(tx, userId, conversationId, [...named].reverse(), new Date()));
  await plantFiles(sql, userId, 2_000);
  await sql`analyze files, file_chunks, messages, conversations, file_usage`;
});
afterAll(() => home.drop());

/** Files of a user, two in each of their conversations, each with a text. */
async function plantFiles(on: Executor, owner: string, count: number) {
  await on`
    with home as materialized (
      select id, row_number() over (order by created_at) as place from conversations where user_id = ${owner} and title <> 'Talk 1'),
    planted as (
      insert into files (id, user_id, conversation_id, name, bytes, received, state, storage, type, sha256, tokens, has_text, created_at)
      select gen_random_uuid(), ${owner}, home.id, 'notes.txt', 10, 10, 'ready', 'database', 'text/plain', ${randomBytes(32)}, 1, true, now()
        from home, generate_series(1, 2) where place <= ${count}::int / 2 returning id)
    insert into file_chunks (file_id, part, start, length, bytes) select id, 'text', 0, 12, 'a text of 12' from planted`;
}

const rowsRead = (work: Parameters<typeof countRowsRead>[1]) => countRowsRead(home.database, work);

test('the files of a conversation are read without its messages, in the order in which messages named them', async () => {
  let files: string[] = [];
  const read = await rowsRead(async (tx) => {
    files = ((await selectConversationFiles(tx, userId, conversationId, PAGE)) ?? []).map(({ id }) => id);
  });
  expect(files).toEqual([...named].reverse());
  expect(read).toBeLessThan(20);
});

test('what thousands of files of a user take is read from one row, and what waits for a message from their own', async () => {
  let bytes = 0;
  expect(await rowsRead(async (tx) => (bytes = await sumBytes(tx, userId)))).toBeLessThan(5);
  expect(bytes).toBe(await summed(sql, userId));
  expect(bytes).toBeGreaterThan(2_000 * 12);
  expect(await rowsRead((tx) => countUnnamed(tx, userId))).toBeLessThan(5);
});

test('a page of the files of a user reads what it gives, and so does a look for those of deleted conversations', async () => {
  for (const after of [null, '80000000-0000-4000-8000-000000000000'])
    expect(await rowsRead((tx) => selectFiles(tx, userId, { after, limit: 50 }))).toBeLessThan(250);
  await sql`update conversations set deleted_at = now() - interval '1 hour' where id = ${conversationId}`;
  expect(await rowsRead((tx) => deleteDoomedFiles(tx, { undoMs: 0, limit: 10, at: null }))).toBeLessThan(100);
});

const summed = async (on: Executor, owner: string): Promise<number> => {
  const [row] = await on<{ bytes: number }[]>`
    select coalesce(sum(greatest(f.bytes, t.bytes)), 0)::int as bytes from files f
      left join (select file_id, sum(length) as bytes from file_chunks where part = 'text' group by 1) t on t.file_id = f.id
     where f.user_id = ${owner}`;
  return row?.bytes ?? 0;
};

test('the counter of a user is what the files and their texts take, whatever is stored, replaced and deleted', async () => {
  const step = fc.record({
    kind: fc.constantFrom('store', 'read', 'lengthen', 'delete', 'fail'),
    which: fc.nat(10),
    length: fc.integer({ min: 1, max: 50 }),
  });
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
    const { userId: owner } = await insertUser(sql);
    const ids: string[] = [];
    for (const { kind, which, length } of steps) {
      const id = ids[which % Math.max(ids.length, 1)] ?? null;
      await sql
        .begin(async (tx) => {
          if (kind === 'store' || id === null)
            ids.push(await storeFile(tx, owner, { data: randomBytes(length), text: null }));
          else if (kind === 'lengthen')
            await tx`update files set bytes = ${length}, received = ${length} where id = ${id}`;
          else if (kind === 'delete') await tx`delete from files where id = ${id}`;
          else
            await tx`
              insert into file_chunks (file_id, part, start, length, bytes)
              select ${id}, 'text', coalesce(max(start + length), 0), ${length}, ${randomBytes(length)}
                from file_chunks where file_id = ${id} and part = 'text' having exists (select from files where id = ${id})`;
          if (kind === 'fail') throw new Error('rolled back');
        })
        .catch((error: Error) => {
          if (error.message !== 'rolled back') throw error;
        });
    }
    expect(await sumBytes(sql, owner)).toBe(await summed(sql, owner));
  });
  await fc.assert(property, { numRuns: runs(40) });
});

test('what waits for the end of a migration that deletes files is counted', async () => {
  const { userId: owner } = await insertUser(sql);
  const ids = [await storeFile(sql, owner), await storeFile(sql, owner)];
  const functions = readFileSync(join(import.meta.dirname, '../../db/functions/files.sql'), 'utf8');
  await sql.begin(async (tx) => {
    await tx`delete from files where id = ${ids[0] ?? ''}`;
    await tx.unsafe(functions);
  });
  expect(await summed(sql, owner)).toBeGreaterThan(0);
  expect(await sumBytes(sql, owner)).toBe(await summed(sql, owner));
});

test('jobs that delete files of the same users in other orders do not wait in a circle', async () => {
  const [ann, bo] = [(await insertUser(sql)).userId, (await insertUser(sql)).userId];
  for (let n = 0; n < 20; n += 1) {
    await storeFile(sql, ann);
    await storeFile(sql, bo);
  }
  await sql`
    update files set expires_at = now() - interval '1 hour' + (case user_id when ${ann} then 1 else -1 end) * random() * interval '1 minute'
     where user_id in (${ann}, ${bo})`;
  const gone = await Promise.all(Array.from({ length: 8 }, () => deleteExpiredFiles(sql, new Date(), 10)));
  expect(gone.reduce((sum, count) => sum + count, 0)).toBe(40);
  expect([await sumBytes(sql, ann), await sumBytes(sql, bo)]).toEqual([0, 0]);
});

test('a conversation that is being restored keeps its files', async () => {
  const { userId: owner } = await insertUser(sql);
  const [place = ''] = (await plantConversations(sql, owner, { count: 1, messages: 1 })).ids;
  const id = await storeFile(sql, owner);
  await sql.begin((tx) => bindFiles(tx, owner, place, [id], new Date()));
  await sql`update conversations set deleted_at = now() - interval '1 hour' where id = ${place}`;
  await sql.begin(async (tx) => {
    await tx`update conversations set deleted_at = null where id = ${place}`;
    await deleteDoomedFiles(sql, { undoMs: 0, limit: 10, at: null });
  });
  expect((await selectConversationFiles(sql, owner, place, PAGE))?.map((file) => file.id)).toEqual([id]);
});

test('files of a database of before the counter are counted, and stand where messages named them', async () => {
  const old = await createEmptyDatabase();
  const on = old.database.sql;
  await migrateTo(on, '0055');
  const [user] = await on<{ id: string }[]>`
    insert into users (id, email, display_name, created_at, last_login_at)
    values (gen_random_uuid(), 'me@example.test', 'Me', '2026-01-01', now()) returning id`;
  const owner = user?.id ?? '';
  const place = randomUUID();
  const [first, second] = [await storeFile(on, owner), await storeFile(on, owner)];
  await on`
    insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
    values (${place}, ${owner}, 'Talk', 'talk', now(), now())`;
  await on`update files set conversation_id = ${place}, expires_at = null`;
  const parts = [second, first].map((fileId) => ({ kind: 'file', fileId, name: 'notes.txt' }));
  await on`
    insert into messages (id, user_id, conversation_id, depth, chain_id, model, content, cost, owner, created_at, input)
    values (${place}, ${owner}, ${place}, 0, ${place}, 'parley-flash', 'n', 1, ${place}, '2026-11-01', ${JSON.stringify({ parts })}::text::jsonb)`;
  await migrate(old.url);
  expect(await sumBytes(on, owner)).toBe(await summed(on, owner));
  expect((await selectConversationFiles(on, owner, place, PAGE))?.map(({ id }) => id)).toEqual([
    second,
    first,
  ]);
  await on`delete from files where id = ${first}`;
  expect(await sumBytes(on, owner)).toBe(await summed(on, owner));
  await old.drop();
});
