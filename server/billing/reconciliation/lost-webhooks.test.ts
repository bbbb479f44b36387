import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CheckoutAnswer, Order } from '#contract/billing.ts';
import { PROVIDERS } from '#contract/choices.ts';
import { DAY_MS } from '#contract/time.ts';
import { SECRET } from '#test/billing/payment-emulator.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { IS_LONG } from '#test/runs.ts';
import { applyFacts } from '../state/apply-facts.ts';
import { readBilling } from '../state/read-billing.ts';
import { REVIEW_LEASE_MS, reviewIfDue } from './reconcile-jobs.ts';
import { reconcileProvider } from './reconcile-provider.ts';

type Name = (typeof PROVIDERS)[number];
type Buyer = Awaited<ReturnType<Shop['buyer']>>;
const DECLINED = '4000000000000002';
const MINUTE = 60_000;
const POLL = { interval: 100 };

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(async () => {
  for (const { control } of Object.values(shop.worlds)) {
    await control.clearFaults();
    await control.act('webhook', { url: null });
  }
});
afterAll(() => shop.close());

async function begin(buyer: Buyer, name: Name, planKey?: string) {
  return ((await (await buyer.begin(name, planKey)).json()) as CheckoutAnswer).orderId;
}
const wait = (ms: number) => shop.moveDays(ms / 86_400_000);
/** Only these webhooks arrive. */
async function deliver(name: Name, kept: string[]) {
  const { control } = shop.worlds[name];
  const all = ['checkout.completed', 'subscription.paid', 'subscription.active', 'refund.created'];
  for (const type of all.filter((each) => !kept.includes(each)))
    await control.webhookFault('drop', { match: type, times: null });
  await control.act('webhook', { url: `${shop.app.url}/webhooks/${name}`, secret: SECRET });
}
function providerOf(name: Name) {
  const provider = shop.app.deps.providers[name];
  if (!provider) throw new Error('no provider');
  return provider;
}
/** No one asks about the user any more: only the provider's lists report. */
const forget = (buyer: Buyer) => shop.sql`delete from billing.polls where user_id = ${buyer.userId}`;
const orderOf = async (buyer: Buyer, orderId: string) => {
  const { orders } = await buyer.read<{ orders: { id: string; status: string }[] }>('/api/orders');
  return orders.find(({ id }) => id === orderId)?.status;
};
async function chargeOf(name: Name, buyer: Buyer) {
  const { customers, transactions } = await shop.worlds[name].control.ledger();
  const customer = customers.find(({ email }) => email === buyer.email)?.id;
  return transactions.find(({ customerId }) => customerId === customer)?.id ?? '';
}
async function checkoutOf(name: Name, orderId: string) {
  const { checkouts } = await shop.worlds[name].control.ledger();
  return checkouts.find(({ requestId }) => requestId === orderId)?.id;
}

describe('an order of BagelPay whose page was given up and then paid, the webhook lost,', () => {
  it.each([
    ['after a declined card', 'failed', DECLINED],
    ['after it was left', 'abandoned', null],
  ])('is credited %s', async (_, status, card) => {
    await deliver('bagelpay', []);
    const buyer = await shop.buyer();
    const orderId = await begin(buyer, 'bagelpay');
    if (card) await buyer.pay('bagelpay', orderId, card);
    else await shop.bagelpay.control.act('abandon', { checkout: await checkoutOf('bagelpay', orderId) });
    await expect.poll(() => orderOf(buyer, orderId), POLL).toBe(status);
    await wait(10 * MINUTE);
    await buyer.pay('bagelpay', orderId);
    await wait(MINUTE);
    await expect.poll(() => buyer.balance(), POLL).toBe(540);
    expect(await orderOf(buyer, orderId)).toBe('paid');
    await expectNoDrift(shop.sql, buyer.userId);
  });
});

it('a checkout of Creem that is completed and whose payment is never told gives nothing, is asked about and shown as being confirmed', async () => {
  await deliver('creem', ['checkout.completed']);
  const { control } = shop.creem;
  const buyer = await shop.buyer();
  const orderId = await begin(buyer, 'creem');
  await control.apiFault({ status: 503, times: null });
  await buyer.pay('creem', orderId);
  await control.settle();
  const order = async () =>
    (await buyer.read<{ orders: Order[] }>('/api/orders')).orders.find(({ id }) => id === orderId);
  await expect.poll(order, POLL).toMatchObject({ status: 'open', confirming: true });
  for (let hours = 0; hours < 30; hours += 10) {
    await wait(10 * 60 * MINUTE);
    expect(await order()).toMatchObject({ status: 'open', confirming: true, paidAt: null });
    expect(await buyer.balance()).toBe(40);
  }
  const { projection } = await readBilling(shop.app.deps, buyer.userId);
  expect(projection.questions).toMatchObject([{ provider: 'creem', kind: 'subscription' }]);
  const polls = await shop.sql`
    select from billing.polls where user_id = ${buyer.userId} and provider = 'creem'`;
  expect(polls).toHaveLength(1);
  await expectNoDrift(shop.sql, buyer.userId);
});

describe.each(PROVIDERS)('at %s', (name) => {
  it('a refund that is told before a lost payment ends as a purchase that was given back', async () => {
    await deliver(name, ['refund.created']);
    const buyer = await shop.buyer();
    const orderId = await begin(buyer, name);
    await buyer.pay(name, orderId);
    await shop.worlds[name].control.act('refund', { transaction: await chargeOf(name, buyer) });
    await wait(MINUTE);
    await expect.poll(() => orderOf(buyer, orderId), POLL).toBe('refunded');
    expect(await buyer.balance()).toBe(40);
    const { entries } = await buyer.read<{ entries: { amount: number }[] }>('/api/credits/entries');
    expect(entries.map(({ amount }) => amount)).toEqual([-500, 500, 40]);
    await expectNoDrift(shop.sql, buyer.userId);
  });

  it('a payment by a buyer who has changed the address since the checkout is credited', async () => {
    const buyer = await shop.buyer();
    const orderId = await begin(buyer, name);
    await shop.sql`update users set email = ${`new-${buyer.email}`} where id = ${buyer.userId}`;
    await buyer.pay(name, orderId);
    await wait(MINUTE);
    await expect.poll(() => buyer.balance(), POLL).toBe(540);
    expect(await orderOf(buyer, orderId)).toBe('paid');
  });

  it('a charge that nobody asks about is credited by the list of charges, twenty seconds later', async () => {
    const buyer = await shop.buyer();
    const orderId = await begin(buyer, name);
    await forget(buyer);
    await wait(20 * 60 * MINUTE);
    await buyer.pay(name, orderId);
    await wait(21_000);
    await expect.poll(() => buyer.balance(), POLL).toBe(540);
    await forget(buyer);
  });

  it.each([
    ['within the hour', 59 / 1_440, 'all'],
    ['within the day, where the list of two weeks does not have it', 23 / 24, 'recent'],
  ])('a refund whose webhook was lost is found %s', async (_, days, other) => {
    const buyer = await shop.buyer();
    const { order } = await buyer.buy(name);
    await shop.worlds[name].control.act('refund', { transaction: await chargeOf(name, buyer) });
    await expect
      .poll(async () => (await shop.sql`select from billing.reviews where read_to is not null`).length, POLL)
      .toBe(6);
    await shop.sql`update billing.reviews set due_at = due_at + interval '30 days' where scope = ${other}`;
    await shop.moveDays(days);
    await expect.poll(() => orderOf(buyer, order.id), POLL).toBe('refunded');
    expect(await buyer.balance()).toBe(40);
    await shop.sql`update billing.reviews set due_at = ${shop.clock.now()}`;
  });
});

/** What a job that reads a list says of it after each page is no older than this. */
const PAGE_MS = 30_000;

/** No job reads the lists meanwhile: each is due in three months, the one that a job is at once that has come to its end. */
async function readAlone(work: () => Promise<void>) {
  const left = async () => {
    const now = shop.clock.now().getTime();
    const leased = new Date(now + REVIEW_LEASE_MS);
    const [asked, soon] = [new Date(leased.getTime() - PAGE_MS), new Date(now + 60 * DAY_MS)];
    await shop.sql`
      update billing.reviews set due_at = due_at + interval '90 days'
       where due_at < ${soon} and not (due_at > ${asked} and due_at <= ${leased})`;
    return (await shop.sql`select from billing.reviews where due_at < ${soon}`).length;
  };
  await expect.poll(left, POLL).toBe(0);
  await work();
  await shop.sql`update billing.reviews set due_at = ${shop.clock.now()}`;
}
const readNew = () => reconcileProvider(shop.app.deps, providerOf('bagelpay'), 'new', { pauseMs: 0 });

it('a charge of BagelPay whose subscription cannot be read is recorded, and keeps no other from being credited', async () => {
  const { control } = shop.bagelpay;
  const [unread, buyer] = [await shop.buyer(), await shop.buyer()];
  await unread.buy('bagelpay');
  const orderId = await begin(buyer, 'bagelpay');
  for (const each of [unread, buyer]) await forget(each);
  const { subscriptions } = await control.ledger();
  const subscription = subscriptions.at(-1)?.id ?? '';
  await readAlone(async () => {
    await buyer.pay('bagelpay', orderId);
    await control.act('charge', { subscription });
    const charge = (await control.ledger()).transactions.at(-1)?.orderId ?? '';
    await control.apiFault({ code: 400, match: `/subscriptions/${subscription}`, times: null });
    await readNew();
    expect(await buyer.balance()).toBe(540);
    const stored = await shop.sql`select kind, user_id from billing.facts where subject = ${charge}`;
    expect(stored).toEqual([{ kind: 'payment', user_id: null }]);
  });
});

describe('a list of more than ten pages', () => {
  /** Other buyers' purchases at BagelPay, not by our checkout. */
  async function buyMany(count: number) {
    const { baseUrl, apiKey } = shop.bagelpay.settings;
    const one = async (index: number) => {
      const email = `stranger-${index}@example.test`;
      const response = await fetch(`${baseUrl}/api/payments/checkouts`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ product_id: 'prod_basic_monthly', units: '1', customer: { email } }),
      });
      const { data } = (await response.json()) as { data: { payment_id: string } };
      await shop.bagelpay.control.act('pay', { checkout: data.payment_id, email });
    };
    for (let begun = 0; begun < count; begun += 20)
      await Promise.all(Array.from({ length: 20 }, (_, each) => one(begun + each)));
  }

  it('has a charge whose buyer was not found at once asked about again, however many others’ are newer', async () => {
    const buyer = await shop.buyer();
    const orderId = await begin(buyer, 'bagelpay');
    await forget(buyer);
    await readAlone(async () => {
      await buyer.pay('bagelpay', orderId);
      await buyMany(40);
      const { facts } = await providerOf('bagelpay').listTransactions(1);
      const paid = facts.filter((fact) => fact.kind === 'payment');
      expect(paid.some(({ customerEmail }) => customerEmail === buyer.email)).toBe(true);
      await applyFacts(shop.app.deps, { provider: 'bagelpay', facts: paid, source: 'sweep' });
      expect(await buyer.balance()).toBe(40);
      await readNew();
      expect(await buyer.balance()).toBe(540);
    });
  });

  it.runIf(IS_LONG)('hides neither a first payment nor a renewal', async () => {
    const [old, young] = [await shop.buyer(), await shop.buyer()];
    await old.buy('bagelpay');
    const orderId = await begin(young, 'bagelpay');
    await forget(young);
    await readAlone(async () => {
      await young.pay('bagelpay', orderId);
      await buyMany(560);
      await readNew();
      expect([await old.balance(), await young.balance()]).toEqual([540, 540]);
      expect((await shop.bagelpay.control.ledger()).transactions.length).toBeGreaterThan(550);
      await forget(old);
      await shop.moveDays(31.5);
      await readNew();
      const periodsOf = async ({ userId }: Buyer) =>
        (await shop.sql`select from credit.bucket where user_id = ${userId} and kind = 'subscription'`).count;
      expect(await periodsOf(old)).toBe(2);
    });
  });
});

describe('asking', () => {
  it.runIf(IS_LONG)('a provider that hangs delays nothing of the other one', async () => {
    const own = await openShop();
    try {
      const slow = await Promise.all(Array.from({ length: 12 }, () => own.buyer()));
      for (const each of slow) await each.begin('bagelpay');
      await own.bagelpay.control.apiFault({ kind: 'hang', times: null });
      const buyer = await own.buyer();
      const { orderId } = (await (await buyer.begin('creem')).json()) as CheckoutAnswer;
      await buyer.pay('creem', orderId);
      own.clock.moveTo(own.clock.now().getTime() + 5_000);
      await expect.poll(() => buyer.balance()).toBe(540);
    } finally {
      await own.close();
    }
  });

  it('reads each list of a quiet shop once in twenty seconds, by one process', async () => {
    const provider = providerOf('creem');
    let calls = 0;
    const counted = {
      ...provider,
      listTransactions: (page: number) => {
        calls += 1;
        return provider.listTransactions(page);
      },
    };
    await shop.sql`update billing.reviews set due_at = ${shop.clock.now()} where scope = 'new'`;
    await shop.sql`delete from billing.reviews where provider = 'creem' and scope = 'new'`;
    const review = () => reviewIfDue(shop.app.deps, counted, 'new');
    await Promise.all([review(), review(), review()]);
    expect(calls).toBeLessThanOrEqual(1);
  });
});
