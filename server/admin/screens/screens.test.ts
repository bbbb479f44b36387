import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AUDIT_ACTS } from '#contract/admin/acts.ts';
import type { MarginScreen } from '#contract/admin/margin.ts';
import type {
  AuditScreen,
  ComparisonScreen,
  FailuresScreen,
  InboxScreen,
  LedgerCheck,
  LedgerScreen,
  OrdersScreen,
  PersonalDataScreen,
  Today,
  UserScreen,
} from '#contract/admin/screens.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { recordAlerts } from '#server/admin/alerts/record-alerts.ts';
import { watchProcess } from '#server/admin/alerts/watch-process.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import { verifyBooked } from '#server/credits/verify-ledger.ts';
import type { Deps } from '#server/deps.ts';
import { act, giving, read } from '#test/admin/console.ts';
import { openPeople, type Person } from '#test/admin/people.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { ask } from '#test/chat/chat.ts';
import { insertUser } from '#test/factories.ts';
import { IS_LONG } from '#test/runs.ts';
import { insertAudit } from '../billing-records/store.ts';
import { listMargin } from '../list-margin.ts';
import { readToday } from './read-today.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

let ann: Person;
let ben: Person;
let user: Person;
beforeEach(async () => {
  [ann, ben, user] = await openPeople(shop);
});

/** Millionths of a US dollar as the command line rounds them. */
const inDollars = (micro: number) => Number((micro / 1_000_000).toFixed(4));

const DONE = { status: 200, state: 'done' };

describe('the audit log', () => {
  it('cannot be changed, deleted or emptied', async () => {
    expect(await act(ann.client, giving(5, user.userId))).toEqual(DONE);
    await expect(shop.sql`update billing.audit set reason = 'other'`).rejects.toThrow(/append-only/);
    await expect(shop.sql`update billing.audit set actor = 'other'`).rejects.toThrow(/append-only/);
    const note = { actor: 'root', userId: null, subject: 'an order', reason: 'because', details: {} };
    await insertAudit(shop.sql, { ...note, actId: null, operatorId: null, act: 'replay', at: new Date() });
    await expect(shop.sql`update billing.audit set subject = null`).rejects.toThrow(/append-only/);
    await expect(shop.sql`delete from billing.audit`).rejects.toThrow(/append-only/);
    await expect(shop.sql`truncate billing.audit`).rejects.toThrow(/append-only/);
  });

  it('is read page by page, by operator and act, and whole as CSV', async () => {
    for (const credits of [1, 2, 3]) await act(ann.client, giving(credits, user.userId));
    const mine = await read<AuditScreen>(
      ben.client,
      `/api/admin/audit?actor=${encodeURIComponent(ann.email)}&act=grant`,
    );
    expect(mine.lines.map(({ details }) => details.credits)).toEqual([3, 2, 1]);
    const csv = await (await ben.client.get('/api/admin/audit.csv')).text();
    expect(csv.split('\r\n').filter((line) => line.includes(ann.email))).toHaveLength(3);
  });

  it('says which acts were done at the command line, whoever they are said to be by', async () => {
    const note = { actor: ann.email, act: 'sign_out', userId: user.userId, reason: 'because', details: {} };
    const typed = { ...note, actId: randomUUID(), operatorId: null, subject: null, at: new Date() };
    await insertAudit(shop.sql, typed);
    await act(ann.client, giving(1, user.userId));
    const { lines } = await read<AuditScreen>(ben.client, `/api/admin/audit?userId=${user.userId}`);
    expect(lines.map((line) => [line.act, line.actor, line.viaCommandLine])).toEqual([
      ['grant', ann.email, false],
      ['sign_out', ann.email, true],
    ]);
    const csv = await (await ben.client.get('/api/admin/audit.csv')).text();
    const ends = csv.split('\r\n').filter((line) => line.includes(user.userId) && line.includes('because'));
    expect(ends.map((line) => line.split(',').at(-1))).toEqual(['console', 'command line']);
  });

  it('is read by acts that it names otherwise than before, and by what became of one', async () => {
    const note = { actor: 'root', userId: user.userId, subject: null, reason: 'because', details: {} };
    for (const name of ['compare', 'adopt_order', 'refund_failed', 'replay'])
      await insertAudit(shop.sql, { ...note, actId: null, operatorId: null, act: name, at: new Date() });
    const of = async (name: string) =>
      (await read<AuditScreen>(ben.client, `/api/admin/audit?userId=${user.userId}&act=${name}`)).lines.map(
        (line) => line.act,
      );
    expect(await of('adopt_order')).toEqual(['adopt_order', 'compare']);
    expect(await of('refund_failed')).toEqual(['refund_failed']);
    expect(AUDIT_ACTS).toContain('refund_failed');
  });
});

describe('the screens', () => {
  it('show today, a user, orders, webhooks, failures and what is due as they are', async () => {
    await user.buy('creem');
    await ask(user.client);
    const today = await read<Today>(ann.client, '/api/admin/today');
    expect(today.answers.completed).toBeGreaterThan(0);
    expect(today.drift).toBe(0);
    expect(today.money.paid).toMatchObject([{ currency: 'USD', minor: expect.any(Number) }]);
    const { users } = await read<{ users: { id: string }[] }>(
      ann.client,
      `/api/admin/users?find=${encodeURIComponent(user.email.slice(0, -4))}`,
    );
    expect(users.map(({ id }) => id)).toEqual([user.userId]);
    const screen = await read<UserScreen>(ann.client, `/api/admin/users/${user.userId}`);
    expect(screen.credits.balance).toBe(await user.balance());
    expect(screen.orders).toMatchObject([{ provider: 'creem', status: 'paid', price: { currency: 'USD' } }]);
    expect(screen.subscriptions).toMatchObject([{ plan: 'gemini_basic', state: 'active' }]);
    const orders = await read<OrdersScreen>(ann.client, '/api/admin/orders?status=paid');
    const order = orders.orders.find(({ userId }) => userId === user.userId);
    expect(order?.email).toBe(user.email);
    const comparison = await read<ComparisonScreen>(ann.client, `/api/admin/orders/${order?.id}/comparison`);
    expect(comparison.differences).toEqual([]);
    const { currency, minor } = order?.price ?? {};
    expect(comparison.answered).toContainEqual(
      expect.objectContaining({ kind: 'payment', paid: { currency, minor }, problem: null, isKnown: true }),
    );
    expect((await read<LedgerScreen>(ann.client, '/api/admin/ledger')).drift).toEqual([]);
    expect((await read<InboxScreen>(ann.client, '/api/admin/inbox?status=failed')).webhooks).toEqual([]);
    expect((await read<FailuresScreen>(ann.client, '/api/admin/failures')).nextCursor).toBeNull();
    expect((await read<PersonalDataScreen>(ann.client, '/api/admin/personal-data')).deletions).toEqual([]);
  });

  it('show today beside the 24 hours before it', async () => {
    await user.buy('creem');
    await ask(user.client);
    const { answers, firstText, credits, money, users } = await read<Today>(ann.client, '/api/admin/today');
    const { completed, stopped, failed, interrupted } = answers;
    const { database, clock } = shop.app.deps;
    const tomorrow = await readToday({
      database,
      clock: { ...clock, now: () => new Date(Date.now() + DAY_MS + MINUTE_MS) },
    });
    expect(tomorrow.before).toEqual({
      answers: { completed, stopped, failed, interrupted },
      firstText,
      charged: credits.charged,
      paid: money.paid,
      lost: money.lost,
      users,
    });
    expect(tomorrow).toMatchObject({
      answers: { completed: 0 },
      credits: { charged: 0 },
      money: { paid: [] },
      users: { opened: 0, active: 0 },
    });
  });

  it('show what differs between an order and its provider, and nothing once it is taken over', async () => {
    const { order, charges } = await user.buy('creem');
    await shop.creem.control.act('dispute', { transaction: charges[0]?.transactionId });
    const path = `/api/admin/orders/${order.id}/comparison`;
    const { differences } = await read<ComparisonScreen>(ann.client, path);
    expect(differences).toEqual(
      expect.arrayContaining([
        { what: 'order', change: 'gone', orderId: order.id, status: 'paid' },
        { what: 'order', change: 'new', orderId: order.id, status: 'disputed' },
      ]),
    );
    expect(await act(ann.client, { act: 'adopt_order', orderId: order.id })).toEqual(DONE);
    // A disputed subscription is ended at the provider meanwhile.
    await expect.poll(async () => (await read<ComparisonScreen>(ann.client, path)).differences).toEqual([]);
  });

  it('show exports and deletions that are due, with what went wrong', async () => {
    const [asked, next] = [Date.now() - 90_000_000, Date.now() + 90_000_000];
    await shop.sql`
      insert into deletions (user_id, asked_at, tries, next_try_at, error)
      values (${user.userId}, ${new Date(asked)}, 3, ${new Date(next)}, 'the provider is away')`;
    await shop.sql`
      insert into exports (id, user_id, state, requested_at, tries, error, next_try_at, ended_at, language)
      values (${randomUUID()}, ${ben.userId}, 'failed', ${new Date(asked)}, 2, 'no room', ${new Date(asked)},
              ${new Date(asked)}, 'zh')`;
    const due = await read<PersonalDataScreen>(ann.client, '/api/admin/personal-data');
    expect(due.deletions).toContainEqual({
      ...{ userId: user.userId, askedAt: asked, tries: 3, nextTryAt: next, error: 'the provider is away' },
    });
    expect(due.exports).toContainEqual({
      ...{ userId: ben.userId, state: 'failed', requestedAt: asked, tries: 2, error: 'no room' },
    });
    await shop.sql`delete from deletions where user_id = ${user.userId}`;
  });

  it('show what answers earned and cost as the command line does, and the same as CSV', async () => {
    await user.buy('creem');
    // What is left was paid.
    expect(await act(ann.client, { act: 'take', userId: user.userId, credits: 40 })).toEqual(DONE);
    await ask(user.client);
    const margin = await read<MarginScreen>(ann.client, '/api/admin/margin?days=1');
    const today = new Date().toISOString().slice(0, 10);
    expect(margin).toMatchObject({ from: today, to: today, total: { name: null } });
    expect(margin.total.answers).toBeGreaterThan(0);
    expect(margin.total.revenue).toBeGreaterThan(0);
    expect(margin.byModel.map(({ name }) => name)).toContain('gemini-2.5-flash-lite');
    const sections = await listMargin(shop.app.deps, today, today);
    const shown = sections.flatMap((section) => (typeof section === 'string' ? [] : section.rows));
    const lines = [margin.total, ...margin.byModel, ...margin.byPlan, ...margin.byFeature];
    expect(shown.map(({ name, revenue, margin: left }) => [name, Number(revenue), Number(left)])).toEqual(
      lines.map(({ name, revenue, margin: left }) => [name ?? '', inDollars(revenue), inDollars(left)]),
    );
    const paid = await read<MarginScreen>(
      ann.client,
      `/api/admin/margin?from=${today}&to=${today}&users=paid`,
    );
    expect(paid.byPlan.map(({ name }) => name)).not.toContain('free');
    const response = await ann.client.get(`/api/admin/margin.csv?from=${today}&to=${today}`);
    expect(response.headers.get('content-disposition')).toContain(`margin-${today}-${today}.csv`);
    expect((await response.text()).split('\r\n')).toHaveLength(lines.length + 2);
  });

  it.each([
    ['of more than a year', 'from=2025-01-01&to=2026-06-01'],
    ['that end before they begin', 'from=2026-06-02&to=2026-06-01'],
    ['that no calendar has', 'from=2026-02-30'],
    ['at the end of time', 'from=9999-12-01&to=9999-12-31'],
    ['of another number', 'days=8'],
  ])('show no margin of days %s', async (_, query) => {
    expect((await ann.client.get(`/api/admin/margin?${query}`)).status).toBe(422);
    expect((await ann.client.get(`/api/admin/margin.csv?${query}`)).status).toBe(422);
  });

  it('begin no free month of a user whom an operator looks at', async () => {
    const createdAt = new Date(Date.now() - 70 * 86_400_000);
    const { userId } = await insertUser(shop.sql, { createdAt });
    const months = async () => (await shop.sql`select from credit.bucket where user_id = ${userId}`).count;
    const before = await months();
    await read<UserScreen>(ann.client, `/api/admin/users/${userId}`);
    expect(await months()).toBe(before);
    await readBalance(shop.app.deps, userId);
    expect(await months()).toBe(before + 1);
  });
});

describe('the ledger', () => {
  const screen = () => read<LedgerScreen>(ann.client, '/api/admin/ledger');

  it('shows what the check of each minute last found and when, and looks at all when it is asked to', async () => {
    const { database, metrics, config, clock } = shop.app.deps;
    const log = { error: () => {} } as unknown as Deps['log'];
    await ask(user.client);
    const damage = (by: number) =>
      shop.sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx`update credit.hold set cost = cost + ${by} where user_id = ${user.userId}`;
      });
    const lookEachMinute = async () => {
      const found = [
        ...(await verifyBooked({ database, log }, 0)),
        ...(await verifyBooked({ database, log }, 0)),
      ];
      const watch = watchProcess(
        { database, metrics, config, clock },
        new Set(found.map(({ userId }) => userId)),
      );
      await recordAlerts({ database, config, clock }, watch);
    };
    const before = Date.now();
    await lookEachMinute();
    const { checkedAt, ...rest } = await screen();
    expect(rest).toEqual({ isLate: false, drift: [], hasMore: false, unrecovered: [] });
    expect(checkedAt).toBeGreaterThanOrEqual(before - 1_000);

    await ask(user.client);
    await damage(5);
    const fault = { kind: 'hold', userId: user.userId };
    expect((await screen()).drift).toEqual([]);
    const whole = await read<LedgerCheck>(ann.client, '/api/admin/ledger/check');
    expect(whole).toMatchObject({ drift: [fault, fault], hasMore: false });
    await lookEachMinute();
    expect(await screen()).toMatchObject({ isLate: false, drift: [fault, fault], hasMore: false });
    await damage(-5);
    expect((await screen()).drift).toEqual([]);
    await shop.sql`update credit.checking set noted_at = noted_at - interval '6 minutes'`;
    expect((await screen()).isLate).toBe(true);
    await shop.sql`update credit.checking set noted_at = '-infinity'`;
    expect(await screen()).toMatchObject({ checkedAt: null, isLate: true });
    await shop.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update credit.bucket set starts_at = clock_timestamp(), expires_at = clock_timestamp() + interval '1 day'`;
    });
    expect(await screen()).toMatchObject({ checkedAt: null, isLate: false });
  });
});

describe('the check of the whole ledger', () => {
  const ACCOUNTS = 600;
  const looked = async () => {
    const [row] = await shop.sql<{ count: number }[]>`
      select case when is_called then last_value else 0 end::int as count from looked`;
    return row?.count ?? 0;
  };
  /** How many accounts were looked at when none has been for a second. */
  const lookedInAll = async () => {
    let before = -1;
    for (let now = await looked(); now !== before; now = await looked()) {
      before = now;
      await sleep(1_000);
    }
    return before;
  };

  it.runIf(IS_LONG)('ends with the last who waits for it', async () => {
    await shop.sql`create sequence looked`;
    // Each account takes ten milliseconds, and only those that are asked for.
    await shop.sql`
      create function look() returns boolean language plpgsql cost 1000000
          as 'begin perform nextval(''looked''), pg_sleep(0.01); return false; end'`;
    await shop.sql`
      create or replace view credit.drift as
        select 'bucket' as kind, user_id, '{}'::jsonb as detail from credit.account where look()`;
    await shop.sql`
      insert into users (id, email, display_name, created_at, last_login_at)
      select id, id::text || '@example.test', 'Somebody', now(), now()
        from (select gen_random_uuid() as id from generate_series(1, ${ACCOUNTS})) new`;
    const ask = ({ client }: Person) => {
      const going = new AbortController();
      const answer = client.request('/api/admin/ledger/check', { signal: going.signal }).catch(() => null);
      return { going, answer };
    };
    const [one, other] = [ask(ann), ask(ben)];
    await expect.poll(looked).toBeGreaterThan(0);
    one.going.abort();
    expect(await one.answer).toBeNull();
    const seen = await looked();
    await expect.poll(looked).toBeGreaterThan(seen + 100);
    other.going.abort();
    expect(await other.answer).toBeNull();
    expect(await lookedInAll()).toBeLessThan(ACCOUNTS);
    expect((await read<LedgerCheck>(ann.client, '/api/admin/ledger/check')).drift).toEqual([]);
    expect(await looked()).toBeGreaterThan(ACCOUNTS);
  });
});
