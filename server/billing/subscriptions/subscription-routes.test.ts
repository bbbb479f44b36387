import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BillingStatus, billingStatusSchema } from '#contract/billing.ts';
import { PROVIDERS } from '#contract/choices.ts';
import { applyFacts } from '#server/billing/state/apply-facts.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { IS_LONG } from '#test/runs.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(async () => {
  for (const { control } of Object.values(shop.worlds)) await control.clearFaults();
});
afterAll(() => shop.close());

type Buyer = Awaited<ReturnType<Shop['buyer']>>;

/** What the actions answer, refusals too. */
type Answer = BillingStatus & { error: { code: string }; redirectUrl: string | null };

async function act(buyer: Buyer, path: string, body?: object) {
  const response = await buyer.client.post(`/api/subscription/${path}`, body);
  return { status: response.status, body: (await response.json()) as Answer };
}
const heldAt = async (name: (typeof PROVIDERS)[number], buyer: Buyer) => {
  const { customers, subscriptions } = await shop.worlds[name].control.ledger();
  const customer = customers.find(({ email }) => email === buyer.email)?.id;
  return subscriptions.filter(({ customerId }) => customerId === customer);
};

describe.each(PROVIDERS)('a subscription at %s', (name) => {
  it('is active with its credits as soon as its buyer comes back, without any webhook', async () => {
    const buyer = await shop.buyer();
    expect(await buyer.status()).toMatchObject({
      planKey: null,
      active: false,
      subscriptions: [],
      portal: null,
    });
    const { order, charges } = await buyer.buy(name);
    expect(order).toMatchObject({ status: 'paid', paidAt: expect.any(Number), confirming: false });
    expect(charges).toEqual([
      {
        ...{
          transactionId: expect.any(String),
          paidAt: expect.any(Number),
          amountMinor: 690,
          currency: 'USD',
        },
        ...{ refundedMinor: 0, disputed: false, credits: 500 },
        ...{ periodStart: expect.any(Number), periodEnd: expect.any(Number) },
      },
    ]);
    const status = billingStatusSchema.parse(await buyer.status());
    const shown = {
      planKey: 'gemini_basic',
      active: true,
      cycle: 'monthly',
      provider: name,
      state: 'active',
    };
    expect(status).toMatchObject({ ...shown, cancelAtPeriodEnd: false, expiresAt: charges[0]?.periodEnd });
    expect(status.subscriptions).toMatchObject([
      { ...shown, orderId: order.id, renews: true, cancelling: false, canCancel: true, canResume: false },
    ]);
    expect(status.subscriptions[0]?.offersResume).toBe(name === 'creem');
    expect(status.subscriptions[0]?.renewal).toEqual({ amountMinor: 690, currency: 'USD' });
    expect(status.portal).toBe(name === 'creem' ? 'provider' : 'in_app');
    expect(await buyer.balance()).toBe(540);
    await expectNoDrift(shop.sql, buyer.userId);
  });

  it('that is cancelled stays usable until its period ends, and a second click changes nothing', async () => {
    const buyer = await shop.buyer();
    await buyer.buy(name);
    const clicks = await Promise.all(Array.from({ length: 5 }, () => act(buyer, 'cancel')));
    expect(clicks.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const { body } of clicks)
      expect(billingStatusSchema.parse(body)).toMatchObject({
        active: true,
        cancelAtPeriodEnd: true,
        state: 'scheduled_cancel',
      });
    await expect.poll(async () => (await buyer.status()).subscriptions[0]?.cancelling).toBe(false);
    expect((await heldAt(name, buyer)).map(({ status }) => status)).toEqual([
      name === 'creem' ? 'scheduled_cancel' : 'canceled',
    ]);
    const { subscriptions } = await buyer.status();
    expect(subscriptions).toMatchObject([{ renews: false, canCancel: false, canResume: name === 'creem' }]);
    expect(await buyer.balance()).toBe(540);
  });

  it.runIf(IS_LONG)('that is cancelled while its provider is down ends all the same', async () => {
    const buyer = await shop.buyer();
    await buyer.buy(name);
    await shop.worlds[name].control.apiFault({ status: 503, match: 'cancel', times: 1 });
    const { status, body } = await act(buyer, 'cancel');
    expect([status, body.cancelAtPeriodEnd, body.subscriptions[0]?.cancelling]).toEqual([200, true, true]);
    await expect.poll(async () => (await heldAt(name, buyer))[0]?.status).not.toBe('active');
    await expect.poll(async () => (await buyer.status()).subscriptions[0]?.cancelling).toBe(false);
  });

  it('that is cancelled and whose wish the provider does not have yet can be taken back', async () => {
    const buyer = await shop.buyer();
    await buyer.buy(name);
    await shop.worlds[name].control.apiFault({ status: 503, match: 'cancel', times: null });
    await act(buyer, 'cancel');
    const { status, body } = await act(buyer, 'resume');
    expect([status, body.cancelAtPeriodEnd, body.subscriptions[0]?.renews]).toEqual([200, false, true]);
  });

  it('gives place to an upgrade: the old one ends at its provider, what is left of its credits stays', async () => {
    const buyer = await shop.buyer();
    await buyer.buy(name);
    const { order } = await buyer.buy(name, 'gemini_pro');
    expect(order.status).toBe('paid');
    expect(await buyer.balance()).toBe(2040);
    expect(await buyer.status()).toMatchObject({ planKey: 'gemini_pro', active: true, state: 'active' });
    await expect
      .poll(async () => (await heldAt(name, buyer)).map(({ status }) => status === 'active'))
      .toEqual([false, true]);
    const { subscriptions } = await buyer.status();
    expect(subscriptions.filter(({ renews }) => renews)).toHaveLength(1);
    const basic = subscriptions.find(({ planKey }) => planKey === 'gemini_basic');
    expect(basic).toMatchObject({ active: true, renews: false, canResume: false });
    const resumed = await act(buyer, 'resume', { orderId: basic?.orderId });
    expect([resumed.status, resumed.body.error.code]).toEqual([409, 'subscription_replaced']);
  });

  it('is downgraded at once by who pays for the lower plan today: the higher one stays until its period ends and is not charged again', async () => {
    const buyer = await shop.buyer();
    await buyer.buy(name, 'gemini_pro');
    await buyer.buy(name, 'gemini_basic', 'monthly', { chargeNow: true });
    await expect
      .poll(async () => (await heldAt(name, buyer)).map(({ status }) => status === 'active'))
      .toEqual([false, true]);
    expect(await buyer.status()).toMatchObject({
      planKey: 'gemini_pro',
      active: true,
      cancelAtPeriodEnd: true,
    });
    expect(await buyer.balance()).toBe(2040);
  });

  it('of another user cannot be seen or touched', async () => {
    const [buyer, other] = [await shop.buyer(), await shop.buyer()];
    const { order } = await buyer.buy(name);
    expect((await other.client.get(`/api/orders/${order.id}`)).status).toBe(404);
    for (const path of ['cancel', 'resume'])
      expect((await act(other, path, { orderId: order.id })).status).toBe(404);
    expect(await buyer.status()).toMatchObject({ cancelAtPeriodEnd: false });
    expect((await other.client.get('/api/orders/not-an-id')).status).toBe(404);
  });
});

describe('a subscription', () => {
  it('at Creem whose cancellation was done but never answered is resumed there', async () => {
    const buyer = await shop.buyer();
    await buyer.buy('creem');
    const [held] = await heldAt('creem', buyer);
    await shop.creem.control.apiFault({ status: 503, match: 'cancel', times: null });
    await act(buyer, 'cancel');
    await shop.creem.control.act('cancel', { subscription: held?.id, when: 'period_end' });
    const { status, body } = await act(buyer, 'resume');
    expect([status, body.state, body.subscriptions[0]?.renews]).toEqual([200, 'active', true]);
    expect((await heldAt('creem', buyer))[0]?.status).toBe('active');
  });

  it('whose end its provider confirms while it is read is shown as cancelled', async () => {
    const buyer = await shop.buyer();
    await buyer.buy('creem');
    const [held] = await heldAt('creem', buyer);
    const subscriptionId = held?.id ?? '';
    await shop.creem.control.apiFault({ status: 503, match: 'cancel', times: null });
    await act(buyer, 'cancel');
    await shop.creem.control.act('cancel', { subscription: subscriptionId, when: 'period_end' });
    const { deps } = shop.app;
    const facts = (await deps.providers.creem?.fetchSubscription(subscriptionId)) ?? [];
    const { asked, confirmed } = await shop.sql.begin(async (tx) => {
      await tx`lock table billing.cancellations in access exclusive mode`;
      const waiting = () =>
        tx`select from pg_locks where relation = 'billing.cancellations'::regclass and not granted`;
      const stored = () =>
        tx`select from billing.facts where subject = ${subscriptionId} and fact->>'status' = 'scheduled_cancel'`;
      const asked = buyer.status();
      await expect.poll(async () => (await waiting()).count).toBeGreaterThan(0);
      const confirmed = applyFacts(deps, { provider: 'creem', facts, source: 'question' });
      await expect.poll(async () => (await stored()).count).toBe(1);
      await tx`update billing.cancellations set done_at = now() where user_id = ${buyer.userId}`;
      return { asked, confirmed };
    });
    expect(await asked).toMatchObject({ cancelAtPeriodEnd: true, state: 'scheduled_cancel' });
    await confirmed;
  });

  it('at Creem is cancelled, resumed and cancelled again', async () => {
    const buyer = await shop.buyer();
    await buyer.buy('creem');
    for (const [path, state, renews] of [
      ['cancel', 'scheduled_cancel', false],
      ['resume', 'active', true],
      ['resume', 'active', true],
      ['cancel', 'scheduled_cancel', false],
    ] as const) {
      const { status, body } = await act(buyer, path);
      expect([path, status, body.state, body.subscriptions[0]?.renews]).toEqual([path, 200, state, renews]);
      await expect.poll(async () => (await buyer.status()).subscriptions[0]?.cancelling).toBe(false);
    }
  });

  it('at BagelPay that was cancelled there cannot be resumed', async () => {
    const buyer = await shop.buyer();
    await buyer.buy('bagelpay');
    await act(buyer, 'cancel');
    await expect.poll(async () => (await buyer.status()).subscriptions[0]?.cancelling).toBe(false);
    const { status, body } = await act(buyer, 'resume');
    expect([status, body.error.code]).toEqual([409, 'resume_not_possible']);
  });

  it('at BagelPay that is being cancelled at this moment is taken back only once it is known how that ends', async () => {
    const buyer = await shop.buyer();
    await buyer.buy('bagelpay');
    const { deps } = shop.app;
    const subscriptionId = (await heldAt('bagelpay', buyer))[0]?.id ?? '';
    const now = shop.clock.now();
    await shop.sql`
      insert into billing.cancellations (provider, subscription_id, user_id, period_end, reason, asked_at, tries, next_try_at)
      values ('bagelpay', ${subscriptionId}, ${buyer.userId}, true, 'user', ${now}, 1, ${new Date(now.getTime() + 60_000)})`;
    const resumed = act(buyer, 'resume');
    const done = await deps.providers.bagelpay?.cancelSubscription(subscriptionId, 'now');
    if (done?.result !== 'done') throw new Error('it is not cancelled');
    await applyFacts(deps, { provider: 'bagelpay', facts: done.facts, source: 'question' });
    const { status, body } = await resumed;
    expect([status, body.error.code]).toEqual([409, 'resume_not_possible']);
    const rows = await shop.sql`select error from billing.cancellations where user_id = ${buyer.userId}`;
    expect(rows).toEqual([{ error: null }]);
  });

  it('at Creem that cannot be reached to resume stays cancelled and says so', async () => {
    const buyer = await shop.buyer();
    await buyer.buy('creem');
    await act(buyer, 'cancel');
    await expect.poll(async () => (await buyer.status()).subscriptions[0]?.cancelling).toBe(false);
    await shop.creem.control.apiFault({ status: 503, match: 'resume' });
    const { status, body } = await act(buyer, 'resume');
    expect([status, body.error.code]).toEqual([502, 'payment_provider_failed']);
    expect(await buyer.status()).toMatchObject({ cancelAtPeriodEnd: true });
  });

  it('at each provider can run side by side, and the later one stays', async () => {
    const buyer = await shop.buyer();
    await buyer.buy('bagelpay', 'gemini_basic');
    await buyer.buy('creem', 'gemini_pro');
    expect(await buyer.balance()).toBe(2040);
    await expect.poll(async () => (await heldAt('bagelpay', buyer))[0]?.status).toBe('canceled');
    expect((await heldAt('creem', buyer))[0]?.status).toBe('active');
  });

  it('of nobody cannot be cancelled or resumed', async () => {
    const buyer = await shop.buyer();
    for (const path of ['cancel', 'resume']) expect((await act(buyer, path)).status).toBe(404);
    const visitor = shop.app.visit();
    for (const path of ['cancel', 'resume', 'portal'])
      expect((await visitor.post(`/api/subscription/${path}`)).status).toBe(401);
    expect((await visitor.get('/api/subscription')).status).toBe(401);
    expect((await visitor.get('/api/orders')).status).toBe(401);
  });
});

describe('the portal', () => {
  const verify = ({ userId }: Buyer) => shop.sql`update users set email_verified = true where id = ${userId}`;
  const rename = ({ userId }: Buyer, email: string) =>
    shop.sql`update users set email = ${email} where id = ${userId}`;

  it('of Creem is its own link, kept nowhere; BagelPay and a newcomer have none', async () => {
    const [buyer, other, newcomer] = [await shop.buyer(), await shop.buyer(), await shop.buyer()];
    await buyer.buy('creem');
    await other.buy('bagelpay');
    expect((await buyer.status()).portal).toBe('provider');
    const { body } = await act(buyer, 'portal');
    expect(body.redirectUrl).toMatch(new RegExp(`^${shop.creem.url}/my-orders/login/`));
    const response = await buyer.client.post('/api/subscription/portal');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await act(other, 'portal')).body).toEqual({ redirectUrl: null });
    expect((await act(newcomer, 'portal')).body).toEqual({ redirectUrl: null });
  });

  it('of Creem, whose customers are addresses, opens only to who proved one that another user bought under', async () => {
    const [owner, stranger] = [await shop.buyer(), await shop.buyer()];
    await verify(owner);
    await owner.buy('creem');
    await rename(owner, `new-${owner.email}`);
    await rename(stranger, owner.email);
    await stranger.buy('creem');
    expect(await heldAt('creem', owner)).toHaveLength(2);
    expect((await stranger.status()).portal).toBe('unproved');
    expect((await act(stranger, 'portal')).body).toEqual({ redirectUrl: null });
    expect((await owner.status()).portal).toBe('provider');
    expect((await act(owner, 'portal')).body.redirectUrl).toContain('/my-orders/login/');
    await verify(stranger);
    expect((await stranger.status()).portal).toBe('provider');
  });

  it('of Creem opens to nobody who typed the address of another buyer on its page', async () => {
    const [owner, stranger] = [await shop.buyer(), await shop.buyer()];
    await owner.buy('creem');
    await verify(stranger);
    await stranger.buy('creem');
    expect((await stranger.status()).portal).toBe('provider');
    await shop.sql`
      update billing.facts set fact = fact || ${shop.sql.json({ customerEmail: owner.email })}
       where user_id = ${stranger.userId} and kind = 'subscription'`;
    expect((await stranger.status()).portal).toBe('unproved');
    expect((await act(stranger, 'portal')).body).toEqual({ redirectUrl: null });
  });
});

describe('orders', () => {
  it('are listed newest first, page by page, each once', async () => {
    const buyer = await shop.buyer();
    for (const cycle of ['monthly', 'annual'])
      for (const provider of PROVIDERS) await buyer.begin(provider, 'gemini_pro', cycle);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { orders: { id: string; createdAt: number }[]; nextCursor: string | null } =
        await buyer.read(`/api/orders?limit=3${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...page.orders.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(new Set(seen).size).toBe(4);
    const all: { orders: { id: string }[] } = await buyer.read('/api/orders');
    expect(all.orders.map(({ id }) => id)).toEqual(seen);
    expect((await buyer.client.get('/api/orders?cursor=x')).status).toBe(422);
    expect((await buyer.client.get('/api/orders?limit=0')).status).toBe(422);
  });
});
