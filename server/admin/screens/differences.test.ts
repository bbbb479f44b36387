import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type DifferencesScreen,
  type DisputesScreen,
  differencesSchema,
  type OrdersScreen,
} from '#contract/admin/screens.ts';
import { listQuarantine } from '#server/admin/list-quarantine.ts';
import { reconcileProvider } from '#server/billing/reconciliation/reconcile-provider.ts';
import { grantCredits } from '#server/credits/grant-credits.ts';
import { revokeCredits } from '#server/credits/revoke-credits.ts';
import { read } from '#test/admin/console.ts';
import { openPeople, type Person } from '#test/admin/people.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { insertUser } from '#test/factories.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

let ann: Person;
let user: Person;
beforeEach(async () => {
  [ann, , user] = await openPeople(shop);
});

const NEVER_SEEN = 'an event of an unknown type';
const find = () => read<DifferencesScreen>(ann.client, '/api/admin/orders/differences');

/** Somebody buys at the provider, without an order of ours. */
async function buyFromNobody(email: string): Promise<void> {
  const { baseUrl, apiKey } = shop.bagelpay.settings;
  const response = await fetch(`${baseUrl}/api/payments/checkouts`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ product_id: 'prod_pro_annual', units: '1', customer: { email } }),
  });
  const { data } = (await response.json()) as { data: { payment_id: string } };
  await shop.bagelpay.control.act('pay', { checkout: data.payment_id, email });
  const provider = shop.app.deps.providers.bagelpay;
  if (!provider) throw new Error('no provider');
  await reconcileProvider(shop.app.deps, provider);
}

/** Holds the lock under which a user's facts are read: the server's own look at them would find what the test has planted. */
async function holdProjections(userId: string): Promise<() => Promise<void>> {
  const held = await shop.sql.reserve();
  await held`begin`;
  await held`select from billing.account where user_id = ${userId} for no key update`;
  return async () => {
    await held`rollback`;
    held.release();
  };
}

describe('what providers reported and does not act', () => {
  it('is nothing after a purchase', async () => {
    await user.buy('creem');
    expect((await find()).setAside.filter(({ userId }) => userId === user.userId)).toEqual([]);
  });

  it('is found of each kind: what contradicts a granted charge first, then money for nothing, then the rest', async () => {
    const { order, charges } = await user.buy('creem');
    const granted = charges[0]?.transactionId ?? '';
    const unpaid = `tran_${randomUUID()}`;
    const goOn = await holdProjections(user.userId);
    const report = (kind: string, subject: string, change: Record<string, unknown>) => shop.sql`
      insert into billing.facts (user_id, provider, kind, subject, source, observed_at, external_refs, fact, digest)
      select user_id, provider, ${kind}, ${subject}, source, now(), external_refs,
             fact || ${JSON.stringify(change)}::text::jsonb, ${randomBytes(32)}
        from billing.facts where kind = 'payment' and subject = ${granted} limit 1`;
    await report('unknown', 'odd.event', { ...{ kind: 'unknown', type: 'odd.event' }, reason: NEVER_SEEN });
    await report('payment', unpaid, { transactionId: unpaid, amountMinor: 1 });
    await report('payment', granted, { amountMinor: 1 });
    const { setAside, hasMore } = differencesSchema.parse(await find());
    expect(hasMore).toBe(false);
    const of = { userId: user.userId, email: user.email, provider: 'creem' };
    expect(setAside.filter(({ userId }) => userId === user.userId)).toEqual([
      { ...of, subject: granted, orderId: order.id, reason: 'contradictory', charge: 'granted' },
      { ...of, subject: unpaid, orderId: order.id, reason: 'other_amount', charge: 'not_granted' },
      { ...of, subject: 'odd.event', orderId: null, reason: 'not_understood', charge: null },
    ]);
    await shop.sql`
      insert into billing.uncredited (provider, transaction_id, user_id, order_id, reason, found_at, alert_at)
      values ('creem', ${unpaid}, ${user.userId}, ${order.id}, 'other_amount', now(), 'infinity')`;
    const { uncredited } = await read<OrdersScreen>(ann.client, '/api/admin/orders');
    expect(uncredited).toContainEqual(expect.objectContaining({ transactionId: unpaid, email: user.email }));
    const others = (await find()).setAside.filter(({ userId }) => userId === user.userId);
    expect(others.map(({ subject }) => subject)).toEqual([granted, 'odd.event']);
    const [section] = await listQuarantine(shop.app.deps);
    const typed = typeof section === 'object' ? section.rows : [];
    expect(typed.filter((row) => row.user === user.email).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining([granted, unpaid, 'odd.event']),
    );
    await goOn();
  });

  it('is found of nobody', async () => {
    const email = `${randomUUID()}@example.test`;
    await buyFromNobody(email);
    const { unattributed } = await find();
    expect(differencesSchema.shape.unattributed.parse(unattributed)).toContainEqual(
      expect.objectContaining({ kind: 'payment', provider: 'bagelpay', email, isAmbiguous: false }),
    );
  });
});

describe('charges that are disputed or refunded', () => {
  it('are listed page by page, those of open disputes first, however old they are', async () => {
    const [open, settled] = [await insertUser(shop.sql), await insertUser(shop.sql)];
    const lose = async (userId: string, reason: string) => {
      const paymentKey = `creem:${randomUUID()}`;
      const expiresAt = new Date(Date.now() + 86_400_000);
      await grantCredits(shop.sql, {
        ...{ userId, kind: 'subscription', reason: 'subscription', sourceKey: paymentKey, paymentKey },
        ...{ amount: 5, expiresAt, at: null },
      });
      await revokeCredits(shop.sql, { userId, paymentKey, revokeTarget: 5, reason, at: null });
      return paymentKey;
    };
    const old = await lose(open.userId, 'dispute');
    const cleared = await lose(settled.userId, 'dispute');
    for (const { userId } of [open, settled])
      await shop.sql`
        insert into billing.account (user_id, disputed, cleared_disputes) values (${userId}, true, ${[cleared]})`;
    const newer: string[] = [];
    for (let n = 0; n < 60; n += 1) newer.push(await lose(settled.userId, 'refund'));
    const first = await read<DisputesScreen>(ann.client, '/api/admin/disputes');
    expect(first.losses).toHaveLength(50);
    expect(first.losses[0]).toMatchObject({ paymentKey: old, isOpen: true });
    const second = await read<DisputesScreen>(ann.client, `/api/admin/disputes?cursor=${first.nextCursor}`);
    expect(second.nextCursor).toBeNull();
    const keys = [...first.losses, ...second.losses].map(({ paymentKey }) => paymentKey);
    expect(keys).toEqual([old, ...newer.reverse(), cleared]);
    expect((await ann.client.get('/api/admin/disputes?cursor=x')).status).toBe(422);
  });
});
