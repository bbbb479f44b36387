import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CheckoutAnswer } from '#contract/billing.ts';
import { PROVIDERS, type Provider } from '#contract/choices.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { postWebhook } from '#test/billing/signed-webhook.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { moveTime } from '#test/fake-clock.ts';
import { IS_LONG } from '#test/runs.ts';
import { compareOrder } from '../compare-order.ts';
import { readBillingStatus } from '../subscriptions/read-billing-status.ts';
import { readBilling } from './read-billing.ts';

const DAY = 86_400_000;

describe('charges that are not as usual', () => {
  let shop: Shop;
  let events = 0;
  beforeAll(async () => {
    shop = await openShop({ webhooks: true });
  });
  afterEach(async () => {
    for (const { control } of Object.values(shop.worlds)) await control.clearFaults();
  });
  afterAll(async () => {
    await expectNoDrift(shop.sql);
    await shop.close();
  });

  type Buyer = Awaited<ReturnType<Shop['buyer']>>;

  /** Waits until every webhook was sent and read. */
  async function settle({ worlds, sql } = shop) {
    for (const { control } of Object.values(worlds)) await control.settle();
    const waiting = async () => (await sql`select from billing.inbox where status = 'new'`).length;
    await expect.poll(waiting, { interval: 50 }).toBe(0);
  }

  async function begin(buyer: Buyer, provider: Provider, planKey?: string, cycle?: string) {
    const response = await buyer.begin(provider, planKey, cycle);
    expect(response.status, await response.clone().text()).toBe(200);
    return ((await response.json()) as CheckoutAnswer).orderId;
  }

  async function bought(provider: Provider, planKey?: string, cycle?: string) {
    const buyer = await shop.buyer();
    const orderId = await begin(buyer, provider, planKey, cycle);
    await buyer.pay(provider, orderId);
    await settle();
    const { control } = shop.worlds[provider];
    const { subscription, transactions } = await rowsOf(provider, orderId);
    const [transaction = ''] = transactions;
    return { ...buyer, buyer, orderId, control, subscription, transaction };
  }

  /** The provider's own rows of an order, the oldest charge first. */
  async function rowsOf(provider: Provider, orderId: string) {
    const ledger = await shop.worlds[provider].control.ledger();
    const checkout = ledger.checkouts.find(({ requestId }) => requestId === orderId);
    const own = ledger.transactions.filter(({ checkoutId }) => checkoutId === checkout?.id);
    const subscription = ledger.subscriptions.find(({ checkoutId }) => checkoutId === checkout?.id);
    return { subscription: subscription?.id ?? '', transactions: own.map(({ id }) => id), ledger, checkout };
  }

  /** The webhooks of an order of one type, as they were sent. */
  async function bodies(provider: Provider, orderId: string, type: string): Promise<string[]> {
    const sent = await shop.worlds[provider].control.webhooks();
    return sent.filter((each) => each.type === type && each.body.includes(orderId)).map(({ body }) => body);
  }

  /** Sends the text of a webhook under an id of its own. */
  async function post(provider: Provider, body: string) {
    events += 1;
    const named = body.replace(/"(id|event_id)":"evt_\w+"/, `"$1":"evt_odd_${events}"`);
    expect(await postWebhook(shop.app.url, provider, named)).toBe(200);
    await settle();
  }

  /** What lies before the operator of one user. */
  async function quarantine(userId: string) {
    const { projection } = await readBilling(shop.app.deps, userId);
    return projection.quarantine.map(({ reason, subject, orderId, charge }) => ({
      ...{ reason, subject, orderId, charge },
    }));
  }

  const buckets = (userId: string) => shop.sql<{ amount: number; expiresAt: Date }[]>`
    select amount, expires_at as "expiresAt" from credit.bucket
     where user_id = ${userId} and kind = 'subscription' order by id`;

  describe('bought again', () => {
    it('at bagelpay while its lists are late: each order is paid by the charge that names it', async () => {
      const first = await bought('bagelpay');
      await first.control.act('cancel', { subscription: first.subscription });
      await settle();
      await shop.sql`delete from rate_limits`;
      const orderId = await begin(first.buyer, 'bagelpay');
      await first.control.webhookFault('drop', { match: 'subscription.paid', times: null });
      await first.control.act('list-lag', { ms: 60_000 });
      await first.pay('bagelpay', orderId);
      await settle();
      expect(await first.balance()).toBe(1_040);
      expect(await first.status()).toMatchObject({ active: true, planKey: 'gemini_basic' });
      for (const id of [first.orderId, orderId])
        expect((await first.receipt(id)).order).toMatchObject({ status: 'paid' });
      expect(await quarantine(first.userId)).toEqual([
        { reason: 'unlinked', subject: orderId, orderId, charge: null },
      ]);
      await first.control.clearFaults();
      await first.control.act('resend');
      await settle();
      expect(await quarantine(first.userId)).toEqual([]);
      const { subscriptions } = await first.status();
      expect(subscriptions.map((each) => each.orderId).sort()).toEqual([first.orderId, orderId].sort());
      expect(await first.balance()).toBe(1_040);
    });
  });

  describe('told otherwise later', () => {
    it.each([
      ['more', 7.9],
      ['less', 5.9],
    ])(
      'an amount that is %s leaves the grant, is flagged, and a refund takes all of it back',
      async (_, amount) => {
        const { userId, orderId, transaction, control, ...buyer } = await bought('bagelpay');
        const [told = ''] = await bodies('bagelpay', orderId, 'checkout.completed');
        await post('bagelpay', told.replace('"amount":6.9', `"amount":${amount}`));
        expect(await buyer.balance()).toBe(540);
        expect(await buyer.status()).toMatchObject({ active: true, state: 'active' });
        expect(await quarantine(userId)).toMatchObject([
          { reason: 'contradictory', orderId, charge: 'granted' },
        ]);
        await control.act('refund', { transaction });
        await settle();
        expect(await buyer.balance()).toBe(40);
        expect(await buyer.status()).toMatchObject({ active: false, state: 'refunded' });
      },
    );

    it('in the other order comes to the same', async () => {
      const buyer = await shop.buyer();
      const orderId = await begin(buyer, 'bagelpay');
      await shop.bagelpay.control.webhookFault('drop', { times: null });
      await shop.bagelpay.control.act('list-lag', { ms: 60_000 });
      await buyer.pay('bagelpay', orderId);
      await shop.bagelpay.control.settle();
      const [told = ''] = await bodies('bagelpay', orderId, 'subscription.paid');
      await post('bagelpay', told.replace('"amount":6.9', '"amount":5.9'));
      expect(await buyer.balance()).toBe(40);
      expect(await quarantine(buyer.userId)).toMatchObject([{ charge: 'not_granted', orderId }]);
      await post('bagelpay', told);
      expect(await buyer.balance()).toBe(540);
      expect(await quarantine(buyer.userId)).toMatchObject([{ reason: 'contradictory', charge: 'granted' }]);
    });

    it('another order of the same buyer does not move a charge that was granted', async () => {
      const first = await bought('bagelpay');
      const other = await begin(first.buyer, 'bagelpay', 'gemini_basic', 'annual');
      const [told = ''] = await bodies('bagelpay', first.orderId, 'checkout.completed');
      await post('bagelpay', told.replaceAll(first.orderId, other));
      expect(await first.balance()).toBe(540);
      expect(await first.status()).toMatchObject({ active: true, cycle: 'monthly' });
      expect(await quarantine(first.userId)).toMatchObject([{ reason: 'contradictory', charge: 'granted' }]);
      await first.control.act('refund', { transaction: first.transaction });
      await settle();
      expect(await first.balance()).toBe(40);
    });

    it('a plan switched at creem leaves what was paid before, and a refund of it takes it back', async () => {
      const { control, orderId, subscription, transaction, userId, ...buyer } = await bought('creem');
      await control.act('switch', { subscription, product: 'prod_pro_monthly' });
      await settle();
      await shop.sql`delete from rate_limits`;
      const { answered } = await compareOrder(shop.app.deps, orderId, async () => {});
      expect(answered.map(({ fact }) => fact.kind)).toContain('payment');
      expect(await buyer.balance()).toBe(540);
      expect(await buyer.status()).toMatchObject({ active: true });
      expect(await quarantine(userId)).toEqual([]);
      await control.act('refund', { transaction });
      await settle();
      expect(await buyer.balance()).toBe(40);
    });
  });

  describe.each(PROVIDERS)('at %s, two charges of one period', (provider) => {
    it.each([
      [0, 1],
      [1, 0],
    ])('are granted once, and stay until both are given back: number %i first', async (one, two) => {
      const { control, orderId, subscription, ...buyer } = await bought(provider);
      await control.act('charge', { subscription });
      await settle();
      expect(await buyer.balance()).toBe(540);
      expect(await quarantine(buyer.userId)).toMatchObject([{ reason: 'paid_twice', charge: 'not_granted' }]);
      const granted = async () => (await buyer.receipt(orderId)).charges.map(({ credits }) => credits).sort();
      expect(await granted()).toEqual([0, 500]);
      const { transactions } = await rowsOf(provider, orderId);
      await control.act('refund', { transaction: transactions[one] });
      await settle();
      expect(await buyer.balance()).toBe(540);
      expect(await granted()).toEqual([0, 500]);
      expect(await buyer.status()).toMatchObject({ active: true });
      expect(await quarantine(buyer.userId)).toEqual([]);
      await control.act('refund', { transaction: transactions[two] });
      await settle();
      expect(await buyer.balance()).toBe(40);
      expect(await buyer.status()).toMatchObject({ active: false, state: 'refunded' });
    });

    it('of which the first is given back before the second is told: the period stands', async () => {
      const { control, orderId, subscription, ...buyer } = await bought(provider);
      await control.webhookFault('drop', { match: 'paid', times: null });
      await control.webhookFault('drop', { match: 'checkout', times: null });
      await control.act('charge', { subscription });
      const { transactions } = await rowsOf(provider, orderId);
      await control.act('refund', { transaction: transactions[0] });
      await settle();
      expect(await buyer.balance()).toBe(40);
      await control.clearFaults();
      await control.act('resend');
      await settle();
      expect(await buyer.balance()).toBe(540);
      expect(await buyer.status()).toMatchObject({ active: true });
      expect(await quarantine(buyer.userId)).toEqual([]);
    });
  });

  it.runIf(IS_LONG)(
    'two charges three seconds apart, with midnight between them, are one period',
    async () => {
      const buyer = await shop.buyer();
      const orderId = await begin(buyer, 'bagelpay', 'gemini_pro', 'annual');
      const { bagelpay } = shop;
      await bagelpay.control.webhookFault('drop', { times: null });
      await bagelpay.control.apiFault({ status: 503, times: null });
      await buyer.pay('bagelpay', orderId);
      await bagelpay.control.settle();
      const [told = ''] = await bodies('bagelpay', orderId, 'checkout.completed');
      const midnight = (Math.floor(Date.now() / DAY) + 2) * DAY;
      const at = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 23);
      for (const [id, ms] of [
        ['ORD_before', midnight - 2_000],
        ['ORD_after', midnight + 1_000],
      ] as const) {
        const charge = told.replace(/ORD_\w+/g, `${id}_${orderId}`);
        const order = JSON.parse(charge) as { object: { order: { created_at: string } } };
        order.object.order.created_at = at(ms);
        events += 1;
        const body = JSON.stringify({ ...order, event_id: `evt_midnight_${events}` });
        expect(await postWebhook(shop.app.url, 'bagelpay', body)).toBe(200);
      }
      await expect.poll(buyer.balance).toBeGreaterThan(40);
      await bagelpay.control.clearFaults();
      await settle();
      expect(await buyer.balance()).toBe(18_040);
      const rows = await quarantine(buyer.userId);
      expect(rows.map(({ reason }) => reason).sort()).toEqual(['paid_twice', 'unlinked']);
      expect(rows).toContainEqual(expect.objectContaining({ orderId, charge: 'not_granted' }));
    },
  );

  it.runIf(IS_LONG)(
    'a month-end renewal that is paid on the 1st and told without its period ends with the month it pays',
    async () => {
      const buyer = await shop.buyer();
      const orderId = await begin(buyer, 'bagelpay');
      const { bagelpay } = shop;
      await bagelpay.control.webhookFault('drop', { times: null });
      await buyer.pay('bagelpay', orderId);
      await bagelpay.control.settle();
      const [told = ''] = await bodies('bagelpay', orderId, 'checkout.completed');
      await bagelpay.control.apiFault({ status: 503, times: null });
      await shop.sql`update billing.orders set created_at = '2029-01-31 09:58Z' where id = ${orderId}`;
      for (const [id, at, count] of [
        ['ORD_january', '2029-01-31 10:00:00.000', 1],
        ['ORD_february', '2029-03-01 10:00:05.000', 2],
      ] as const) {
        const body = told.replace(/ORD_\w+/g, `${id}_${orderId}`);
        const event = JSON.parse(body) as { object: { order: { created_at?: string } } };
        event.object.order.created_at = at;
        await postWebhook(shop.app.url, 'bagelpay', JSON.stringify({ ...event, event_id: `evt_${id}` }));
        await expect.poll(async () => (await buckets(buyer.userId)).length).toBe(count);
      }
      await bagelpay.control.clearFaults();
      await settle();
      expect(
        (await buckets(buyer.userId)).map(({ expiresAt }) => expiresAt.toISOString().slice(0, 10)).sort(),
      ).toEqual(['2029-02-28', '2029-03-31']);
    },
  );

  describe('a plan switched at creem', () => {
    it.each([
      ['now', 2_040],
      ['from its renewal', 1_500],
    ])('%s grants what was paid for, and is the plan that is shown', async (when, credits) => {
      const own = when === 'now' ? shop : await openShop({ webhooks: true });
      const buyer = await own.buyer();
      try {
        await buyer.buy('creem');
        const { control } = own.creem;
        const { subscriptions } = await control.ledger();
        const subscription = subscriptions.at(-1)?.id;
        await control.act('switch', {
          subscription,
          product: 'prod_pro_monthly',
          ...(when === 'now' ? { when } : {}),
        });
        // A plan whose renewal is late would let a free month begin: the provider renews at its time.
        if (own !== shop) await moveTime(own.clock, [control], Date.now() + 31.2 * DAY, () => settle(own));
        await expect
          .poll(() => readBillingStatus(own.app.deps, buyer.userId))
          .toMatchObject({ active: true, planKey: 'gemini_pro', cycle: 'monthly' });
        await expect.poll(() => readBalance(own.app.deps, buyer.userId)).toBe(credits);
        await expectNoDrift(own.sql, buyer.userId);
      } finally {
        if (own !== shop) await own.close();
      }
    });
  });

  it('a first charge that fails does not stand in the way of buying', async () => {
    const buyer = await shop.buyer();
    const orderId = await begin(buyer, 'creem');
    const at = new Date(shop.clock.now().getTime()).toISOString();
    const object = {
      ...{ id: `sub_fails_${orderId}`, object: 'subscription', mode: 'test', status: 'past_due' },
      ...{ product: 'prod_basic_monthly', customer: 'cust_fails', created_at: at, updated_at: at },
      metadata: { order_id: orderId, user_id: buyer.userId },
    };
    const event = { id: 'evt_fails_1', eventType: 'subscription.past_due', created_at: Date.now(), object };
    await post('creem', JSON.stringify(event));
    await shop.sql`delete from rate_limits`;
    const again = await begin(buyer, 'creem');
    await buyer.pay('creem', again);
    await settle();
    expect(await buyer.balance()).toBe(540);
  });

  describe('refunds told one by one', () => {
    /** A webhook of a refund as it is before the provider has added it to what was given back in all. */
    async function reportRefund(transaction: string, id: string, status: string, amount: number) {
      const row = (await shop.creem.control.ledger()).transactions.find((each) => each.id === transaction);
      const object = {
        ...{ id, object: 'refund', mode: 'test', status, refund_amount: amount, refund_currency: 'USD' },
        ...{ reason: 'other', created_at: Date.now() },
        transaction: {
          ...{ id: transaction, object: 'transaction', mode: 'test', amount: 690, amount_paid: 690 },
          ...{ currency: 'USD', status: 'paid', refunded_amount: null, subscription: row?.subscriptionId },
        },
      };
      await post(
        'creem',
        JSON.stringify({ id: 'evt_r', eventType: 'refund.created', created_at: Date.now(), object }),
      );
    }

    it('are added up, each once', async () => {
      const { transaction, balance } = await bought('creem');
      await reportRefund(transaction, 'ref_one', 'succeeded', 69);
      expect(await balance()).toBe(490);
      await reportRefund(transaction, 'ref_two', 'succeeded', 69);
      await reportRefund(transaction, 'ref_two', 'succeeded', 69);
      expect(await balance()).toBe(440);
    });

    it('one that is pending and then fails takes nothing back', async () => {
      const { transaction, balance, buyer, userId } = await bought('creem');
      const asked = async () => (await readBilling(shop.app.deps, userId)).projection.questions;
      await reportRefund(transaction, 'ref_failing', 'pending', 690);
      expect(await balance()).toBe(540);
      await reportRefund(transaction, 'ref_failing', 'failed', 690);
      expect(await balance()).toBe(540);
      expect(await buyer.status()).toMatchObject({ active: true, state: 'active' });
      await expect.poll(asked).toEqual([]);
      const { entries } = await buyer.read<{ entries: { kind: string }[] }>('/api/credits/entries');
      expect(entries.filter(({ kind }) => kind === 'revoke')).toEqual([]);
    });

    it.runIf(IS_LONG)(
      'one that is pending after a part that is done is asked about until it is done',
      async () => {
        const { transaction, balance, userId, control } = await bought('creem');
        const asked = async () => (await readBilling(shop.app.deps, userId)).projection.questions;
        await control.webhookFault('drop', { times: null });
        await control.act('refund', { transaction, amountMinor: 69 });
        await reportRefund(transaction, 'ref_done', 'succeeded', 69);
        expect(await asked()).toEqual([]);
        await reportRefund(transaction, 'ref_pending', 'pending', 138);
        expect(await asked()).toEqual([{ provider: 'creem', kind: 'transaction', id: transaction }]);
        await control.act('refund', { transaction, amountMinor: 138 });
        await expect.poll(balance).toBe(390);
        expect(await asked()).toEqual([]);
      },
    );
  });
});
