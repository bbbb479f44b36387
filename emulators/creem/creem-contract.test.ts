import { createHash } from 'node:crypto';
import { Creem } from 'creem';
import { constructWebhookEventEntity } from 'creem/webhooks.js';
import { afterEach, describe, expect, test } from 'vitest';
import { SECRET, startPayments, startReceiver } from '#test/billing/payment-emulator.ts';
import { signRedirect } from './redirect-url.ts';

const KEY = 'creem_test_key';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function setUp() {
  const receiver = await startReceiver();
  const emulator = await startPayments('creem', { webhook: { url: receiver.url, secret: SECRET } });
  closing.push(emulator.close, receiver.close);
  const creem = new Creem({ apiKey: KEY, serverURL: emulator.url });
  const checkout = await creem.checkouts.create({
    productId: 'prod_basic_monthly',
    requestId: 'order-1',
    customer: { email: 'a@example.test' },
    successUrl: 'http://localhost:3000/en/subscription?order=order-1',
    metadata: { order_id: 'order-1' },
  });
  return { receiver, creem, checkout, ...emulator };
}

describe("the emulator held to Creem's own package", () => {
  test('its answers pass the strict parsers of the package', async () => {
    const { creem, checkout, control, url } = await setUp();
    expect(checkout).toMatchObject({ status: 'pending', requestId: 'order-1' });
    expect(checkout.checkoutUrl).toBe(`${url}/checkout/${checkout.id}`);
    await control.act('pay', { checkout: checkout.id });
    const completed = await creem.checkouts.retrieve(checkout.id);
    expect(completed).toMatchObject({ status: 'completed', order: { amountPaid: 690, type: 'recurring' } });
    const { subscriptions, customers, transactions } = await control.ledger();
    const [subscriptionId, customerId] = [subscriptions[0]?.id ?? '', customers[0]?.id ?? ''];
    expect(await creem.subscriptions.get(subscriptionId)).toMatchObject({
      status: 'active',
      lastTransactionId: transactions[0]?.id,
    });
    expect(await creem.transactions.getById(transactions[0]?.id ?? '')).toMatchObject({ amountPaid: 690 });
    expect((await creem.transactions.search(customerId)).result.items).toHaveLength(1);
    expect((await creem.products.get('prod_pro_annual')).price).toBe(11_880);
    expect((await creem.products.search(1, 10)).result.items).toHaveLength(4);
    expect((await creem.customers.retrieve(customerId)).email).toBe('a@example.test');
    const links = await creem.customers.generateBillingLinks({ customerId });
    expect(links.customerPortalLink).toContain('/my-orders/login/');
  });

  test('changes of a subscription pass them too, on the wire that the package speaks', async () => {
    const { creem, checkout, control } = await setUp();
    await control.act('pay', { checkout: checkout.id });
    const { subscriptions, transactions } = await control.ledger();
    const id = subscriptions[0]?.id ?? '';
    const scheduled = await creem.subscriptions.cancel(id, { mode: 'scheduled', onExecute: 'cancel' });
    expect(scheduled.status).toBe('scheduled_cancel');
    expect((await creem.subscriptions.resume(id)).status).toBe('active');
    expect((await creem.subscriptions.pause(id)).status).toBe('paused');
    expect((await creem.subscriptions.resume(id)).status).toBe('active');
    expect((await creem.subscriptions.cancel(id, { mode: 'immediate' })).status).toBe('canceled');
    const refund = await creem.transactions.refund({ transactionId: transactions[0]?.id ?? '' });
    expect(refund.status).toBe('succeeded');
  });

  test('its refusals are the errors that the package knows', async () => {
    const { creem, url } = await setUp();
    await expect(creem.checkouts.create({ productId: 'prod_none' })).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(creem.subscriptions.get('sub_none')).rejects.toMatchObject({ statusCode: 404 });
    const wrong = new Creem({ apiKey: 'invalid', serverURL: url });
    await expect(wrong.products.get('prod_pro_annual')).rejects.toMatchObject({ statusCode: 403 });
  });

  test('its webhooks pass the signature check and the typed parser of the package', async () => {
    const { receiver, checkout, control } = await setUp();
    await control.act('pay', { checkout: checkout.id });
    const { subscriptions, transactions } = await control.ledger();
    const subscription = subscriptions[0]?.id;
    await control.act('cancel', { subscription, when: 'period_end' });
    await control.act('resume', { subscription });
    await control.act('refund', { transaction: transactions[0]?.id, amountMinor: 100 });
    await control.act('cancel', { subscription });
    await control.settle();
    const events = receiver.received.map(({ headers, raw }) =>
      constructWebhookEventEntity(raw, { 'creem-signature': String(headers['creem-signature']) }, SECRET),
    );
    expect((await Promise.all(events)).map((event) => event.eventType)).toEqual([
      'checkout.completed',
      'subscription.active',
      'subscription.paid',
      'subscription.scheduled_cancel',
      'subscription.update',
      'refund.created',
      'subscription.canceled',
    ]);
  });
});

test('the redirect carries the signature of the vector, and of its own parameters', async () => {
  const params = [
    ['checkout_id', 'ch_1'],
    ['order_id', 'ord_1'],
    ['customer_id', 'cust_1'],
    ['product_id', 'prod_1'],
    ['request_id', 'req_1'],
  ] as const;
  const vector = '54d6f131fce82f62f9bd4494c97d79b13728918369185b2fe69738224b59f20c';
  expect(signRedirect(params, KEY)).toBe(vector);
  const { checkout } = await setUp();
  const form = new URLSearchParams({ act: 'pay', card: '4242 4242 4242 4242' });
  const paid = await fetch(checkout.checkoutUrl ?? '', { method: 'POST', body: form, redirect: 'manual' });
  expect(paid.status).toBe(303);
  const location = new URL(paid.headers.get('location') ?? '');
  const own = [...location.searchParams].filter(([name]) => name !== 'order' && name !== 'signature');
  expect(own.map(([name]) => name)).toEqual([
    'checkout_id',
    'order_id',
    'customer_id',
    'subscription_id',
    'product_id',
    'request_id',
  ]);
  const salted = [...own.map(([name, value]) => `${name}=${value}`), `salt=${KEY}`].join('|');
  expect(location.searchParams.get('signature')).toBe(createHash('sha256').update(salted).digest('hex'));
});
