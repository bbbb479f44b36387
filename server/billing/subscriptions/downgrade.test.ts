import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BillingStatus, CheckoutAnswer } from '#contract/billing.ts';
import { PROVIDERS } from '#contract/choices.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { startMailbox } from '#test/mailbox.ts';

const DAY = 86_400_000;
const POLL = { interval: 100 };
const BASIC = { planKey: 'gemini_basic', cycle: 'monthly' } as const;

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

type Buyer = Awaited<ReturnType<Shop['buyer']>>;
const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;
const downgrade = (buyer: Buyer, to: object = BASIC) => buyer.client.post('/api/subscription/downgrade', to);
/** How often a buyer was charged. */
async function charges(buyer: Buyer): Promise<number> {
  const all = await Promise.all(Object.values(shop.worlds).map(({ control }) => control.ledger()));
  return all.flatMap(({ customers, transactions }) => {
    const own = customers.find(({ email }) => email === buyer.email)?.id;
    return transactions.filter(({ customerId }) => customerId === own);
  }).length;
}
/** Sessions are made by the real clock, and live by the moved one. */
async function signInAgain() {
  const now = shop.clock.now();
  await shop.sql`update sessions set created_at = ${now}, used_at = ${now}, expires_at = ${new Date(now.getTime() + 30 * DAY)}`;
}
async function moveDays(days: number) {
  await shop.moveDays(days);
  await signInAgain();
}
async function proBuyer(name: 'creem' | 'bagelpay', cycle?: string) {
  const buyer = await shop.buyer();
  await signInAgain();
  await buyer.buy(name, 'gemini_pro', cycle);
  await expect.poll(buyer.status, POLL).toMatchObject({ active: true, subscriptions: [{ canCancel: true }] });
  return buyer;
}

describe.each(PROVIDERS)('a downgrade at %s', (name) => {
  it('charges nothing today, ends what runs with its period, and is offered three days before', async () => {
    const buyer = await proBuyer(name);
    const before = await charges(buyer);
    const balance = await buyer.balance();
    const response = await downgrade(buyer);
    expect(response.status).toBe(200);
    const status = (await response.json()) as BillingStatus;
    expect(status).toMatchObject({ planKey: 'gemini_pro', active: true, cancelAtPeriodEnd: true });
    expect(status.wish).toMatchObject({ ...BASIC, open: false, until: status.expiresAt });
    expect(status.wish?.from).toBe((status.expiresAt ?? 0) - 3 * DAY);
    const early = await buyer.begin(name);
    expect([early.status, await codeOf(early)]).toEqual([409, 'downgrade_charges_today']);
    expect([await charges(buyer), await buyer.balance()]).toEqual([before, balance]);

    await moveDays(((status.wish?.from ?? 0) - shop.clock.now().getTime()) / DAY + 0.01);
    const [mail] = await mailbox.waitFor(buyer.email, 1, /现在可以改为/);
    expect(mail?.text).toContain('/subscription');
    expect((await buyer.status()).wish).toMatchObject({ ...BASIC, open: true });
    const { order } = await buyer.buy(name);
    expect(order).toMatchObject({ status: 'paid', planKey: 'gemini_basic' });
    const after = await buyer.status();
    expect(after).toMatchObject({ planKey: 'gemini_pro', active: true, wish: null });
    await moveDays(5);
    await expect
      .poll(buyer.status, POLL)
      .toMatchObject({ planKey: 'gemini_basic', active: true, state: 'active' });
    expect(await charges(buyer)).toBe(before + 1);
  });

  it('sooner charges at once, for whoever says so', async () => {
    const buyer = await proBuyer(name);
    const response = await buyer.begin(name, 'gemini_basic', 'monthly', { chargeNow: true });
    expect(response.status).toBe(200);
    const { orderId } = (await response.json()) as CheckoutAnswer;
    await buyer.pay(name, orderId);
    await expect.poll(async () => (await buyer.receipt(orderId)).order.status, POLL).toBe('paid');
    const [upper, lower] = (await buyer.status()).subscriptions;
    expect([upper?.planKey, upper?.renews, lower?.planKey, lower?.renews]).toEqual([
      'gemini_pro',
      false,
      'gemini_basic',
      true,
    ]);
    // Another tab, which has not heard of the purchase.
    expect(await (await downgrade(buyer)).json()).toMatchObject({ planKey: 'gemini_pro', wish: null });
  });
});

describe('a downgrade', () => {
  it('from yearly to monthly is one too, and is taken back by resuming', async () => {
    const buyer = await proBuyer('creem', 'annual');
    const status = (await (
      await downgrade(buyer, { planKey: 'gemini_pro', cycle: 'monthly' })
    ).json()) as BillingStatus;
    expect(status.wish).toMatchObject({ planKey: 'gemini_pro', cycle: 'monthly' });
    expect((await buyer.client.post('/api/subscription/resume')).status).toBe(200);
    expect(await buyer.status()).toMatchObject({ wish: null, cancelAtPeriodEnd: false });
    await buyer.client.post('/api/subscription/cancel');
    expect((await buyer.status()).wish).toBeNull();
  });

  it('that was taken back at its provider does not come back with a later cancellation', async () => {
    const buyer = await proBuyer('creem');
    expect(((await (await downgrade(buyer)).json()) as BillingStatus).wish).not.toBeNull();
    await expect.poll(async () => (await buyer.status()).subscriptions[0]?.cancelling, POLL).toBe(false);
    const subscription = (await shop.creem.control.ledger()).subscriptions.at(-1)?.id;
    await shop.creem.control.act('resume', { subscription });
    const wishes = () => shop.sql`select from billing.plan_wishes where user_id = ${buyer.userId}`;
    await expect.poll(async () => (await wishes()).count, POLL).toBe(0);
    await buyer.client.post('/api/subscription/cancel');
    expect(await buyer.status()).toMatchObject({ cancelAtPeriodEnd: true, wish: null });
  });

  it('stays planned when its provider cannot be reached to resume', async () => {
    const buyer = await proBuyer('creem');
    const { wish } = (await (await downgrade(buyer)).json()) as BillingStatus;
    await expect.poll(async () => (await buyer.status()).subscriptions[0]?.cancelling, POLL).toBe(false);
    await shop.creem.control.apiFault({ status: 503, match: 'resume' });
    expect((await buyer.client.post('/api/subscription/resume')).status).toBe(502);
    expect(await buyer.status()).toMatchObject({ cancelAtPeriodEnd: true, wish });
  });

  it('is over once something is bought, also by a checkout that was opened before', async () => {
    const buyer = await proBuyer('creem');
    const response = await buyer.begin('creem', 'gemini_pro', 'annual');
    const { orderId } = (await response.json()) as CheckoutAnswer;
    expect(((await (await downgrade(buyer)).json()) as BillingStatus).wish).not.toBeNull();
    await moveDays(0.001);
    await buyer.pay('creem', orderId);
    await expect.poll(async () => (await buyer.receipt(orderId)).order.status, POLL).toBe('paid');
    expect((await buyer.status()).wish).toBeNull();
  });

  it('is refused without a plan, for a higher one and for the same', async () => {
    const nobody = await shop.buyer();
    await signInAgain();
    expect((await downgrade(nobody)).status).toBe(404);
    const buyer = await shop.buyer();
    await signInAgain();
    await buyer.buy('creem');
    await expect
      .poll(buyer.status, POLL)
      .toMatchObject({ active: true, subscriptions: [{ canCancel: true }] });
    for (const to of [
      BASIC,
      { planKey: 'gemini_pro', cycle: 'monthly' },
      { planKey: 'gemini_basic', cycle: 'annual' },
    ]) {
      const response = await downgrade(buyer, to);
      expect([response.status, await codeOf(response)]).toEqual([409, 'not_a_downgrade']);
    }
    expect((await downgrade(buyer, { planKey: 'gemini_gold', cycle: 'monthly' })).status).toBe(422);
    expect(await buyer.status()).toMatchObject({ cancelAtPeriodEnd: false, wish: null });
  });
});
