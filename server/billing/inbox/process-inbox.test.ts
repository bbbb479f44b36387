import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROVIDERS, type Provider } from '#contract/choices.ts';
import { createTestApp } from '#test/app.ts';
import { SECRET } from '#test/billing/payment-emulator.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { postWebhook, signWebhook } from '#test/billing/signed-webhook.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';
import { IS_LONG, runs } from '#test/runs.ts';
import type { PaymentProvider } from '../providers/provider.ts';

describe('webhooks that are read', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ webhooks: true });
  });
  afterAll(async () => {
    await expectNoDrift(shop.sql);
    await shop.close();
  });

  async function begin(provider: Provider, planKey?: string, cycle?: string) {
    const buyer = await shop.buyer();
    const { orderId } = (await (await buyer.begin(provider, planKey, cycle)).json()) as { orderId: string };
    return { ...buyer, orderId };
  }

  /** Waits until every webhook was sent and read. */
  async function settle() {
    for (const { control } of Object.values(shop.worlds)) await control.settle();
    const waiting = async () => (await shop.sql`select from billing.inbox where status = 'new'`).length;
    await expect.poll(waiting, { timeout: 60_000, interval: 50 }).toBe(0);
  }

  async function bodiesOf(provider: Provider, orderId: string): Promise<string[]> {
    const deliveries = await shop.worlds[provider].control.webhooks();
    const { checkouts, subscriptions } = await shop.worlds[provider].control.ledger();
    const checkout = checkouts.find(({ requestId }) => requestId === orderId);
    const subscription = subscriptions.find(({ checkoutId }) => checkoutId === checkout?.id);
    return deliveries
      .map(({ body }) => body)
      .filter((body) => body.includes(orderId) || body.includes(subscription?.id ?? orderId));
  }

  async function grants(userId: string) {
    return shop.sql`
      select amount, available, revoked from credit.bucket where user_id = ${userId} and kind = 'subscription'`;
  }

  async function ledgerOf(userId: string) {
    const rows = await shop.sql`
      select jsonb_agg(to_jsonb(t) order by t.id) as t, (select jsonb_agg(to_jsonb(b) order by b.id)
        from credit.bucket b where b.user_id = ${userId}) as b
        from credit.transfer t where t.user_id = ${userId}`;
    return JSON.stringify(rows);
  }

  it.each(PROVIDERS)(
    'at %s one payment is one grant, a plan, a paid order and news at once',
    async (provider) => {
      const buyer = await begin(provider, 'gemini_pro');
      const live = await openEvents(buyer.client, '/api/live');
      await buyer.pay(provider, buyer.orderId);
      await live.next(({ event, data }) => event === 'credits' && data.credits === 1_540);
      const isPaid = (data: Record<string, unknown>) => (data.order as { status: string }).status === 'paid';
      await live.next(({ event, data }) => event === 'order' && isPaid(data));
      await live.next(({ event, data }) => event === 'subscription' && data.subscription !== null);
      live.close();
      await settle();
      expect(await grants(buyer.userId)).toEqual([{ amount: 1_500, available: 1_500, revoked: 0 }]);
      expect(await buyer.status()).toMatchObject({ planKey: 'gemini_pro', active: true, state: 'active' });
      const [entry] = (await buyer.read<{ entries: object[] }>('/api/credits/entries')).entries;
      expect(entry).toMatchObject({
        kind: 'grant',
        amount: 1_500,
        reason: 'subscription',
        orderId: buyer.orderId,
      });
    },
  );

  it.each(PROVIDERS)(
    'at %s hundreds of copies at the same time grant once, with one id or many',
    async (provider) => {
      const buyer = await begin(provider, 'gemini_basic', 'annual');
      await buyer.pay(provider, buyer.orderId);
      await settle();
      const bodies = await bodiesOf(provider, buyer.orderId);
      const before = await ledgerOf(buyer.userId);
      const id = provider === 'creem' ? 'id' : 'event_id';
      const copies = Array.from({ length: runs(200, 1_000) }, (_, index) => {
        const body = bodies[index % bodies.length] ?? '';
        return index % 4 === 0
          ? body
          : body.replace(/"(id|event_id)":"evt_\w+"/, `"${id}":"evt_copy_${index}"`);
      });
      const statuses = await Promise.all(copies.map((body) => postWebhook(shop.app.url, provider, body)));
      expect(new Set(statuses)).toEqual(new Set([200]));
      await settle();
      expect(await ledgerOf(buyer.userId)).toBe(before);
      expect(await grants(buyer.userId)).toHaveLength(1);
      expect(await buyer.balance()).toBe(6_040);
    },
  );

  it.each(PROVIDERS)('at %s backwards, doubled and late is the same as in order', async (provider) => {
    const [plain, mixed] = [await begin(provider), await begin(provider)];
    await plain.pay(provider, plain.orderId);
    await settle();
    const { control } = shop.worlds[provider];
    await control.webhookFault('reorder');
    await control.webhookFault('duplicate', { count: 2 });
    await control.webhookFault('duplicate-new-id', { count: 2 });
    await mixed.pay(provider, mixed.orderId);
    await settle();
    const [left, right] = await Promise.all([plain.status(), mixed.status()]);
    const shape = ({ planKey, active, state, cycle }: typeof left) => ({ planKey, active, state, cycle });
    expect(shape(right)).toEqual(shape(left));
    expect(await grants(mixed.userId)).toEqual(await grants(plain.userId));
    expect(await mixed.balance()).toBe(540);
  });

  it('what nobody understands is kept, marked for the operator and changes nothing', async () => {
    const buyer = await begin('creem');
    await buyer.pay('creem', buyer.orderId);
    await settle();
    const before = await ledgerOf(buyer.userId);
    const paid =
      (await bodiesOf('creem', buyer.orderId)).find((body) => body.includes('subscription.paid')) ?? '';
    const odd = {
      'of another type': paid.replace('subscription.paid', 'subscription.reborn'),
      'without a transaction': paid.replace(/"last_transaction_id":"\w+"/, '"last_transaction_id":null'),
      'of an unknown status': paid.replace('"status":"active"', '"status":"sleeping"'),
      'without an object': '{"id":"evt_none","eventType":"subscription.paid","created_at":1}',
    };
    for (const [name, body] of Object.entries(odd)) {
      const named = body.replace(/"id":"evt_\w+"/, `"id":"evt_odd_${name.replaceAll(' ', '_')}"`);
      expect(await postWebhook(shop.app.url, 'creem', named), name).toBe(200);
    }
    await settle();
    const notes =
      await shop.sql`select error from billing.inbox where dedupe_key like 'evt_odd_%' order by id`;
    expect(notes).toHaveLength(4);
    for (const { error } of notes) expect(error).toContain('not understood');
    expect(await ledgerOf(buyer.userId)).toBe(before);
  });

  it.each<[string, (body: string) => string]>([
    ['of the other world', (body) => body.replaceAll('"mode":"test"', '"mode":"prod"')],
    [
      'of an order that is not ours',
      (body) => body.replace(/"order_id":"[\w-]+"/g, '"order_id":"ord-elsewhere"'),
    ],
    ['of another product', (body) => body.replaceAll('prod_basic_monthly', 'prod_other')],
    ['of less money', (body) => body.replaceAll(':690', ':69')],
    ['in another currency', (body) => body.replaceAll('"USD"', '"JPY"')],
    ['for another user', (body) => body.replace(/"user_id":"[\w-]+"/g, '"user_id":"somebody-else"')],
  ])('P12: a forged-looking payment %s changes nothing in the ledger', async (_, change) => {
    const buyer = await begin('creem');
    const { control } = shop.creem;
    await control.webhookFault('drop', { times: null });
    await buyer.pay('creem', buyer.orderId);
    await control.clearFaults();
    const before = await ledgerOf(buyer.userId);
    const paid =
      (await bodiesOf('creem', buyer.orderId)).find((body) => body.includes('subscription.paid')) ?? '';
    const strange = change(paid)
      .replace(/sub_\w+/g, 'sub_strange')
      .replace(/tran_\w+/g, 'tran_strange');
    expect(change(paid)).not.toBe(paid);
    expect(await postWebhook(shop.app.url, 'creem', strange)).toBe(200);
    await settle();
    expect(await ledgerOf(buyer.userId)).toBe(before);
  });

  it('a forged webhook of the emulator never gets in, and its repetition does', async () => {
    const buyer = await begin('creem');
    await shop.creem.control.webhookFault('tamper', { times: null });
    await buyer.pay('creem', buyer.orderId);
    await shop.creem.control.settle();
    expect(await buyer.balance()).toBe(40);
    await shop.creem.control.clearFaults();
    await shop.creem.control.act('resend');
    await settle();
    expect(await buyer.balance()).toBe(540);
  });

  it.runIf(IS_LONG)(
    'a provider that is away delays nothing that needs no answer, and completes the rest when it is back',
    async () => {
      const buyer = await begin('bagelpay');
      await shop.bagelpay.control.apiFault({ status: 503, times: null });
      await buyer.pay('bagelpay', buyer.orderId);
      await shop.bagelpay.control.settle();
      await expect.poll(buyer.balance).toBe(540);
      const left = await shop.sql`select status, error from billing.inbox where status = 'new'`;
      expect(left.length).toBeGreaterThan(0);
      await shop.bagelpay.control.clearFaults();
      await settle();
      expect(await buyer.balance()).toBe(540);
      expect(await grants(buyer.userId)).toHaveLength(1);
    },
  );

  it('a provider that is slow is not waited for before what was told takes effect', async () => {
    const providers = shop.app.deps.providers as { bagelpay: PaymentProvider };
    const { bagelpay } = providers;
    const gate = Promise.withResolvers<void>();
    providers.bagelpay = {
      ...bagelpay,
      resolve: (facts) => gate.promise.then(() => bagelpay.resolve(facts)),
    };
    const buyer = await begin('bagelpay');
    await buyer.pay('bagelpay', buyer.orderId);
    await expect.poll(buyer.balance).toBe(540);
    expect((await shop.sql`select from billing.inbox where status = 'new'`).length).toBeGreaterThan(0);
    gate.resolve();
    providers.bagelpay = bagelpay;
    await settle();
    expect(await grants(buyer.userId)).toHaveLength(1);
  });

  it('two processes share one inbox, and the tabs of both hear of it', async () => {
    const env = { ...shop.creem.env, ...shop.bagelpay.env };
    const second = await createTestApp({ beside: shop.app, clock: shop.clock, env });
    const buyer = await begin('creem');
    const there = second.visit({ cookie: buyer.client.cookie });
    const live = await openEvents(there, '/api/live');
    await buyer.pay('creem', buyer.orderId);
    await settle();
    const bodies = await bodiesOf('creem', buyer.orderId);
    const copies = Array.from({ length: 60 }, (_, index) =>
      (bodies[index % bodies.length] ?? '').replace(/"id":"evt_\w+"/, `"id":"evt_both_${index}"`),
    );
    const urls = [shop.app.url, second.url];
    await Promise.all(copies.map((body, index) => postWebhook(urls[index % 2] ?? '', 'creem', body)));
    await settle();
    await live.next(({ event, data }) => event === 'credits' && data.credits === 540);
    live.close();
    expect(await grants(buyer.userId)).toHaveLength(1);
    await second.close();
  });

  it.each(PROVIDERS)('at %s a refund takes back its share, a full one the plan too', async (provider) => {
    const buyer = await begin(provider);
    await buyer.pay(provider, buyer.orderId);
    await settle();
    const { control } = shop.worlds[provider];
    const { checkouts, transactions } = await control.ledger();
    const checkout = checkouts.find(({ requestId }) => requestId === buyer.orderId);
    const transaction = transactions.find(({ checkoutId }) => checkoutId === checkout?.id)?.id;
    await control.act('refund', { transaction, amountMinor: 69 });
    await settle();
    await expect.poll(buyer.balance).toBe(490);
    expect(await buyer.status()).toMatchObject({ active: true });
    await control.act('refund', { transaction });
    await settle();
    await expect.poll(buyer.balance).toBe(40);
    expect(await buyer.status()).toMatchObject({ active: false, state: 'refunded' });
    const { order } = await buyer.receipt(buyer.orderId);
    expect(order.status).toBe('refunded');
    const ended = async () =>
      (await control.ledger()).subscriptions.find(({ checkoutId }) => checkoutId === checkout?.id)?.status;
    await expect.poll(ended).toBe('canceled');
  });

  it('a dispute takes the plan and all credits of the charge, and blocks the next purchase only', async () => {
    const buyer = await begin('creem');
    await buyer.pay('creem', buyer.orderId);
    await settle();
    const { transactions } = await shop.creem.control.ledger();
    await shop.creem.control.act('dispute', { transaction: transactions.at(-1)?.id });
    await settle();
    expect(await buyer.balance()).toBe(40);
    expect(await buyer.status()).toMatchObject({
      active: false,
      state: 'disputed',
      checkoutBlocked: 'disputed',
    });
    expect((await buyer.begin('creem')).status).toBe(403);
    const [account] = await shop.sql`select frozen_at from credit.account where user_id = ${buyer.userId}`;
    expect(account).toEqual({ frozen_at: null });
  });

  it('a webhook that cannot be read is tried again, and stays before the operator after its last try', async () => {
    const body =
      '{"id":"evt_poison","eventType":"dispute.created","created_at":1760000000000,"object":{"transaction":"tran_p"}}';
    await shop.sql`alter table billing.facts add constraint no_poison check (subject <> 'tran_p') not valid`;
    await postWebhook(shop.app.url, 'creem', body, signWebhook('creem', body, SECRET));
    const row = async () =>
      (await shop.sql`select status, tries, error from billing.inbox where dedupe_key like 'evt_poison%'`)[0];
    await expect.poll(row).toMatchObject({ status: 'new', error: expect.stringContaining('no_poison') });
    await shop.sql`update billing.inbox set received_at = received_at - interval '1 hour' where dedupe_key like 'evt_poison%'`;
    const age = async () => {
      const text = await shop.app.deps.metrics.registry.metrics();
      return Number(/^parley_webhooks_oldest_seconds (\S+)$/m.exec(text)?.[1]);
    };
    expect(await age()).toBeGreaterThanOrEqual(3_600);
    await shop.sql`
      update billing.inbox set tries = 35, next_try_at = received_at where dedupe_key like 'evt_poison%'`;
    await expect.poll(row).toMatchObject({ status: 'failed', tries: 36 });
    const { registry } = shop.app.deps.metrics;
    expect(await registry.metrics()).toContain('parley_webhooks_failed 1');
    expect(await age()).toBeLessThan(3_600);
  });
});
