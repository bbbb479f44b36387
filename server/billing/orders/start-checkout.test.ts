import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkoutAnswerSchema, orderPageSchema } from '#contract/billing.ts';
import { PROVIDERS } from '#contract/choices.ts';
import { clearRateLimit } from '#server/platform/database/rate-limit.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { IS_LONG } from '#test/runs.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(async () => {
  for (const { control } of Object.values(shop.worlds)) await control.clearFaults();
});
afterAll(() => shop.close());

const codeOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { code: string; message: string; params: object } };
  return [response.status, error.code, error.params] as const;
};
const sessionsOf = async (name: (typeof PROVIDERS)[number], orderId: string) =>
  (await shop.worlds[name].control.ledger()).checkouts.filter(({ requestId }) => requestId === orderId);

describe.each(PROVIDERS)('a checkout at %s', (name) => {
  it('gives the hosted page of an order with the catalogue’s price, and comes back to the page of the caller’s language', async () => {
    const buyer = await shop.buyer();
    const response = await buyer.client.request('/api/createCheckout', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `${buyer.client.cookie}; lang=en` },
      body: JSON.stringify({
        provider: name,
        planKey: 'gemini_pro',
        cycle: 'annual',
        userId: buyer.userId,
        userEmail: null,
      }),
    });
    expect(response.status).toBe(200);
    const { redirectUrl, orderId } = checkoutAnswerSchema.parse(await response.json());
    const [session] = await sessionsOf(name, orderId);
    expect(redirectUrl).toBe(`${shop.worlds[name].url}/checkout/${session?.id}`);
    expect(session).toMatchObject({
      productId: 'prod_pro_annual',
      email: buyer.email,
      successUrl: `${shop.app.config.publicUrl}/en/subscription?order=${orderId}`,
      metadata: { order_id: orderId, user_id: buyer.userId },
    });
    const { orders } = orderPageSchema.parse(await buyer.read('/api/orders'));
    expect(orders).toEqual([
      {
        ...{
          id: orderId,
          planKey: 'gemini_pro',
          cycle: 'annual',
          provider: name,
          priceUSD: 118.8,
          credits: 18_000,
        },
        ...{
          status: 'open',
          createdAt: expect.any(Number),
          paidAt: null,
          confirming: false,
          uncredited: null,
        },
      },
    ]);
  });

  it('is the same for twenty clicks at once and for a later one', async () => {
    const buyer = await shop.buyer();
    const clicks = await Promise.all(Array.from({ length: 20 }, () => buyer.begin(name)));
    const answers = await Promise.all(
      clicks.map(async (one) => checkoutAnswerSchema.parse(await one.json())),
    );
    answers.push(checkoutAnswerSchema.parse(await (await buyer.begin(name)).json()));
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await sessionsOf(name, answers[0]?.orderId ?? '')).toHaveLength(1);
    expect(orderPageSchema.parse(await buyer.read('/api/orders')).orders).toHaveLength(1);
  });

  it('is opened anew when the old page is over, and the old order is closed', async () => {
    const buyer = await shop.buyer();
    const first = checkoutAnswerSchema.parse(await (await buyer.begin(name)).json());
    await shop.sql`
      update billing.orders set created_at = created_at - interval '25 hours', checkout_expires_at = now() - interval '1 hour'
       where id = ${first.orderId}`;
    const second = checkoutAnswerSchema.parse(await (await buyer.begin(name)).json());
    expect(second.orderId).not.toBe(first.orderId);
    const { orders } = orderPageSchema.parse(await buyer.read('/api/orders'));
    expect(orders.map(({ id, status }) => [id, status])).toEqual([
      [second.orderId, 'open'],
      [first.orderId, 'abandoned'],
    ]);
  });

  it('goes on with an order whose call was cut off by a crash', async () => {
    const buyer = await shop.buyer();
    const first = checkoutAnswerSchema.parse(await (await buyer.begin(name)).json());
    await shop.sql`update billing.orders set checkout_id = null, checkout_url = null where id = ${first.orderId}`;
    await clearRateLimit(shop.sql, `checkout-turn:${first.orderId}`);
    const second = checkoutAnswerSchema.parse(await (await buyer.begin(name)).json());
    expect(second.orderId).toBe(first.orderId);
    expect(second.redirectUrl).not.toBe(first.redirectUrl);
  });

  it('goes on at once with an order whose page could not be kept', async () => {
    const buyer = await shop.buyer();
    await shop.sql`
      create function lose_database() returns trigger language plpgsql
        as $$ begin raise exception 'shutting down' using errcode = '57P01'; end $$`;
    await shop.sql`
      create trigger fail before update of checkout_url on billing.orders for each row execute function lose_database()`;
    const refused = await codeOf(await buyer.begin(name));
    await shop.sql`drop function lose_database cascade`;
    expect(refused).toEqual([503, 'unavailable', {}]);
    expect((await buyer.begin(name)).status).toBe(200);
    expect(orderPageSchema.parse(await buyer.read('/api/orders')).orders).toHaveLength(1);
  });

  it.each([
    ['refuses', { status: 400, message: 'This store is closed' }, 'This store is closed'],
    ['says no inside HTTP 200', { status: 200, code: 500, message: 'busy' }, null],
    ['is down', { status: 503 }, null],
    ['breaks off', { kind: 'reset' }, null],
    ['sends a page', { kind: 'no-json' }, null],
  ])(
    'that the provider %s is closed as failed, tells why, and the next attempt works',
    async (_, fault, words) => {
      const buyer = await shop.buyer();
      const { control } = shop.worlds[name];
      // For every question: one about the order of a test before may be under way.
      await control.apiFault({ ...fault, match: 'checkouts', times: null });
      const [status, code, params] = await codeOf(await buyer.begin(name));
      expect([status, code]).toEqual([502, 'payment_provider_failed']);
      expect(params).toEqual({ message: words ?? expect.stringMatching(/没有扣款/) });
      const { orders } = orderPageSchema.parse(await buyer.read('/api/orders'));
      expect(orders.map((order) => order.status)).toEqual(['failed']);
      expect(await buyer.balance()).toBe(40);
      await control.clearFaults();
      expect((await buyer.begin(name)).status).toBe(200);
    },
  );

  it.runIf(IS_LONG)('that the provider never answers ends in time', async () => {
    const buyer = await shop.buyer();
    const { control } = shop.worlds[name];
    // For every question, as above.
    await control.apiFault({ kind: 'hang', match: 'checkouts', times: null });
    const [status, code] = await codeOf(await buyer.begin(name));
    await control.clearFaults();
    expect([status, code]).toEqual([502, 'payment_provider_failed']);
  });

  it('of a plan that is paid and goes on is refused, at both providers; another cycle is not', async () => {
    const buyer = await shop.buyer();
    await buyer.buy(name);
    for (const provider of PROVIDERS) {
      const [status, code] = await codeOf(await buyer.begin(provider));
      expect([status, code]).toEqual([409, 'plan_already_active']);
      expect((await buyer.begin(provider, 'gemini_basic', 'annual')).status).toBe(200);
    }
  });

  it('of a plan that ends with its period is allowed', async () => {
    const buyer = await shop.buyer();
    await buyer.buy(name);
    expect((await buyer.client.post('/api/subscription/cancel')).status).toBe(200);
    expect((await buyer.begin(name)).status).toBe(200);
  });

  it('of a buyer who paid and comes back before any news is refused', async () => {
    const buyer = await shop.buyer();
    const { orderId } = checkoutAnswerSchema.parse(await (await buyer.begin(name)).json());
    await buyer.pay(name, orderId);
    await shop.sql`update billing.orders set created_at = created_at - interval '30 seconds' where id = ${orderId}`;
    const other = name === 'creem' ? 'bagelpay' : 'creem';
    expect((await codeOf(await buyer.begin(other)))[1]).toBe('plan_already_active');
    expect(await buyer.balance()).toBe(540);
  });

  it('is blocked for everything while a dispute is open', async () => {
    const buyer = await shop.buyer();
    const { charges, order } = await buyer.buy(name);
    await shop.sql`update billing.account set disputed = true where user_id = ${buyer.userId}`;
    expect(charges).toHaveLength(1);
    expect(order.status).toBe('paid');
    expect((await codeOf(await buyer.begin(name, 'gemini_pro')))[1]).toBe('checkout_blocked');
  });
});

describe('a checkout', () => {
  it('needs somebody who is signed in, and says so in both languages', async () => {
    for (const [language, words] of [
      ['zh', '请先登录'],
      ['en', 'Please sign in first'],
    ] as const) {
      const response = await shop.app
        .visit({ headers: { 'accept-language': language } })
        .post('/api/createCheckout', {});
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      expect([response.status, error.code, error.message]).toEqual([
        401,
        'unauthenticated',
        expect.stringContaining(words),
      ]);
    }
  });

  it('for another user is refused', async () => {
    const [buyer, other] = [await shop.buyer(), await shop.buyer()];
    const response = await buyer.begin('creem', 'gemini_basic', 'monthly', { userId: other.userId });
    expect((await codeOf(response)).slice(0, 2)).toEqual([403, 'forbidden']);
    expect(orderPageSchema.parse(await other.read('/api/orders')).orders).toEqual([]);
  });

  it.each([
    ['provider', { provider: 'paypal', planKey: 'gemini_basic', cycle: 'monthly' }],
    ['planKey', { provider: 'creem', planKey: 'gemini_free', cycle: 'monthly' }],
    ['cycle', { provider: 'creem', planKey: 'gemini_basic', cycle: 'weekly' }],
    ['price', { provider: 'creem', planKey: 'gemini_basic', cycle: 'monthly', price: 1 }],
  ])('with a bad %s names the field', async (field, body) => {
    const buyer = await shop.buyer();
    expect(await codeOf(await buyer.client.post('/api/createCheckout', body))).toEqual([
      422,
      'invalid_request',
      { field },
    ]);
  });

  it('begun too often is refused for a while', async () => {
    const buyer = await shop.buyer();
    await shop.sql`insert into rate_limits (key, count, started_at) values (${`billing:${buyer.userId}`}, 1000, ${shop.clock.now()})`;
    const response = await buyer.begin('creem');
    expect((await codeOf(response)).slice(0, 2)).toEqual([429, 'rate_limited']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('at a provider without settings names the setting', async () => {
    const bare = await openShop({ env: { EMULATORS: 'off', CREEM_API_KEY: '', BAGELPAY_API_KEY: '' } });
    try {
      const buyer = await bare.buyer();
      expect(await codeOf(await buyer.begin('bagelpay'))).toEqual([
        503,
        'not_configured',
        { setting: 'BAGELPAY_API_KEY' },
      ]);
      expect((await buyer.status()).providers).toEqual([]);
    } finally {
      await bare.close();
    }
  });
});
