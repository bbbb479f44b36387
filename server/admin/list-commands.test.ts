import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FailuresScreen, OrdersScreen, Today } from '#contract/admin/screens.ts';
import { act, giving, read } from '#test/admin/console.ts';
import { openPeople, type Person } from '#test/admin/people.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { ask } from '#test/chat/chat.ts';
import { parseCommand, UsageError } from './parse-command.ts';
import { presentSections, type Section } from './present-sections.ts';
import { runCommand, type UsualCommand } from './run-command.ts';

let shop: Shop;
let [ann, user]: Person[] = [];
beforeAll(async () => {
  shop = await openShop();
  [ann, , user] = await openPeople(shop);
});
afterAll(() => shop.close());

const people = (): { ann: Person; user: Person } => {
  if (!ann || !user) throw new Error('nobody is there');
  return { ann, user };
};

/** What an operator sees who types this: the rows of each table by its English title, all of it as text, and the exit code. */
async function type(...argv: string[]) {
  const command = parseCommand(argv) as UsualCommand;
  const { sections, code } = await runCommand(shop.app.deps, { ...command, actor: 'root' });
  const tables = sections.filter((one): one is Exclude<Section, string> => typeof one !== 'string');
  const rowsOf = (title: string) => tables.find((one) => one.title.endsWith(title))?.rows;
  const text = presentSections(sections);
  return { rowsOf, text, code, cursor: /--cursor (\S+) for the next page/.exec(text)?.[1] ?? null };
}

it('today shows what the console shows, and its exit code says whether something needs the operator', async () => {
  const { ann, user } = people();
  await user.buy('creem');
  await ask(user.client);
  const today = await read<Today>(ann.client, '/api/admin/today');
  const calm = await type('today');
  expect(calm.code).toBe(0);
  expect(calm.rowsOf('Answers of the last 24 hours')).toEqual([
    { ...today.answers, p50: today.firstText.p50, p99: today.firstText.p99 },
  ]);
  expect(calm.rowsOf('The 24 hours before')).toMatchObject([{ completed: 0, p50: null, charged: 0 }]);
  expect(calm.rowsOf('Use')).toMatchObject([{ charged: today.credits.charged, drift: 0, ...today.users }]);
  expect(calm.rowsOf('Money')).toEqual([{ currency: 'USD', paid_sum: '6.90', lost_sum: '0.00' }]);
  expect(calm.rowsOf('Waiting')).toMatchObject([{ ...today.waiting, uncredited: 0, webhooks: 0 }]);
  await shop.sql`
    insert into operator_alerts (kind, subject, details, raised_at, seen_at)
    values ('upstream_auth', 'parley-flash', '{}', now(), now())`;
  const alarmed = await type('today');
  expect([alarmed.code, alarmed.text]).toEqual([
    1,
    expect.stringMatching(/模型服务.*parley-flash.* The model provider rejects our key for parley-flash/),
  ]);
  await shop.sql`delete from operator_alerts`;
});

it('failures are read page by page as in the console', async () => {
  const { ann, user } = people();
  await shop.sql`
    insert into messages (id, user_id, content, response, model, cost, owner, status, error_code, created_at, ended_at, end_seq)
    select gen_random_uuid(), ${user.userId}, 'asked', '', 'parley-flash', 15, gen_random_uuid(), 'failed', 'upstream_failed',
           now() - interval '1 hour', now() - interval '1 hour' + n * interval '1 second', 1 from generate_series(1, 60) n`;
  const shown: unknown[] = [];
  let screen = await read<FailuresScreen>(ann.client, '/api/admin/failures');
  let page = await type('failures');
  for (;;) {
    const rows = page.rowsOf('Answers that failed') ?? [];
    expect(rows.map(({ message }) => message)).toEqual(screen.failures.map(({ messageId }) => messageId));
    expect(page.cursor).toBe(screen.nextCursor);
    shown.push(...rows);
    if (page.cursor === null) break;
    screen = await read<FailuresScreen>(ann.client, `/api/admin/failures?cursor=${page.cursor}`);
    page = await type('failures', '--cursor', page.cursor);
  }
  expect(shown).toHaveLength(60);
  expect(shown[0]).toMatchObject({
    status: 'failed',
    code: 'upstream_failed',
    user: user.userId,
    released: 15,
  });
});

it('orders are listed by status, after what was paid and not credited', async () => {
  const { ann } = people();
  const other = await shop.buyer();
  expect((await other.begin('bagelpay')).status).toBe(200);
  await shop.sql`
    insert into billing.uncredited (provider, transaction_id, reason, amount_minor, currency, found_at, alert_at)
    values ('creem', 'tran_of_nobody', 'unknown_user', 490, 'USD', now(), now() + interval '1 day'),
           ('creem', 'tran_in_yen', 'unknown_user', 1000, 'JPY', now() + interval '1 second', now() + interval '1 day')`;
  for (const status of ['open', 'paid']) {
    const { orders } = await read<OrdersScreen>(ann.client, `/api/admin/orders?status=${status}`);
    const { rowsOf } = await type('orders', '--status', status);
    expect(orders.length).toBeGreaterThan(0);
    expect(rowsOf('Orders')).toMatchObject(orders.map(({ id, number }) => ({ id, number, status })));
  }
  const all = await type('orders');
  expect(all.rowsOf('Paid, not credited')).toMatchObject([
    { payment_key: 'creem:tran_of_nobody', paid: '4.90 USD' },
    { payment_key: 'creem:tran_in_yen', paid: '1000 JPY' },
  ]);
  expect(all.text).toMatch(/creem +gemini_basic +monthly +6\.90 USD +paid/);
  await shop.sql`delete from billing.uncredited`;
});

it('the audit log is read by operator, act and user, and acts that wait are listed', async () => {
  const { ann, user } = people();
  await act(ann.client, giving(3, user.userId));
  await act(ann.client, giving(10_001, user.userId));
  await type('sign-out', user.email, '--reason', 'lost phone');
  const given = await type('audit', '--by', ann.email, '--act', 'grant');
  expect(given.rowsOf('Audit log')).toMatchObject([
    { actor: ann.email, via: 'console', act: 'grant', user: user.userId, reason: 'because' },
  ]);
  const of = await type('audit', '--user', user.email);
  expect(of.rowsOf('Audit log')).toMatchObject([
    { actor: 'root', via: 'command line', act: 'sign_out', reason: 'lost phone' },
    { actor: ann.email, via: 'console', act: 'propose' },
    { act: 'grant' },
  ]);
  expect((await type('proposals')).rowsOf('Waiting for approval')).toMatchObject([
    { actor: ann.email, act: 'grant', user: user.email, details: { credits: 10_001 } },
  ]);
  expect((await type('today')).rowsOf('Waiting')).toMatchObject([{ proposals: 1 }]);
});

it('exports and deletions that are due, disputes, signs of abuse and users are listed', async () => {
  const { ann, user } = people();
  await shop.sql`
    insert into deletions (user_id, asked_at, tries, next_try_at, error) values (${ann.userId}, now(), 3, now() + interval '1 day', 'away')`;
  await shop.sql`
    insert into exports (id, user_id, state, requested_at, tries, error, next_try_at, ended_at, language)
    values (${randomUUID()}, ${user.userId}, 'failed', now(), 2, 'no room', now(), now(), 'zh')`;
  const due = await type('personal-data');
  expect(due.rowsOf('Deletions')).toMatchObject([{ user: ann.userId, tries: 3, error: 'away' }]);
  expect(due.rowsOf('Exports')).toMatchObject([{ user: user.userId, state: 'failed', error: 'no room' }]);
  await shop.sql`delete from deletions`;

  const payer = await shop.buyer();
  const { order, charges } = await payer.buy('creem');
  await shop.creem.control.act('dispute', { transaction: charges[0]?.transactionId });
  await type('compare', order.id, '--apply', '--reason', 'look');
  expect((await type('disputes')).rowsOf('Disputes and refunds')).toMatchObject([
    { user: payer.email, payment_key: `creem:${charges[0]?.transactionId}`, reason: 'dispute', open: true },
  ]);
  const abuse = await type('abuse');
  expect(abuse.rowsOf('by email domain')).toMatchObject([
    { domain: 'example.test', given: expect.any(Number) },
  ]);
  expect(abuse.code).toBe(0);
  const found = await type('users', user.email.slice(0, -4));
  expect(found.rowsOf('Users')).toMatchObject([{ id: user.userId, email: user.email, leaving: false }]);
});

it('without the server’s secret nothing can be granted by facts, and signs of abuse say what is missing', async () => {
  const buyer = await shop.buyer();
  const { order } = await buyer.buy('creem');
  const deps = { ...shop.app.deps, config: { ...shop.app.config, authSecret: '' } };
  const run = (...argv: string[]) =>
    runCommand(deps, { ...(parseCommand(argv) as UsualCommand), actor: 'root' });
  await expect(run('compare', order.id, '--apply', '--reason', 'look')).rejects.toMatchObject({
    code: 'not_configured',
    params: { setting: 'AUTH_SECRET' },
  });
  expect((await run('user', buyer.email)).code).toBe(0);
  expect(presentSections((await run('abuse')).sections)).toContain('AUTH_SECRET is missing');
  expect((await type('abuse')).text).not.toContain('AUTH_SECRET');
});

it.each([
  ['failures', '1'],
  ['orders', '1_2'],
  ['audit', 'x'],
])('%s does not begin at a place that no page names', async (name, cursor) => {
  await expect(type(name, '--cursor', cursor)).rejects.toThrow(UsageError);
});
