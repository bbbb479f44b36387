import { afterEach, describe, expect, test, vi } from 'vitest';
import { PROVIDERS } from '#contract/choices.ts';
import { SECRET, startPayments, startReceiver } from '#test/billing/payment-emulator.ts';
import { IS_LONG } from '#test/runs.ts';
import { createBagelpay } from './bagelpay/bagelpay.ts';
import { createCreem } from './creem/creem.ts';
import type { Fact, PaymentFact } from './facts.ts';
import type { OrderQuery } from './provider.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const TIMES = { answerMs: 10_000, totalMs: 15_000, retryMs: [1, 1] };
/** For a provider that says nothing. */
const SHORT_TIMES = { ...TIMES, answerMs: 400, totalMs: 600 };
type Name = (typeof PROVIDERS)[number];

async function setUp(name: Name, times = TIMES) {
  const receiver = await startReceiver();
  const emulator = await startPayments(name, { webhook: { url: receiver.url, secret: SECRET } });
  closing.push(emulator.close, receiver.close);
  const provider = (name === 'creem' ? createCreem : createBagelpay)(emulator.settings, { times });
  return { receiver, provider, ...emulator };
}
type World = Awaited<ReturnType<typeof setUp>>;

const REQUEST = {
  orderId: 'order-1',
  productId: 'prod_pro_monthly',
  userEmail: 'a@example.test',
  successUrl: 'http://localhost:3000/zh/subscription?order=order-1',
  metadata: { order_id: 'order-1', user_id: 'u1' },
};

const PRICE = { priceMinor: 1_190, currency: 'USD' };

async function buy({ provider, control }: World) {
  const createdAt = new Date(await control.now());
  const session = await provider.createCheckout(REQUEST);
  await control.act('pay', { checkout: session.checkoutId });
  await control.settle();
  const query: OrderQuery = { ...REQUEST, ...PRICE, checkoutId: session.checkoutId, createdAt };
  return { session, query };
}

/** All that webhooks reported, completed by asking. */
async function learn({ provider, receiver }: World): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (const { headers, raw } of receiver.received.splice(0)) {
    expect(provider.verifySignature(headers, raw)).toBe(true);
    facts.push(...(await provider.resolve(provider.translate(raw))));
  }
  return facts;
}

const paymentsIn = (facts: Fact[]) => facts.filter((fact): fact is PaymentFact => fact.kind === 'payment');
const lastOf = <K extends Fact['kind']>(facts: Fact[], kind: K) =>
  facts.findLast((fact): fact is Fact & { kind: K } => fact.kind === kind);

describe.each(PROVIDERS)('%s', (name) => {
  test('a purchase is told whole: order, product, money and period, once per charge', async () => {
    const world = await setUp(name);
    await buy(world);
    const facts = await learn(world);
    const payments = paymentsIn(facts);
    expect(new Set(payments.map((payment) => payment.transactionId)).size).toBe(1);
    const [subscription] = (await world.control.ledger()).subscriptions;
    const seconds = (ms: number | undefined) => Math.floor((ms ?? 0) / 1_000);
    for (const payment of payments) {
      expect(payment).toMatchObject({
        ...{ orderId: 'order-1', amountMinor: 1_190, netMinor: 1_190, currency: 'USD', mode: 'test' },
        ...{ productId: 'prod_pro_monthly', subscriptionId: subscription?.id, match: 'told' },
      });
      expect(seconds(payment.periodEnd?.getTime())).toBe(seconds(subscription?.periodEnd));
    }
    expect(lastOf(facts, 'checkout')).toMatchObject({
      status: 'completed',
      orderId: 'order-1',
      userId: 'u1',
    });
    expect(lastOf(facts, 'subscription')).toMatchObject({ status: 'active', cancelAt: null });
  });

  test('without a single webhook, asking about the order tells the same payment', async () => {
    const world = await setUp(name);
    const { query } = await buy(world);
    const told = paymentsIn(await learn(world)).at(-1);
    const asked = paymentsIn(await world.provider.fetchOrder(query));
    expect(asked).toHaveLength(1);
    const {
      paidAt: _,
      match: __,
      customerId: ___,
      customerEmail: ____,
      productId,
      ...same
    } = told ?? ({} as PaymentFact);
    expect(asked[0]).toMatchObject(same);
    // A transaction of Creem does not say its product, and its subscription may have had another one then.
    expect(asked[0]?.productId).toBe(name === 'creem' ? null : productId);
    expect(asked[0]?.match).toBe(name === 'creem' ? 'told' : 'inferred');
  });

  test('an order that nobody paid is no payment', async () => {
    const world = await setUp(name);
    const { checkoutId } = await world.provider.createCheckout(REQUEST);
    const facts = await world.provider.fetchOrder({
      ...REQUEST,
      ...PRICE,
      checkoutId,
      createdAt: new Date(),
    });
    expect(facts).toMatchObject(name === 'creem' ? [{ kind: 'checkout', status: 'open' }] : []);
  });

  test('renewals are payments of the periods that follow', async () => {
    const world = await setUp(name);
    await buy(world);
    await world.control.moveDays(70);
    await world.control.settle();
    const facts = paymentsIn(await learn(world));
    const ids = [...new Set(facts.map((fact) => fact.transactionId))];
    expect(ids).toHaveLength(3);
    const { transactions } = await world.control.ledger();
    expect(transactions.every(({ id, orderId }) => ids.includes(name === 'creem' ? id : orderId))).toBe(true);
  });

  test('a refund is told cumulative over what was charged', async () => {
    const world = await setUp(name);
    await buy(world);
    const [transaction] = (await world.control.ledger()).transactions;
    await world.control.act('refund', { transaction: transaction?.id, amountMinor: 300 });
    await world.control.act('refund', { transaction: transaction?.id, amountMinor: 400 });
    await world.control.settle();
    const refund = lastOf(await learn(world), 'refund');
    expect(refund).toMatchObject({ refundedMinor: 700, paidMinor: 1_190, status: 'succeeded' });
    expect(
      lastOf(await world.provider.fetchTransaction(refund?.transactionId ?? ''), 'refund'),
    ).toMatchObject({
      refundedMinor: 700,
    });
  });

  test('a dispute names the charge', async () => {
    const world = await setUp(name);
    await buy(world);
    const payment = paymentsIn(await learn(world))[0];
    const [transaction] = (await world.control.ledger()).transactions;
    await world.control.act('dispute', { transaction: transaction?.id });
    await world.control.settle();
    const dispute = lastOf(await learn(world), 'dispute');
    expect(dispute).toMatchObject({ transactionId: payment?.transactionId, orderId: 'order-1' });
  });

  test.runIf(IS_LONG)('the sweep lists every subscription and charge over all pages', async () => {
    const world = await setUp(name);
    for (let count = 0; count < 60; count += 1) await buy(world);
    for (const list of [world.provider.listSubscriptions, world.provider.listTransactions]) {
      const first = await list(1);
      const second = await list(first.nextPage ?? 0);
      expect([first.facts.length, second.facts.length, second.nextPage]).toEqual([50, 10, null]);
    }
  });

  test('cancelling ends the subscription, at the end of the period where that exists', async () => {
    const world = await setUp(name);
    await buy(world);
    const id = (await world.control.ledger()).subscriptions[0]?.id ?? '';
    const scheduled = await world.provider.cancelSubscription(id, 'period_end');
    const resumed = await world.provider.resumeSubscription(id);
    if (name === 'creem') {
      expect(scheduled).toMatchObject({ result: 'done', facts: [{ status: 'scheduled_cancel' }] });
      expect(resumed).toMatchObject({ result: 'done', facts: [{ status: 'active', cancelAt: null }] });
    } else expect([scheduled, resumed]).toEqual([{ result: 'unsupported' }, { result: 'unsupported' }]);
    const canceled = await world.provider.cancelSubscription(id, 'now');
    expect(canceled).toMatchObject({ result: 'done', facts: [{ status: 'canceled', rank: 8 }] });
    expect(await world.provider.fetchSubscription(id)).toMatchObject([
      { status: 'canceled' },
      { kind: 'payment' },
    ]);
  });

  test('what is unknown there is empty', async () => {
    const { provider } = await setUp(name);
    expect(await provider.fetchSubscription('sub_none')).toEqual([]);
    expect(await provider.fetchTransaction('tran_none')).toEqual([]);
  });
});

describe.each(PROVIDERS)("%s's faults", (name) => {
  const fetching = ({ provider }: World) => provider.fetchSubscription('sub_none');
  const creating = ({ provider }: World) => provider.createCheckout(REQUEST);

  test('a question is repeated when the provider fails for a moment, a checkout is not', async () => {
    const world = await setUp(name);
    await world.control.apiFault({ status: 503, times: 2 });
    expect(await fetching(world)).toEqual([]);
    await world.control.apiFault({ status: 503, message: 'Down for\nmaintenance', times: 1 });
    await expect(creating(world)).rejects.toMatchObject({
      name: 'ProviderError',
      kind: 'unavailable',
      status: 503,
      message: 'Down for maintenance',
    });
    expect((await world.control.ledger()).checkouts).toHaveLength(0);
  });

  test.each([
    [{ status: 429 }, 'unavailable'],
    [{ status: 403 }, 'misconfigured'],
    [{ status: 422, message: 'no such product' }, 'refused'],
    [{ kind: 'hang' }, 'timeout'],
    [{ kind: 'reset' }, 'unavailable'],
    [{ kind: 'no-json' }, 'malformed'],
    [{ kind: 'endless' }, 'malformed'],
    [{ status: 302 }, 'malformed'],
  ])('%j is %s', async (fault, kind) => {
    const world = await setUp(name, kind === 'timeout' ? SHORT_TIMES : TIMES);
    await world.control.apiFault(fault);
    await expect(creating(world)).rejects.toMatchObject({ kind, provider: name });
  });

  test('nobody at the address is unavailable, a wrong key is misconfigured and reported', async () => {
    const { settings } = await setUp(name);
    const create = name === 'creem' ? createCreem : createBagelpay;
    const gone = create({ ...settings, baseUrl: 'http://127.0.0.1:9' }, { times: TIMES });
    await expect(gone.createCheckout(REQUEST)).rejects.toMatchObject({ kind: 'unavailable', status: null });
    const onKeyRefused = vi.fn();
    const wrong = create({ ...settings, apiKey: 'invalid' }, { times: TIMES, onKeyRefused });
    await expect(wrong.createCheckout(REQUEST)).rejects.toMatchObject({ kind: 'misconfigured' });
    expect(onKeyRefused).toHaveBeenCalledOnce();
  });

  test('an unknown product is refused with the reason', async () => {
    const { provider } = await setUp(name);
    await expect(provider.createCheckout({ ...REQUEST, productId: 'prod_x' })).rejects.toMatchObject({
      kind: 'refused',
      message: name === 'creem' ? 'Product not found' : 'Resource not found',
    });
  });
});

test("BagelPay's error inside HTTP 200 is an error", async () => {
  const world = await setUp('bagelpay');
  await world.control.apiFault({ code: 429, message: 'Too many requests' });
  await expect(world.provider.createCheckout(REQUEST)).rejects.toMatchObject({
    kind: 'unavailable',
    status: 429,
  });
  await world.control.apiFault({ code: 70_001, message: 'Store is closed' });
  await expect(world.provider.createCheckout(REQUEST)).rejects.toMatchObject({
    kind: 'refused',
    message: 'Store is closed',
  });
  await world.control.apiFault({ code: 401, message: 'Invalid API key' });
  const onKeyRefused = vi.fn();
  const refused = createBagelpay(world.settings, { times: TIMES, onKeyRefused });
  await expect(refused.createCheckout(REQUEST)).rejects.toMatchObject({ kind: 'misconfigured' });
  expect(onKeyRefused).toHaveBeenCalledOnce();
});

test("Creem's portal opens for its customer, BagelPay has none", async () => {
  const creem = await setUp('creem');
  await buy(creem);
  const customer = (await creem.control.ledger()).customers[0]?.id ?? '';
  const link = await creem.provider.portalUrl(customer);
  expect(await (await fetch(link ?? '')).text()).toContain('a@example.test');
  const bagelpay = await setUp('bagelpay');
  expect(await bagelpay.provider.portalUrl('1')).toBeNull();
  expect(await bagelpay.provider.refund('ORD_1')).toEqual({ result: 'unsupported' });
});

test('Creem gives back all that remains of a charge', async () => {
  const world = await setUp('creem');
  await buy(world);
  const id = (await world.control.ledger()).transactions[0]?.id ?? '';
  expect(await world.provider.refund(id)).toMatchObject({ result: 'done' });
  expect(lastOf(await world.provider.fetchTransaction(id), 'refund')).toMatchObject({ refundedMinor: 1_190 });
  await expect(world.provider.refund(id)).rejects.toMatchObject({ kind: 'refused' });
});
