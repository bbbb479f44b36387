import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { payOtherPrice } from '#test/billing/pay-other-price.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { moveTime } from '#test/fake-clock.ts';
import { IS_LONG } from '#test/runs.ts';
import { closeBilling } from '../close-billing.ts';
import { applyFacts } from '../state/apply-facts.ts';
import {
  insertCancellation,
  leaseCancellationsOf,
  postponeCancellation,
  withdrawCancellation,
} from '../state/cancellation-store.ts';
import { lockAccount } from '../state/order-store.ts';
import { runCancellation } from './run-cancellation.ts';

const POLL = { interval: 50 };

describe.each([
  ['creem', 'scheduled_cancel'],
  ['bagelpay', 'canceled'],
] as const)('a subscription at %s that must not be charged again', (provider, ended) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ webhooks: true });
  });
  afterAll(async () => {
    await expectNoDrift(shop.sql);
    await shop.close();
  });

  async function upgraded() {
    const buyer = await shop.buyer();
    const basic = await buyer.buy(provider, 'gemini_basic');
    return { ...buyer, basic: basic.order.id };
  }

  async function statusAt(orderId: string) {
    const { checkouts, subscriptions } = await shop.worlds[provider].control.ledger();
    const checkout = checkouts.find(({ requestId }) => requestId === orderId);
    return subscriptions.find(({ checkoutId }) => checkoutId === checkout?.id)?.status;
  }

  const wanted = (userId: string) => shop.sql`
    select reason, done_at is not null as done, error is not null as failed
      from billing.cancellations where user_id = ${userId}`;

  it('is cancelled there when another plan replaces it; its plan and credits stay', async () => {
    const buyer = await upgraded();
    await buyer.buy(provider, 'gemini_pro');
    await expect.poll(() => statusAt(buyer.basic), POLL).toBe(ended);
    await expect
      .poll(() => wanted(buyer.userId), POLL)
      .toEqual([{ reason: 'replaced', done: true, failed: false }]);
    expect(await buyer.balance()).toBe(2_040);
    const { subscriptions } = await buyer.status();
    expect(subscriptions.filter(({ active }) => active)).toHaveLength(2);
    expect(subscriptions.filter(({ renews }) => renews)).toHaveLength(1);
  });

  it.runIf(IS_LONG)('is asked for again while its provider is away', async () => {
    const buyer = await upgraded();
    await shop.worlds[provider].control.apiFault({ status: 503, match: '/cancel' });
    await buyer.buy(provider, 'gemini_pro');
    await expect.poll(() => statusAt(buyer.basic), POLL).toBe(ended);
    await expect
      .poll(() => wanted(buyer.userId), POLL)
      .toEqual([{ reason: 'replaced', done: true, failed: false }]);
    const [tried] = await shop.sql`select tries from billing.cancellations where user_id = ${buyer.userId}`;
    expect(tried).toEqual({ tries: 2 });
  });

  it('counts as done when the customer has cancelled it at the provider meanwhile', async () => {
    const buyer = await upgraded();
    const { control } = shop.worlds[provider];
    const { subscriptions } = await control.ledger();
    await control.webhookFault('drop', { times: null, match: 'subscription.' });
    await control.act('cancel', { subscription: subscriptions.at(-1)?.id });
    await control.clearFaults();
    await buyer.buy(provider, 'gemini_pro');
    await expect
      .poll(() => wanted(buyer.userId), POLL)
      .toEqual([{ reason: 'replaced', done: true, failed: false }]);
    expect(await statusAt(buyer.basic)).toBe('canceled');
  });
});

describe('a subscription at creem whose paid period is over', () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await openShop({ webhooks: true });
  });
  afterEach(() => shop.close());

  /** Every webhook read. */
  async function settle() {
    await shop.creem.control.settle();
    const unread = () => shop.sql`select from billing.inbox where status = 'new'`;
    await expect.poll(async () => (await unread()).count, POLL).toBe(0);
  }

  /** Sessions are made by the real clock, and live by the moved one. */
  async function moveTo(target: number) {
    await moveTime(shop.clock, [shop.creem.control], target, settle);
    const now = shop.clock.now();
    await shop.sql`update sessions set created_at = ${now}, used_at = ${now}, expires_at = ${new Date(now.getTime() + DAY_MS)}`;
  }

  async function monthly() {
    const buyer = await shop.buyer();
    await buyer.buy('creem');
    await settle();
    return { ...buyer, end: (await buyer.status()).expiresAt ?? 0 };
  }

  it('and was declined since ends at once, so that no later try charges it, and keeps its grace', async () => {
    const { control } = shop.creem;
    const buyer = await monthly();
    await control.act('fail-renewals', { times: 1 });
    await moveTo(buyer.end + MINUTE_MS);
    await expect.poll(async () => (await buyer.status()).state, POLL).toBe('past_due');
    expect((await buyer.client.post('/api/subscription/cancel')).status).toBe(200);
    await expect.poll(async () => (await buyer.status()).subscriptions[0]?.cancelling, POLL).toBe(false);
    expect((await control.ledger()).subscriptions.map(({ status }) => status)).toEqual(['canceled']);
    expect(await buyer.status()).toMatchObject({ active: true, subscriptions: [{ renews: false }] });
    await moveTo(buyer.end + 8 * DAY_MS);
    expect((await control.ledger()).transactions).toHaveLength(1);
    expect(await buyer.status()).toMatchObject({ active: false });
    await expectNoDrift(shop.sql, buyer.userId);
  });

  it('ends at once though its provider refuses to say whether it was paid', async () => {
    const { control } = shop.creem;
    const buyer = await monthly();
    await control.act('fail-renewals', { times: 1 });
    await moveTo(buyer.end + MINUTE_MS);
    await control.apiFault({ status: 400, match: '/v1/subscriptions' });
    expect((await buyer.client.post('/api/subscription/cancel')).status).toBe(200);
    await expect.poll(async () => (await buyer.status()).subscriptions[0]?.cancelling, POLL).toBe(false);
    expect((await control.ledger()).subscriptions.map(({ status }) => status)).toEqual(['canceled']);
    const tries = await shop.sql`select tries from billing.cancellations where user_id = ${buyer.userId}`;
    expect(tries.map((row) => row.tries)).toEqual([1]);
  });

  it('and was renewed without our knowledge ends with the new period', async () => {
    const { control } = shop.creem;
    const buyer = await monthly();
    await control.webhookFault('drop', { times: null });
    await moveTo(buyer.end + MINUTE_MS);
    expect((await buyer.client.post('/api/subscription/cancel')).status).toBe(200);
    await expect.poll(async () => (await buyer.status()).subscriptions[0]?.cancelling, POLL).toBe(false);
    expect((await control.ledger()).subscriptions.map(({ status }) => status)).toEqual(['scheduled_cancel']);
    const { active, expiresAt } = await buyer.status();
    expect([active, (expiresAt ?? 0) > buyer.end]).toEqual([true, true]);
    await expectNoDrift(shop.sql, buyer.userId);
  });
});

describe('a subscription at creem that nothing paid and whose charges fail', () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await openShop();
  });
  afterEach(() => shop.close());

  /** Its first charge was refused for its price, its second one failed. */
  async function failing() {
    const { creem } = shop.app.deps.providers;
    if (!creem) throw new Error('no provider');
    const { control } = shop.creem;
    const buyer = await shop.buyer();
    await buyer.receipt(await payOtherPrice(shop, buyer));
    await control.act('fail-renewals', { times: 1 });
    await control.moveTo(shop.clock.now().getTime() + 31.2 * DAY_MS);
    const [subscription] = (await control.ledger()).subscriptions;
    const facts = await creem.fetchSubscription(subscription?.id ?? '');
    await applyFacts(shop.app.deps, { provider: 'creem', facts, source: 'question' });
    const statusAt = async () => (await control.ledger()).subscriptions[0]?.status;
    expect(await statusAt()).toBe('past_due');
    return { buyer, statusAt };
  }

  it('is ended before the account of its payer is deleted', async () => {
    const { buyer, statusAt } = await failing();
    // The provider is asked about an order once in 3 seconds.
    shop.clock.moveTo(shop.clock.now().getTime() + MINUTE_MS);
    await shop.sql`update users set leaving_at = ${shop.clock.now()} where id = ${buyer.userId}`;
    expect(await closeBilling(shop.app.deps, buyer.userId)).toBeNull();
    expect(await statusAt()).toBe('canceled');
  });

  it('is ended at once when a later purchase takes its place', async () => {
    const { buyer, statusAt } = await failing();
    expect((await buyer.status()).subscriptions).toEqual([]);
    await buyer.buy('creem');
    await expect.poll(statusAt, POLL).toBe('canceled');
    expect((await buyer.status()).subscriptions).toMatchObject([{ active: true, renews: true }]);
  });
});

it('a cancellation is withdrawn before a try and after one that failed, and not while one is under way', async () => {
  const shop = await openShop();
  try {
    const { userId } = await shop.buyer();
    const subscription = { provider: 'bagelpay', subscriptionId: 'sub_1' } as const;
    // No job takes it before its time.
    const askedAt = new Date(shop.clock.now().getTime() + DAY_MS);
    const ask = () =>
      shop.sql.begin(async (tx) => {
        await lockAccount(tx, userId);
        const wish = { ...subscription, userId, periodEnd: true, reason: 'user', askedAt } as const;
        await insertCancellation(tx, wish, askedAt);
      });
    const withdraw = () => withdrawCancellation(shop.sql, userId, subscription, askedAt);
    const take = async () => {
      const [taken] = await leaseCancellationsOf(shop.sql, userId, askedAt, MINUTE_MS);
      if (!taken) throw new Error('it is not due');
      return taken;
    };
    await ask();
    expect(await withdraw()).toBe(true);
    await ask();
    for (let times = 2; times > 0; times -= 1) {
      const taken = await take();
      expect(await withdraw()).toBe(false);
      await postponeCancellation(shop.sql, taken, askedAt, 'the provider is away');
    }
    expect(await withdraw()).toBe(true);
    expect(await leaseCancellationsOf(shop.sql, userId, askedAt, MINUTE_MS)).toEqual([]);
  } finally {
    await shop.close();
  }
});

it('whoever leaves waits for a try to cancel that a job has begun', async () => {
  const shop = await openShop();
  try {
    const buyer = await shop.buyer();
    const { userId } = buyer;
    await buyer.buy('creem');
    const subscriptionId = (await buyer.status()).subscriptions[0]?.subscriptionId ?? '';
    const askedAt = shop.clock.now();
    const taken = await shop.sql.begin(async (tx) => {
      await lockAccount(tx, userId);
      await tx`update users set leaving_at = ${askedAt} where id = ${userId}`;
      const wanted = { userId, subscriptionId, periodEnd: false, reason: 'left', askedAt } as const;
      await insertCancellation(tx, { provider: 'creem', ...wanted }, askedAt);
      const [first] = await leaseCancellationsOf(tx, userId, askedAt, MINUTE_MS);
      if (!first) throw new Error('it is not due');
      return first;
    });
    const closing = closeBilling(shop.app.deps, userId);
    await sleep(300);
    await runCancellation(shop.app.deps, taken);
    expect(await closing).toBeNull();
  } finally {
    await shop.close();
  }
});
