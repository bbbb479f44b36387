import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { CheckoutAnswer } from '#contract/billing.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { moveTime } from '#test/fake-clock.ts';
import { startMailbox } from '#test/mailbox.ts';
import { PATIENT } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** While a purchase is looked at, it is due again after this time. */
const PROJECTION_LEASE_MS = 60_000;

let shop: Shop;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
beforeAll(async () => {
  mailbox = await startMailbox();
  shop = await openShop({ webhooks: true, env: mailbox.settings });
});
afterAll(async () => {
  await shop.close();
  await mailbox.close();
});

/** Every webhook read, and every purchase that is due looked at. */
async function settle() {
  const { sql, clock } = shop;
  for (const { control } of [shop.creem, shop.bagelpay]) await control.settle();
  await vi.waitFor(async () => {
    expect((await sql`select from billing.inbox where status = 'new'`).count).toBe(0);
    const soon = new Date(clock.now().getTime() + PROJECTION_LEASE_MS + 1_000);
    expect((await sql`select from billing.account where next_change_at <= ${soon}`).count).toBe(0);
  }, PATIENT);
}

async function moveTo(target: number) {
  const { clock, creem, bagelpay } = shop;
  await moveTime(clock, [creem.control, bagelpay.control], target, settle);
  await signInAgain();
}

/** Sessions are made by the real clock, and live by the moved one. */
async function signInAgain() {
  const now = shop.clock.now();
  await shop.sql`update sessions set created_at = ${now}, used_at = ${now}, expires_at = ${new Date(now.getTime() + 30 * DAY)}`;
}

async function newBuyer() {
  const buyer = await shop.buyer();
  await signInAgain();
  return buyer;
}

const moveBy = (ms: number) => moveTo(shop.clock.now().getTime() + ms);

/** Waits until nothing is left to send, and returns the subjects that came to an address, the oldest first. */
async function subjects(email: string): Promise<string[]> {
  const { sql } = shop;
  await vi.waitFor(
    async () => expect((await sql`select from mails where ended_at is null`).count).toBe(0),
    PATIENT,
  );
  return (await mailbox.list(email)).map(({ subject }) => subject).reverse();
}

/** A person who has just bought something; `end` is when the first period does. */
async function subscriber(
  provider: 'creem' | 'bagelpay',
  plan = 'gemini_basic',
  cycle = 'monthly',
  card?: string,
) {
  const buyer = await newBuyer();
  const response = await buyer.begin(provider, plan, cycle);
  const { orderId } = (await response.json()) as CheckoutAnswer;
  await buyer.pay(provider, orderId, card);
  await settle();
  const { expiresAt } = await buyer.status();
  return { ...buyer, orderId, end: expiresAt ?? 0 };
}

it('a purchase, its reminder and its renewal are told once each, however often the webhooks come', async () => {
  const { email, end, orderId, userId } = await subscriber('creem');
  expect(await subjects(email)).toEqual(['收据：基础版（按月）']);
  const [receipt] = await mailbox.list(email);
  expect(receipt?.text).toContain('$6.90');
  expect(receipt?.text).toContain(orderId);
  expect(receipt?.text).toContain('500 Credits');
  expect(receipt?.text).toContain(`/zh/orders/${orderId}`);

  await moveTo(end - 3 * DAY - HOUR);
  expect(await subjects(email)).toHaveLength(1);
  await moveTo(end - 3 * DAY + HOUR);
  const reminded = await subjects(email);
  expect(reminded).toHaveLength(2);
  expect(reminded[1]).toMatch(/^基础版（按月）将于 \d{4} 年 \d+ 月 \d+ 日续费$/);
  expect((await mailbox.list(email))[0]?.text).toContain('$6.90');

  await moveTo(end + 7 * HOUR);
  expect((await subjects(email))[2]).toBe('收据：基础版（按月）');
  await shop.sql`update billing.account set next_change_at = ${shop.clock.now()} where user_id = ${userId}`;
  await settle();
  expect(await subjects(email)).toHaveLength(3);
});

it.runIf(IS_LONG)(
  'a plan that was cancelled is not reminded of; its end is told with the reason',
  async () => {
    const { email, end, client, orderId } = await subscriber('creem', 'gemini_pro');
    expect((await client.post('/api/subscription/cancel', { orderId })).status).toBe(200);
    await moveTo(end - 2 * DAY - HOUR);
    expect(await subjects(email)).toHaveLength(1);
    await moveTo(end + HOUR);
    expect((await subjects(email))[1]).toBe('专业版（按月）已结束');
    expect((await mailbox.list(email))[0]?.text).toContain('没有再续费');
  },
);

it.runIf(IS_LONG)('a renewal that fails is told with the end of the grace, and so is the end', async () => {
  const { email, end } = await subscriber('creem', 'gemini_basic', 'monthly', '4000000000000341');
  await moveTo(end + 7 * HOUR);
  const told = await subjects(email);
  expect(told).toHaveLength(2);
  expect(told[1]).toBe('还没收到基础版（按月）的续费');
  expect((await mailbox.list(email))[0]?.text).toMatch(/用到 \d{4} 年 \d+ 月 \d+ 日 \d\d:\d\d（UTC）/);
  await moveTo(end + 4 * DAY);
  expect((await subjects(email))[2]).toBe('基础版（按月）已结束');
  expect((await mailbox.list(email))[0]?.text).toContain('一直没有收到');
});

it('a refund ends the plan, which is told with the reason', async () => {
  const { email, orderId } = await subscriber('bagelpay');
  const { control } = shop.bagelpay;
  const { checkouts, transactions } = await control.ledger();
  const checkout = checkouts.find(({ requestId }) => requestId === orderId);
  const transaction = transactions.find(({ checkoutId }) => checkoutId === checkout?.id)?.id;
  await control.act('refund', { transaction });
  await settle();
  expect((await subjects(email))[1]).toBe('基础版（按月）已结束');
  expect((await mailbox.list(email))[0]?.text).toContain('付款已退款');
});

it.runIf(IS_LONG)('an annual renewal is told seven days before, in the language of the user', async () => {
  const { email, end, userId } = await subscriber('bagelpay', 'gemini_pro', 'annual');
  await shop.sql`update users set language = 'en' where id = ${userId}`;
  await moveTo(end - 7 * DAY + HOUR);
  expect((await subjects(email))[1]).toMatch(/^Pro \(yearly\) renews on \w+ \d+, \d{4}$/);
});

it.runIf(IS_LONG)('a reminder whose plan was cancelled before it went out is not sent', async () => {
  const { email, end, client, orderId } = await subscriber('creem');
  await moveTo(end - 3 * DAY - HOUR);
  await mailbox.refuse(451, 1_000);
  await moveBy(2 * HOUR);
  const { sql } = shop;
  await vi.waitFor(async () => {
    const [row] =
      await sql`select tries, ended_at from mails where to_address = ${email} and template = 'renewal_reminder'`;
    expect(row).toMatchObject({ tries: 1, ended_at: null });
  }, PATIENT);
  expect((await client.post('/api/subscription/cancel', { orderId })).status).toBe(200);
  await mailbox.refuse(451, 0);
  await sql`update mails set next_try_at = ${shop.clock.now()} where ended_at is null`;
  expect(await subjects(email)).toHaveLength(1);
  expect(
    await sql`select outcome from mails where to_address = ${email} and template = 'renewal_reminder'`,
  ).toEqual([{ outcome: 'unwanted' }]);
});

it('a charge that is learnt of after days brings no receipt', async () => {
  const buyer = await newBuyer();
  const response = await buyer.begin('creem');
  const { orderId } = (await response.json()) as CheckoutAnswer;
  await shop.creem.control.act('webhook', { url: 'http://127.0.0.1:9/away' });
  await buyer.pay('creem', orderId);
  const { clock, creem, bagelpay } = shop;
  const target = clock.now().getTime() + 5 * DAY;
  clock.moveTo(target);
  for (const { control } of [creem, bagelpay]) await control.moveTo(target);
  // A provider that is slow is waited for in part only.
  await expect.poll(async () => (await buyer.receipt(orderId)).charges).toHaveLength(1);
  expect(await subjects(buyer.email)).toEqual([]);
});
