import { randomBytes, randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderNumber } from '#contract/order-number.ts';
import { HOUR_MS } from '#contract/time.ts';
import { selectUnboundCharges } from '#server/billing/facts/fact-store.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { countRowsRead } from '#test/database/rows-read.ts';
import { insertUser } from '#test/factories.ts';
import { selectOpenRefunds } from './acts/act-store.ts';
import { countFailingMails, selectHeardProviders } from './alerts/alert-store.ts';
import { findUserBy, selectInbox, selectUsedProviders } from './billing-records/store.ts';
import { selectOtherCurrencies } from './margin/margin-store.ts';
import { selectModelChanges } from './models/model-store.ts';
import {
  selectLosses,
  selectOrderLines,
  selectUnrecovered,
  selectUsersBy,
  selectWebhooks,
} from './screens/screen-store.ts';
import { countOpened, countWaiting, sumMoney } from './screens/today-store.ts';

const MANY = 3_000;
/** As long as what providers write. */
const FILLER = randomBytes(600).toString('hex');

let home: TestDatabase;
let sql: Sql;
let user: { userId: string; email: string };
let orderId: string;
beforeAll(async () => {
  home = await createTestDatabase();
  sql = home.database.sql;
  await sql`
    insert into users (id, email, display_name, created_at, last_login_at)
    select ('0190' || substr(gen_random_uuid()::text, 5))::uuid, 'x' || gen_random_uuid() || '@example.test', 'Somebody',
           now() - interval '1 year', now() from generate_series(1, ${MANY}::int)`;
  user = await insertUser(sql, { email: `ada-${randomUUID()}@example.test` });
  await sql`insert into billing.account (user_id) select id from users`;
  await insertTrade();
  await insertLosses();
  await sql`
    insert into mails (id, key, template, to_address, language, params, created_at, next_try_at, ended_at, outcome)
    select gen_random_uuid(), 'key' || n, 'receipt', 'a@example.com', 'zh', '{}', now(), now(), now() - interval '3 days', 'failed'
      from generate_series(1, ${MANY}::int) n`;
  await sql`
    insert into billing.audit (actor, act, act_id, user_id, subject, reason, at)
    select 'ann', case n % 2 when 0 then 'refund' else 'grant_credits' end, gen_random_uuid(), ${user.userId}, 'creem:' || n, 'why',
           now() - interval '1 year' from generate_series(1, ${MANY}::int) n`;
  await sql`vacuum analyze`;
});
afterAll(() => home.drop());

/** A year of orders, their payments and webhooks, and one order of now with its payment and what waits. */
async function insertTrade() {
  await sql`
    insert into billing.orders (id, user_id, provider, product_id, plan_key, cycle, price_minor, currency, credits, status, paid_at, created_at)
    select gen_random_uuid(), user_id, 'creem', 'p', 'gemini_pro', 'monthly', 1190, 'USD', 1500, 'paid', now() - interval '1 year',
           now() - interval '1 year' from billing.account`;
  await sql`
    insert into billing.facts (provider, user_id, kind, subject, fact, digest, source, observed_at)
    select 'creem', user_id, 'payment', id,
           jsonb_build_object('transactionId', id, 'orderId', id, 'amountMinor', 1190, 'currency', 'USD', 'match', 'named',
                              'filler', ${FILLER}::text),
           sha256(id::text::bytea), 'webhook', created_at from billing.orders`;
  await sql`
    insert into billing.inbox (provider, dedupe_key, type, raw, headers, received_at, status, next_try_at, done_at)
    select 'creem', id::text, 'checkout.completed', ${Buffer.from(FILLER)}, '{}', created_at, 'done', now(), now() from billing.orders`;
  orderId = randomUUID();
  await sql`
    insert into billing.orders (id, user_id, provider, product_id, plan_key, cycle, price_minor, currency, credits, status, created_at)
    values (${orderId}, ${user.userId}, 'bagelpay', 'p', 'gemini_pro', 'annual', 9900, 'EUR', 1500, 'failed', now())`;
  const fact = { transactionId: 'new', orderId, amountMinor: 9900, currency: 'EUR', match: 'named' };
  await sql`
    insert into billing.facts (provider, user_id, kind, subject, fact, digest, source, observed_at)
    values ('creem', ${user.userId}, 'payment', 'new', ${JSON.stringify(fact)}::text::jsonb, sha256('new'), 'webhook', now())`;
  await sql`
    insert into billing.inbox (provider, dedupe_key, type, raw, headers, received_at, status, next_try_at)
    values ('bagelpay', 'new', 'x', 'raw', '{}', now(), 'new', now())`;
}

/** Past the functions of the ledger: refunds of a year, and one open dispute among the oldest. */
async function insertLosses() {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into credit.bucket (user_id, kind, source_key, payment_key, amount, available, spent, revoke_target, revoke_reason, starts_at, expires_at)
      select ${user.userId}, 'subscription', 'grant:' || n, 'creem:' || n, 10, 0, 10, 10,
             case n when 1 then 'dispute' else 'refund' end, now() - interval '1 year', now() from generate_series(1, ${MANY}::int) n`;
  });
  await sql`update billing.account set disputed = true where user_id = ${user.userId}`;
}

const rowsRead = (work: Parameters<typeof countRowsRead>[1]) => countRowsRead(home.database, work);
const newRowsRead = (work: Parameters<typeof countRowsRead>[1]) =>
  countRowsRead(home.database, work, { isCustom: true });
const since = () => new Date(Date.now() - 24 * HOUR_MS);

describe('among thousands of users, orders and webhooks an operator’s screen reads what it shows', () => {
  it('the money of the day, and what waits', async () => {
    let money: unknown;
    const read = await newRowsRead(async (tx) => {
      money = [...(await sumMoney(tx, since(), new Date(Date.now() + HOUR_MS)))];
    });
    expect(money).toEqual([{ currency: 'EUR', paid: 9900, lost: 0 }]);
    expect(read).toBeLessThan(20);
    expect(await newRowsRead((tx) => countWaiting(tx))).toBeLessThan(50);
    const dayBefore = new Date(since().getTime() - 24 * HOUR_MS);
    expect(await newRowsRead((tx) => countOpened(tx, dayBefore, since()))).toBeLessThan(20);
  });

  it('users by the beginning of an address, an id, or the number of an order', async () => {
    for (const key of [user.email.slice(0, 12), user.userId, orderNumber({ id: orderId })]) {
      let found: string[] = [];
      const read = await rowsRead(async (tx) => {
        found = (await selectUsersBy(tx, key, 20)).map(({ id }) => id);
      });
      expect(found).toEqual([user.userId]);
      expect(read).toBeLessThan(20);
    }
    expect(await rowsRead((tx) => selectUsersBy(tx, 'x', 20))).toBeLessThan(100);
    expect(await rowsRead((tx) => findUserBy(tx, user.email))).toBeLessThan(20);
  });

  it('a page of orders of all, of a status, and of a user', async () => {
    const page = { before: null, limit: 50 };
    for (const wanted of [
      { status: null, userId: null },
      { status: 'failed', userId: null },
      { status: null, userId: user.userId },
    ])
      expect(await rowsRead((tx) => selectOrderLines(tx, { ...wanted, ...page }))).toBeLessThan(250);
  });

  it('webhooks of each status', async () => {
    for (const status of [null, 'new', 'failed', 'done']) {
      expect(await rowsRead((tx) => selectWebhooks(tx, { status, before: null, limit: 50 }))).toBeLessThan(
        100,
      );
      expect(await rowsRead((tx) => selectInbox(tx, status, 50))).toBeLessThan(100);
    }
  });

  it('losses, those of open disputes first', async () => {
    let first: unknown;
    const read = await rowsRead(async (tx) => {
      first = (await selectLosses(tx, { before: null, limit: 50 }))[0]?.isOpen;
    });
    expect(first).toBe(true);
    // Of the user with the dispute all grants are looked at; here all losses are that user's.
    expect(read).toBeLessThan(2 * MANY);
    expect(await rowsRead((tx) => selectUnrecovered(tx, 50))).toBeLessThan(150);
  });

  it('what is asked of orders, models and charges', async () => {
    expect(await rowsRead(selectUsedProviders)).toBeLessThan(20);
    expect(await rowsRead(selectOtherCurrencies)).toBeLessThan(20);
    expect(await rowsRead((tx) => selectModelChanges(tx, 50))).toBeLessThan(20);
    let charges: unknown[] = [];
    const read = await rowsRead(async (tx) => {
      charges = await selectUnboundCharges(tx, 'creem', [orderId]);
    });
    expect(charges).toHaveLength(1);
    expect(read).toBeLessThan(20);
  });
});

describe('a look of each minute reads what is new', () => {
  it('refunds that are open, providers that were heard, mails that fail', async () => {
    const times = { since: since(), until: new Date(), limit: 20 };
    expect(await rowsRead((tx) => selectOpenRefunds(tx, times))).toBeLessThan(20);
    expect(await newRowsRead((tx) => selectHeardProviders(tx, since()))).toBeLessThan(20);
    expect(await rowsRead((tx) => countFailingMails(tx, since()))).toBeLessThan(20);
  });
});

it('only tables whose rows are never changed, or kept for an hour, have a BRIN index: new rows fill the places of others', async () => {
  const found = await sql<{ table: string }[]>`
    select i.indrelid::regclass::text as table from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
     where a.amname = 'brin' order by 1`;
  expect(found.map(({ table }) => table)).toEqual(['credit.transfer', 'message_events', 'provider_costs']);
});
