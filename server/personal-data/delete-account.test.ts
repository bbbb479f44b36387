import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROVIDERS } from '#contract/choices.ts';
import { deleteUserMessages } from '#server/chat/conversations/delete-old-conversations.ts';
import { insertTexts } from '#server/chat/search/search-store.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { ask, send } from '#test/chat/chat.ts';
import { lineOf, plantTree, siblingsOf } from '#test/chat/conversation-tree.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { CrashingSql } from '#test/database/crashing-sql.ts';
import { startMailbox } from '#test/mailbox.ts';
import { inTurn } from '#test/runs.ts';
import { deleteExpiredData } from './delete-expired-data.ts';
import { runDeletion } from './run-deletion.ts';

const POLL = { interval: 50 };
const PASSWORD = 'a correct horse';
type Provider = 'creem' | 'bagelpay';

let shop: Shop;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
beforeAll(async () => {
  mailbox = await startMailbox();
  shop = await openShop({ webhooks: true, env: mailbox.settings });
});
afterAll(async () => {
  await expectNoDrift(shop.sql);
  await shop.close();
  await mailbox.close();
});

async function signUp(email = `${randomUUID()}@example.test`) {
  const client = shop.app.visit();
  const { userId } = await client.signUp({ email, password: PASSWORD });
  const leave = (typed = email) => client.post('/api/me/delete', { email: typed });
  return { client, userId, email, leave };
}
type Leaver = Awaited<ReturnType<typeof signUp>>;

const read = async <T>(response: Promise<Response>) => (await (await response).json()) as T;
const credits = async ({ client }: Leaver) =>
  (await read<{ credits: number }>(client.get('/api/me'))).credits;

async function begin({ client }: Leaver, provider: Provider) {
  const body = { provider, planKey: 'gemini_basic', cycle: 'monthly' };
  return (await read<{ orderId: string }>(client.post('/api/createCheckout', body))).orderId;
}

async function pay({ email }: Leaver, provider: Provider, orderId: string) {
  const { control } = shop.worlds[provider];
  const { checkouts } = await control.ledger();
  const checkout = checkouts.find(({ requestId }) => requestId === orderId)?.id;
  await control.act('pay', { checkout, email });
}

async function buy(leaver: Leaver, provider: Provider) {
  const orderId = await begin(leaver, provider);
  await pay(leaver, provider, orderId);
  await expect.poll(() => credits(leaver), POLL).toBe(540);
  return orderId;
}

async function statusAt(provider: Provider, orderId: string) {
  const { checkouts, subscriptions } = await shop.worlds[provider].control.ledger();
  const checkout = checkouts.find(({ requestId }) => requestId === orderId);
  return subscriptions.find(({ checkoutId }) => checkoutId === checkout?.id);
}

const userRow = async (userId: string) => {
  const [row] = await shop.sql`
    select email, display_name, photo_url, address_hash, leaving_at is not null as leaving, deleted_at is not null as deleted
      from users where id = ${userId}`;
  return row;
};
const NOBODY = {
  email: null,
  display_name: '',
  photo_url: null,
  address_hash: null,
  leaving: true,
  deleted: true,
};
const admin = async (userId: string) => {
  const { readBilling } = await import('#server/billing/state/read-billing.ts');
  return (await readBilling(shop.app.deps, userId)).projection;
};

/** Tables that have a word of the canary, or rows of the user. */
async function traces(userId: string): Promise<string[]> {
  const tables = await shop.sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'credit', 'billing')`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await shop.sql.unsafe(`select t::text as row from ${name} t where t::text ilike '%canary%'`);
    const raw =
      name === 'billing.inbox'
        ? await shop.sql`select 1 from billing.inbox where raw like ${Buffer.from('%canary%')}`
        : [];
    if (rows.length + raw.length > 0) found.push(name);
    const owned = await shop.sql`
      select from information_schema.columns
       where format('%I.%I', table_schema, table_name) = ${name} and column_name = 'user_id'`;
    if (owned.length === 0) continue;
    const [row] = await shop.sql.unsafe(`select count(*)::int as count from ${name} where user_id = $1`, [
      userId,
    ]);
    if (row?.count > 0) found.push(`${name} (owned)`);
  }
  return found;
}

describe('deleting an account', () => {
  it('signs every browser out at once, closes its live channel and lets nobody in again (GHSA-2vg6-77g8-24mp)', async () => {
    const leaver = await signUp();
    const other = shop.app.visit();
    await other.post('/api/auth/sign-in/email', { email: leaver.email, password: PASSWORD });
    const live = await other.get('/api/live');
    const events = live.text();
    const { cookie } = leaver.client;
    const deleted = await leaver.leave();
    expect(await deleted.json()).toEqual({ state: 'deleted' });
    expect(deleted.headers.getSetCookie().join()).toContain('Max-Age=0');
    expect(await events).toContain('event: signed_out');
    for (const client of [other, shop.app.visit({ cookie })])
      expect((await client.get('/api/me')).status).toBe(401);
    const again = await shop.app
      .visit()
      .post('/api/auth/sign-in/email', { email: leaver.email, password: PASSWORD });
    expect(again.status).toBe(401);
    expect(await userRow(leaver.userId)).toEqual(NOBODY);
  });

  it('asks for the address, and for a proof that is fresh', async () => {
    const leaver = await signUp();
    const mistyped = await leaver.leave('somebody@else.test');
    expect([mistyped.status, await mistyped.json()]).toMatchObject([
      422,
      { error: { code: 'confirmation_mismatch' } },
    ]);
    await shop.sql`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${leaver.userId}`;
    const stale = await leaver.leave();
    expect([stale.status, await stale.json()]).toMatchObject([
      403,
      { error: { code: 'confirmation_required' } },
    ]);
    expect(await credits(leaver)).toBe(40);
    expect((await shop.app.visit().post('/api/me/delete', { email: leaver.email })).status).toBe(401);
  });

  it('leaves nothing of the user in any table but the ledger, payments and their record', async () => {
    const leaver = await signUp(`canary-${randomUUID()}@example.test`);
    const { client, userId } = leaver;
    await buy(leaver, 'creem');
    await client.patch('/api/me', { displayName: 'Canary Bird' });
    await client.post('/api/keys', { name: 'canary key' });
    const conversationId = randomUUID();
    const { id } = await ask(client, { conversationId, content: 'canary song' });
    await ask(client, { conversationId, parentId: id, content: 'canary song again' });
    await client.patch(`/api/conversations/${conversationId}`, { title: 'canary' });
    await client.post('/api/auth/request-password-reset', { email: leaver.email });
    await shop.sql`
      insert into billing.audit (actor, act, user_id, subject, reason, at)
      values ('ann', 'grant_credits', ${userId}, ${leaver.email}, 'goodwill', now())`;
    expect((await traces(userId)).length).toBeGreaterThan(20);
    expect(await read(leaver.leave())).toEqual({ state: 'deleted' });
    await mailbox.waitFor(leaver.email, (await mailbox.list(leaver.email)).length);
    await shop.sql`delete from mails where template = 'account_deleted'`;
    await shop.creem.control.settle();
    await expect
      .poll(async () => (await shop.sql`select from billing.inbox where status = 'new'`).length, POLL)
      .toBe(0);
    await deleteExpiredData(shop.app.deps);
    // The question about the buyer's order ends by itself some seconds later.
    const found = (await traces(userId)).filter((name) => name !== 'billing.polls (owned)');
    const kept = {
      billing: ['account', 'audit', 'cancellations', 'external_refs', 'facts', 'inbox', 'orders'],
      credit: ['account', 'bucket', 'hold', 'transfer'],
      public: ['deletions', 'provider_costs'],
    };
    const owned = Object.entries(kept).flatMap(([schema, names]) =>
      names.map((name) => `${schema}.${name} (owned)`),
    );
    expect(found.sort()).toEqual(owned);
  });

  it('says goodbye by mail, in the language of the account, to the address that it forgets', async () => {
    const leaver = await signUp();
    await leaver.client.patch('/api/me', { language: 'en' });
    await leaver.leave();
    await expect
      .poll(async () => (await mailbox.list(leaver.email)).map(({ subject }) => subject).join(), POLL)
      .toContain('deleted');
  });

  it('stops and settles what is being answered, by the chat and by a key', async () => {
    const leaver = await signUp();
    const { client, userId } = leaver;
    await shop.app.gemini.pace({ ttftMs: 2, gapMs: 60, jitter: 0 });
    const made = await read<{ secret: string; key: string }>(client.post('/api/keys', { name: 'mine' }));
    const key = made.secret ?? made.key;
    const id = randomUUID();
    await send(client, { id, content: 'A long story please' });
    const stream = await client.get(`/api/messages/${id}/events`);
    const answer = stream.text();
    const completion = shop.app
      .visit({ headers: { authorization: `Bearer ${key}` } })
      .post('/v1/chat/completions', {
        model: 'gemini-2.5-flash-lite',
        stream: true,
        messages: [{ role: 'user', content: 'A long story' }],
      });
    await expect
      .poll(
        async () =>
          (await shop.sql`select from messages where user_id = ${userId} and status = 'running'`).length,
        POLL,
      )
      .toBe(2);
    await sleep(300);
    expect(await read(leaver.leave())).toEqual({ state: expect.stringMatching(/deleted|waiting/) });
    await expect.poll(() => userRow(userId), POLL).toEqual(NOBODY);
    await shop.app.gemini.pace();
    expect(await answer).not.toContain('event: end');
    await (await completion).text();
    const holds =
      await shop.sql`select distinct state from credit.hold where user_id = ${userId} and state = 'held'`;
    expect(holds).toHaveLength(0);
    const late = await shop.app.visit({ headers: { authorization: `Bearer ${key}` } }).get('/v1/models');
    expect(late.status).toBe(401);
  });

  it('of a conversation with thousands of messages and branches goes in steps, and leaves none', async () => {
    const { userId } = await signUp();
    await plantTree(shop.sql, userId, lineOf(1_200));
    await plantTree(shop.sql, userId, siblingsOf(700));
    await shop.sql`update users set leaving_at = now() where id = ${userId}`;
    await shop.sql`
      insert into deletions (user_id, asked_at, next_try_at) values (${userId}, now(), now() + interval '1 minute')`;
    const counting = new CrashingSql(shop.sql);
    const deps = { ...shop.app.deps, database: { ...shop.app.deps.database, sql: counting.sql } };
    await runDeletion(deps, { userId, tries: 1 });
    expect(await userRow(userId)).toEqual(NOBODY);
    expect([...(await shop.sql`select from messages where user_id = ${userId}`)]).toEqual([]);
    const [left] =
      await shop.sql`select next_try_at > now() + interval '61 seconds' as extended from deletions
                                   where user_id = ${userId}`;
    expect(left).toEqual({ extended: true });
    expect(counting.steps).toBeGreaterThan(10);
  });

  it('waits for no one who indexes its messages at the same time', async () => {
    const { userId } = await signUp();
    const { ids } = await plantTree(shop.sql, userId, lineOf(3));
    const id = ids[0] ?? '';
    await shop.sql`insert into search_queue values (${id}) on conflict do nothing`;
    await shop.sql.begin(async (tx) => {
      await tx`select from search_queue where message_id = ${id} for update`;
      expect(await deleteUserMessages(shop.app.deps, userId, { conversations: 1, messages: 10 })).toBe(3);
      await insertTexts(tx, [{ id, body: 'text' }]);
    });
    expect([...(await shop.sql`select from search_texts where user_id = ${userId}`)]).toEqual([]);
  });

  it('and opening it again with one mailbox, over and over, has few mails sent to it, however it is spelled', async () => {
    const name = randomUUID();
    const spellings = Array.from({ length: 9 }, (_, index) => `${name}+${index}@example.test`);
    for (const email of spellings)
      expect(await read((await signUp(email)).leave())).toEqual({ state: 'deleted' });
    const sent = await shop.sql<{ template: string; count: number }[]>`
      select template, count(*)::int as count from mails where to_address = any(${spellings}) group by 1 order by 1`;
    expect([...sent]).toEqual([{ template: 'account_deleted', count: 3 }]);
  });

  it('goes on after a crash at any of its steps, and is done once', async () => {
    const steps = async (userId: string, crashAt?: number) => {
      const crashing = new CrashingSql(shop.sql, crashAt);
      const deps = { ...shop.app.deps, database: { ...shop.app.deps.database, sql: crashing.sql } };
      await runDeletion(deps, { userId, tries: 1 }).catch(() => {});
      return crashing.steps;
    };
    const begun = async () => {
      const { userId, email, client } = await signUp();
      await ask(client, { content: 'a question' });
      await shop.sql`update users set leaving_at = now() where id = ${userId}`;
      await shop.sql`
        insert into deletions (user_id, asked_at, next_try_at) values (${userId}, now(), now() + interval '1 hour')`;
      return { userId, email };
    };
    const most = await steps((await begun()).userId);
    expect(most).toBeGreaterThan(15);
    for (let crashAt = 1; crashAt <= most; crashAt += 3) {
      const { userId, email } = await begun();
      await steps(userId, crashAt);
      await steps(userId);
      expect(await userRow(userId)).toEqual(NOBODY);
      const mails =
        await shop.sql`select from mails where key = ${`account_deleted:${userId}`} and to_address = ${email}`;
      expect(mails).toHaveLength(1);
    }
  });

  it('that nobody goes on with is taken up by the job', async () => {
    const { userId } = await signUp();
    await shop.sql`update users set leaving_at = now() where id = ${userId}`;
    await shop.sql`insert into deletions (user_id, asked_at, next_try_at) values (${userId}, now(), now())`;
    await expect.poll(() => userRow(userId), POLL).toEqual(NOBODY);
  });

  it('is erased whole ten years later', async () => {
    const leaver = await signUp();
    await leaver.leave();
    await expect.poll(() => userRow(leaver.userId), POLL).toEqual(NOBODY);
    await shop.sql`
      update users set leaving_at = now() - interval '10 years', deleted_at = now() - interval '10 years' where id = ${leaver.userId}`;
    await deleteExpiredData(shop.app.deps);
    for (const table of ['credit.account', 'deletions'])
      expect(await shop.sql`select from ${shop.sql(table)} where user_id = ${leaver.userId}`).toHaveLength(0);
    expect(await userRow(leaver.userId)).toBeUndefined();
  });

  it('twice at the same moment is done once', async () => {
    const leaver = await signUp();
    const answers = await Promise.all(Array.from({ length: 8 }, () => leaver.leave()));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => [200, 401, 403].includes(status))).toBe(true);
    await expect.poll(() => userRow(leaver.userId), POLL).toEqual(NOBODY);
    expect(await shop.sql`select from deletions where user_id = ${leaver.userId}`).toHaveLength(1);
  });
});

describe.each(inTurn(PROVIDERS, 0, 2))('deleting an account that has a plan at %s', (provider) => {
  it('cancels there first, at once', async () => {
    const leaver = await signUp();
    const orderId = await buy(leaver, provider);
    expect(await read(leaver.leave())).toEqual({ state: 'deleted' });
    expect(await statusAt(provider, orderId)).toMatchObject({ status: 'canceled' });
    expect(await shop.sql`select from subscriptions where user_id = ${leaver.userId}`).toHaveLength(0);
  });

  it('waits while the provider is away: signed out, not deleted, and nobody comes in meanwhile', async () => {
    const leaver = await signUp();
    const orderId = await buy(leaver, provider);
    await shop.worlds[provider].control.apiFault({ status: 503, times: null });
    expect(await read(leaver.leave())).toEqual({ state: 'waiting' });
    expect(await userRow(leaver.userId)).toMatchObject({
      email: leaver.email,
      leaving: true,
      deleted: false,
    });
    expect((await leaver.client.get('/api/me')).status).toBe(401);
    const signIn = await shop.app
      .visit()
      .post('/api/auth/sign-in/email', { email: leaver.email, password: PASSWORD });
    expect([signIn.status, await signIn.json()]).toMatchObject([403, { error: { code: 'account_leaving' } }]);
    const [deletion] = await shop.sql`select error, done_at from deletions where user_id = ${leaver.userId}`;
    expect(deletion).toEqual({ error: expect.stringContaining(provider), done_at: null });
    await shop.worlds[provider].control.clearFaults();
    await expect.poll(() => userRow(leaver.userId), POLL).toEqual(NOBODY);
    expect(await statusAt(provider, orderId)).toMatchObject({ status: 'canceled' });
  });

  it('a charge on a page that was open before gives nothing, is cancelled, and is shown to the operator', async () => {
    const leaver = await signUp();
    const orderId = await begin(leaver, provider);
    expect(await read(leaver.leave())).toEqual({ state: 'deleted' });
    await pay(leaver, provider, orderId);
    await expect
      .poll(async () => (await admin(leaver.userId)).quarantine.map(({ reason }) => reason), POLL)
      .toContain('account_deleted');
    await expect.poll(async () => (await statusAt(provider, orderId))?.status, POLL).toBe('canceled');
    const grants =
      await shop.sql`select from credit.bucket where user_id = ${leaver.userId} and kind = 'subscription'`;
    expect(grants).toHaveLength(0);
    expect(await shop.sql`select from subscriptions where user_id = ${leaver.userId}`).toHaveLength(0);
    expect(await userRow(leaver.userId)).toEqual(NOBODY);
  });
});

describe('signing up again with the address of a deleted account', () => {
  it('begins with no free credits until the month is over', async () => {
    const email = `${randomUUID()}@example.test`;
    const first = await signUp(email);
    await first.leave();
    const second = await signUp(email.replace('@', '+again@'));
    expect(await credits(second)).toBe(0);
    const third = await signUp(email);
    expect(third.userId).not.toBe(first.userId);
    expect(await credits(third)).toBe(0);
    await shop.moveDays(32);
    const again = shop.app.visit();
    await again.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    expect(await read(again.get('/api/me'))).toMatchObject({ credits: 40 });
  });
});
