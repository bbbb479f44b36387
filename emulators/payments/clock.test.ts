import { afterEach, describe, expect, test } from 'vitest';
import { SECRET, startPayments, startReceiver } from '#test/billing/payment-emulator.ts';
import { addMonths } from './add-months.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const DAY_MS = 86_400_000;

async function setUp(name: 'creem' | 'bagelpay' = 'creem', productId = 'prod_pro_monthly', at?: string) {
  const receiver = await startReceiver();
  const emulator = await startPayments(name, { webhook: { url: receiver.url, secret: SECRET } });
  closing.push(emulator.close, receiver.close);
  const { control, url } = emulator;
  if (at) await control.moveTo(at);
  const isCreem = name === 'creem';
  const response = await fetch(`${url}${isCreem ? '/v1/checkouts' : '/api/payments/checkouts'}`, {
    method: 'POST',
    headers: { 'x-api-key': 'k' },
    body: JSON.stringify({ product_id: productId, request_id: 'order-1' }),
  });
  const body = (await response.json()) as { id?: string; data?: { payment_id: string } };
  const checkout = body.id ?? body.data?.payment_id ?? '';
  const pay = async (card?: string) => control.act('pay', { checkout, ...(card ? { card } : {}) });
  const subscriptionOf = async () => {
    const [subscription] = (await control.ledger()).subscriptions;
    if (!subscription) throw new Error('no subscription');
    return subscription;
  };
  return { receiver, checkout, pay, subscriptionOf, ...emulator };
}

const days = (all: { periodStart: number; periodEnd: number }[]) =>
  all.map(({ periodStart, periodEnd }) =>
    [periodStart, periodEnd].map((ms) => new Date(ms).toISOString().slice(0, 10)).join(' '),
  );

describe('the movable clock', () => {
  test('renews for 14 months over a leap day, the 31st clamped and come back', async () => {
    const { control, pay, receiver } = await setUp('creem', 'prod_pro_monthly', '2027-12-31T12:00:00Z');
    await pay();
    await control.moveTo('2029-02-28T13:00:00Z');
    await control.settle();
    const { transactions } = await control.ledger();
    expect(days(transactions)).toEqual([
      '2027-12-31 2028-01-31',
      '2028-01-31 2028-02-29',
      '2028-02-29 2028-03-31',
      '2028-03-31 2028-04-30',
      '2028-04-30 2028-05-31',
      '2028-05-31 2028-06-30',
      '2028-06-30 2028-07-31',
      '2028-07-31 2028-08-31',
      '2028-08-31 2028-09-30',
      '2028-09-30 2028-10-31',
      '2028-10-31 2028-11-30',
      '2028-11-30 2028-12-31',
      '2028-12-31 2029-01-31',
      '2029-01-31 2029-02-28',
      '2029-02-28 2029-03-31',
    ]);
    expect(receiver.typesOf().filter((type) => type === 'subscription.paid')).toHaveLength(15);
    const charged = transactions.map(({ createdAt, periodStart }) => createdAt - periodStart);
    expect(charged).toEqual(charged.map(() => 0));
  });

  test('renews a year that began on a leap day at the end of February', async () => {
    const { control, pay } = await setUp('bagelpay', 'prod_basic_annual', '2028-02-29T08:00:00Z');
    await pay();
    await control.moveTo('2032-03-01');
    const { transactions } = await control.ledger();
    expect(days(transactions).map((period) => period.slice(0, 10))).toEqual([
      ...['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ]);
  });

  test('tries a failed renewal again after days, and goes on from the old anchor when it succeeds', async () => {
    const { control, pay, subscriptionOf, receiver } = await setUp();
    await pay();
    const { periodEnd } = await subscriptionOf();
    await control.act('fail-renewals', { times: 2 });
    await control.moveTo(periodEnd + DAY_MS);
    expect(await subscriptionOf()).toMatchObject({ status: 'past_due', failures: 1 });
    await control.moveTo(periodEnd + 6 * DAY_MS);
    expect(await subscriptionOf()).toMatchObject({ status: 'active', failures: 0, periodStart: periodEnd });
    await control.settle();
    expect(receiver.typesOf().slice(3)).toEqual([
      'subscription.past_due',
      'subscription.expired',
      'subscription.past_due',
      'subscription.paid',
    ]);
  });

  test.each([
    ['creem', 'subscription.past_due'],
    ['bagelpay', 'checkout.failed'],
  ] as const)('%s gives a failing card up after its tries', async (name, type) => {
    const { control, pay, subscriptionOf, receiver } = await setUp(name);
    await pay('4000 0000 0000 0341');
    await control.moveDays(45);
    await control.settle();
    expect((await subscriptionOf()).status).toBe('canceled');
    expect((await control.ledger()).transactions).toHaveLength(1);
    expect(receiver.typesOf().filter((each) => each === type)).toHaveLength(4);
    expect(receiver.typesOf().at(-1)).toBe('subscription.canceled');
  });

  test('ends a subscription with its period when that was scheduled, and not when it was resumed', async () => {
    const { control, pay, subscriptionOf, receiver } = await setUp();
    await pay();
    const { id, periodEnd } = await subscriptionOf();
    await control.act('cancel', { subscription: id, when: 'period_end' });
    await control.act('resume', { subscription: id });
    await control.moveTo(periodEnd + 1);
    expect(await subscriptionOf()).toMatchObject({ status: 'active', period: 1 });
    await control.act('cancel', { subscription: id, when: 'period_end' });
    await control.moveDays(40);
    expect((await subscriptionOf()).status).toBe('canceled');
    await control.settle();
    expect(receiver.typesOf().slice(-2)).toEqual(['subscription.scheduled_cancel', 'subscription.canceled']);
  });
});

test('months are counted from the anchor', () => {
  const anchor = Date.UTC(2027, 0, 31, 23, 59, 59, 999);
  const ends = [1, 2, 3, 13, 14].map((months) => new Date(addMonths(anchor, months)).toISOString());
  expect(ends).toEqual([
    '2027-02-28T23:59:59.999Z',
    '2027-03-31T23:59:59.999Z',
    '2027-04-30T23:59:59.999Z',
    '2028-02-29T23:59:59.999Z',
    '2028-03-31T23:59:59.999Z',
  ]);
});
