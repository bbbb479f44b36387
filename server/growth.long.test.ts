import { randomBytes, randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { plantConversations } from '#test/chat/many-messages.ts';
import { later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { countRowsRead } from '#test/database/rows-read.ts';
import { insertSession, insertUser } from '#test/factories.ts';
import { deleteExpiredSessions } from './accounts/sessions/session-store.ts';
import { deleteExpiredProofs } from './accounts/users/store.ts';
import { selectNamedFiles } from './chat/attachments/attachment-store.ts';
import { deleteOldEvents } from './chat/generation/event-store.ts';
import { selectPath } from './chat/message-store/store.ts';
import {
  listMessages,
  readTexts,
  selectIndexed,
  selectSaid,
  selectTitles,
} from './chat/search/search-store.ts';
import { expireBuckets, selectLines, selectSpending } from './credits/store.ts';
import { type AnswerPlace, selectApiAnswers } from './personal-data/export-store.ts';
import { deleteExpired, eraseBuyers } from './personal-data/user-rows-store.ts';

const PAGE = 50;

let home: TestDatabase;
let sql: Sql;
let heavy: string;
let long: string;
beforeAll(async () => {
  home = await createTestDatabase();
  sql = home.database.sql;
  heavy = (await insertUser(sql)).userId;
  await insertUsers(1_000);
  await plantConversations(sql, heavy, { count: 1_000, messages: 1 });
  long = (await plantConversations(sql, heavy, { count: 1, messages: 2_000 })).ids[0] ?? '';
  await sql`
    insert into messages (id, user_id, model, content, response, status, cost, credits_used, owner, end_seq, created_at, ended_at)
    select gen_random_uuid(), ${heavy}, 'parley-flash', '', 'yes', 'completed', 1, 1, gen_random_uuid(), 2,
           now() - n * interval '1 minute', now() from generate_series(1, 3000) n`;
  await sql`
    insert into message_events (message_id, first_seq, last_seq, events, written_at)
    select gen_random_uuid(), 1, 1, '[]', now() - interval '3 hours' + n * interval '3 seconds' from generate_series(1, 3000) n`;
  await insertMoney();
  // Block range indexes are written by a vacuum.
  await sql`vacuum analyze`;
});
afterAll(() => home.drop());

async function insertUsers(count: number) {
  await sql`
    insert into users (id, email, display_name, created_at, last_login_at)
    select gen_random_uuid(), gen_random_uuid() || '@example.test', 'Somebody', now(), now() from generate_series(1, ${count}::int)`;
  const { sessionId } = await insertSession(sql, heavy, 'secret');
  await sql`
    insert into sessions (id, user_id, token, created_at, updated_at, used_at, confirmed_at, expires_at)
    select gen_random_uuid(), id, id, now(), now(), now(), now(), now() + interval '1 day' from users where id <> ${heavy}`;
  await sql`
    insert into verifications (id, identifier, value, expires_at)
    select gen_random_uuid(), id, id, now() + interval '1 hour' from users`;
  await sql`update sessions set used_at = now() - interval '20 days' where id = ${sessionId}`;
  await sql`
    insert into mails (id, key, template, to_address, language, params, created_at, next_try_at, ended_at, outcome)
    select gen_random_uuid(), 'key' || n, 'receipt', 'a@example.com', 'zh', '{}', now(), now(), now() - interval '3 days', 'sent'
      from generate_series(1, 1000) n`;
}

/** Past the functions of the ledger, which would take a minute: a year of messages of one user. */
async function insertMoney() {
  await sql`insert into billing.account (user_id) select id from users where id <> ${heavy}`;
  await sql`
    insert into billing.facts (provider, user_id, kind, subject, fact, digest, source, observed_at)
    select 'creem', user_id, 'payment', user_id, jsonb_build_object('customerEmail', 'a@example.com', 'transactionId', user_id),
           sha256(user_id::text::bytea), 'webhook', now() from billing.account`;
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into credit.bucket (user_id, kind, source_key, amount, available, starts_at, expires_at)
      select user_id, 'free', 'free:9', 40, 40, now(), now() + interval '1 month' from credit.account`;
    await tx`
      insert into credit.hold (user_id, id, model, cost, state, reason, created_at, closed_at)
      select ${heavy}, gen_random_uuid(), 'parley-flash', 1, 'settled', 'message', now() - n * interval '3 hours', now()
        from generate_series(1, 3000) n`;
    await tx`
      insert into credit.transfer (user_id, bucket_id, hold_id, src, dst, amount, line_change, balance_after, reason, at)
      select user_id, (select id from credit.bucket where user_id = ${heavy} and source_key = 'free:9'), id, 'available', 'held', 1, -1, 40, 'message', created_at
        from credit.hold where user_id = ${heavy} order by created_at`;
  });
}

const rowsRead = (work: Parameters<typeof countRowsRead>[1]) => countRowsRead(home.database, work);

describe('what is read grows with what is given, not with what is kept', () => {
  it('the exchanges of the API, page after page, each of them once', async () => {
    const seen = new Set<string>();
    let after: AnswerPlace | null = null;
    let pages = 0;
    const most = await rowsRead(async (tx) => {
      do {
        const page: (AnswerPlace & { id: string })[] = await selectApiAnswers(tx, heavy, after, 500);
        for (const { id } of page) seen.add(id);
        after = page.length < 500 ? null : (page.at(-1) ?? null);
        pages += 1;
      } while (after !== null);
    });
    expect([seen.size, pages]).toEqual([3_000, 7]);
    expect(most).toBeLessThan(4_000);
    expect(await rowsRead((tx) => selectApiAnswers(tx, heavy, null, PAGE))).toBeLessThan(100);
  });

  it('the way to a message and its files', async () => {
    const [leaf] = await sql<{ id: string }[]>`
      select id from messages where conversation_id = ${long} order by depth desc limit 1`;
    const path = { userId: heavy, id: leaf?.id ?? '', maxDepth: 20, maxCharacters: 100_000 };
    expect(await rowsRead((tx) => selectPath(tx, path))).toBeLessThan(50);
    // At most 1,000 messages up, of which each is asked for what was kept of its browser.
    expect(await rowsRead((tx) => selectNamedFiles(tx, heavy, path.id))).toBeLessThan(2_100);
  });

  it('messages that a search reads, as those of the user alone, and those that are put into the index', async () => {
    const light = (await insertUser(sql)).userId;
    await plantConversations(sql, light, { count: 2, messages: 3 });
    const page = { before: null, limit: PAGE };
    const read = await rowsRead(async (tx) => {
      expect(await readTexts(tx, light, page)).toHaveLength(6);
    });
    expect(read).toBeLessThan(30);
    // Each of the thousand conversations has one message.
    const indexing = await rowsRead(async (tx) => {
      const ids = (await listMessages(tx, heavy, page)).map(({ messageId }) => messageId);
      expect(await selectSaid(tx, ids)).toHaveLength(PAGE);
      expect(await selectIndexed(tx, ids)).toEqual([]);
    });
    expect(indexing).toBeLessThan(3_000);
  });

  it('titles, as those of the user alone', async () => {
    const light = (await insertUser(sql)).userId;
    await plantConversations(sql, light, { count: 3, messages: 1 });
    const words = { userId: light, words: ['talk'] };
    let found = 0;
    const read = await rowsRead(async (tx) => {
      found = (await selectTitles(tx, words, { before: null, limit: PAGE })).length;
    });
    expect(found).toBe(3);
    expect(read).toBeLessThan(20);
  });

  it('the lines of a statement, of each kind, and what was spent of late', async () => {
    for (const kind of [null, 'charge', 'grant', 'release', 'expire', 'revoke', 'adjust'] as const)
      expect(
        await rowsRead((tx) => selectLines(tx, heavy, { before: null, kind, limit: PAGE })),
      ).toBeLessThan(400);
    for (const [days, messages] of [
      [5, 40],
      [300, 2_400],
    ] as const) {
      const since = new Date(Date.now() - (days + 0.05) * DAY_MS);
      let quarters: { credits: number }[] = [];
      const read = await rowsRead(async (tx) => {
        quarters = await selectSpending(tx, heavy, since);
      });
      expect(quarters.reduce((sum, { credits }) => sum + credits, 0)).toBe(messages);
      expect(read).toBeLessThan(messages + 100);
    }
  });
});

describe('what a job reads is what it finds to do', () => {
  it('events of answers that ended long ago', async () => {
    expect(await rowsRead((tx) => deleteOldEvents(tx, 75, 100))).toBeLessThan(1_500);
  });

  it('buckets that have expired', async () => {
    const ledger = await openLedger(home.database);
    await ledger.grant({ sourceKey: 'admin:1', amount: 5, expiresAt: later(new Date(), 1) });
    const soon = new Date(Date.now() + 2 * DAY_MS);
    let users: string[] = [];
    const read = await rowsRead(async (tx) => {
      users = (await expireBuckets(tx, 100, soon)).map(({ userId }) => userId);
    });
    expect(users).toEqual([ledger.userId]);
    expect(read).toBeLessThan(100);
  });

  it('sessions and proofs that are over, each for its own reason', async () => {
    const life = { maxDays: 30, idleDays: 14 };
    const left = async (tx: Parameters<Parameters<typeof rowsRead>[0]>[0]) =>
      (await tx`select from sessions where user_id = ${heavy}`).length;
    let counts: number[] = [];
    const read = await rowsRead(async (tx) => {
      const before = await left(tx);
      await deleteExpiredSessions(tx, life, null);
      await deleteExpiredProofs(tx, null);
      counts = [before, await left(tx)];
    });
    expect(counts).toEqual([1, 0]);
    expect(read).toBeLessThan(50);
  });

  it('buyers of deleted accounts, and what was kept for a while', async () => {
    const { userId } = await insertUser(sql);
    await sql`insert into billing.account (user_id) values (${userId})`;
    await sql`
      insert into billing.facts (provider, user_id, kind, subject, fact, digest, source, observed_at)
      values ('creem', ${userId}, 'payment', ${randomUUID()}, '{"customerEmail": "me@example.test"}', ${randomBytes(32)}, 'webhook', now())`;
    await sql`
      update users set leaving_at = now(), deleted_at = now(), email = null, display_name = '', photo_url = null, address_hash = null
       where id = ${userId}`;
    const emailOf = async () =>
      (await sql`select fact ->> 'customerEmail' as email from billing.facts where user_id = ${userId}`)[0]
        ?.email;
    expect(await rowsRead((tx) => eraseBuyers(tx))).toBeLessThan(50);
    expect(await rowsRead((tx) => deleteExpired(tx, new Date(), null))).toBeLessThan(50);
    expect(await emailOf()).toBe('me@example.test');
    await eraseBuyers(sql);
    expect(await emailOf()).toBeNull();
  });
});
