import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeCredits } from '#server/credits/take-credits.ts';
import { openBilling } from '#test/billing/billing.ts';
import { checkoutFact, disputeFact, paymentFact, refundFact, subscriptionFact } from '#test/billing/world.ts';
import { closeHold, takeHold } from '#test/credits/holds.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';
import type { OrderRow } from './order-store.ts';
import { projectUser } from './project-user.ts';
import { readTier } from './read-subscription.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

describe.each(POSTGRES_VERSIONS)('applyFacts on PostgreSQL %i', (version) => {
  let world: Awaited<ReturnType<typeof openBilling>>;

  beforeAll(async () => {
    world = await openBilling({ version });
  });
  afterAll(async () => {
    await expectNoDrift(world.sql);
    await world.drop();
  });

  async function paidBuyer(wanted: Parameters<Awaited<ReturnType<typeof world.buyer>>['order']>[0] = {}) {
    const buyer = await world.buyer();
    const order = await buyer.order(wanted);
    await world.tell(order.provider, checkoutFact(order), paymentFact(order));
    return { ...buyer, begin: buyer.order, order };
  }

  const ownersOf = (order: OrderRow) =>
    world.sql`select kind, user_id as "userId", is_ambiguous as "isAmbiguous" from billing.facts
               where fact::text like ${`%${order.id}%`} order by id`;

  it('grants one paid period once, pays the order, starts the plan and tells the tabs', async () => {
    const buyer = await world.buyer();
    const order = await buyer.order({ planKey: 'gemini_pro' });
    const told = await world.tell('creem', checkoutFact(order), paymentFact(order));
    expect(told).toEqual({ userIds: [buyer.userId] });
    expect(await buyer.balance()).toBe(1_540);
    expect(await buyer.subscription()).toMatchObject({
      plan_key: 'gemini_pro',
      state: 'active',
      active: true,
    });
    expect(buyer.news).toMatchObject([
      { type: 'credits', credits: 1_540 },
      { type: 'subscription', planKey: 'gemini_pro', active: true },
      { type: 'order', id: order.id, status: 'paid', confirming: false, priceUSD: 11.9 },
    ]);
  });

  it('tells nothing and writes no row when the same is told or projected again', async () => {
    const { userId, news, order } = await paidBuyer();
    news.length = 0;
    const versions = () => world.sql`
      select 'order' as what, xmin::text from billing.orders where user_id = ${userId} union all
      select 'account', xmin::text from billing.account where user_id = ${userId} union all
      select 'subscription', xmin::text from subscriptions where user_id = ${userId} union all
      select 'credits', xmin::text from credit.account where user_id = ${userId} union all
      select 'bucket', xmin::text from credit.bucket where user_id = ${userId} union all
      select 'fact', xmin::text from billing.facts where user_id = ${userId} order by 1, 2`;
    const before = await versions();
    expect(await world.tell('creem', paymentFact(order), checkoutFact(order))).toEqual({ userIds: [userId] });
    await projectUser(world.deps, userId);
    expect(await versions()).toEqual(before);
    expect(news).toEqual([]);
  });

  it('projects nothing for somebody who never began a checkout', async () => {
    const { userId, news } = await world.buyer();
    expect(await projectUser(world.deps, userId)).toMatchObject({ subscription: null, grants: [] });
    expect(news).toEqual([]);
  });

  it('finds the owner of what names only a subscription or a charge, in whatever order it is told', async () => {
    const buyer = await world.buyer();
    const order = await buyer.order();
    const payment = paymentFact(order, { orderId: null });
    expect(await world.tell('creem', refundFact(payment, 69))).toEqual({ userIds: [] });
    expect(await world.tell('creem', payment)).toEqual({ userIds: [] });
    expect(await world.tell('creem', subscriptionFact(order, 'active', world.clock.time.getTime()))).toEqual({
      userIds: [],
    });
    expect(await buyer.balance()).toBe(40);
    const binding = checkoutFact(order, { orderId: null });
    expect(await world.tell('creem', binding)).toEqual({ userIds: [buyer.userId] });
    expect(await buyer.balance()).toBe(490);
  });

  it('finds the same whoever of many tells it first, all at the same time', async () => {
    const buyer = await world.buyer();
    const order = await buyer.order();
    const payment = paymentFact(order, { orderId: null });
    const all = [
      refundFact(payment, 690),
      payment,
      subscriptionFact(order, 'active', 1),
      checkoutFact(order),
    ];
    await Promise.all([...all, ...all, ...all].map((fact) => world.tell('creem', fact)));
    expect(await buyer.balance()).toBe(40);
    const open =
      await world.sql`select from billing.facts where user_id is null and ${`subscription:sub_${order.id}`} = any(external_refs)`;
    expect(open).toHaveLength(0);
    expect(
      await world.sql`select from credit.bucket where user_id = ${buyer.userId} and revoked = 500`,
    ).toHaveLength(1);
  });

  it('does not act on what leads to two users, and keeps it before the operator', async () => {
    const [left, right] = [await paidBuyer(), await paidBuyer()];
    const before = [await left.state(), await right.state()];
    const ambiguous = paymentFact(right.order, {
      transactionId: 'tran_ambiguous',
      subscriptionId: `sub_${left.order.id}`,
    });
    expect(await world.tell('creem', ambiguous)).toEqual({ userIds: [] });
    expect([await left.state(), await right.state()]).toEqual(before);
    expect(await ownersOf(right.order)).toContainEqual({ kind: 'payment', userId: null, isAmbiguous: true });
  });

  it('does not let one id lead to two users although both are told at the same time', async () => {
    const [left, right] = [await world.buyer(), await world.buyer()];
    const [mine, yours] = [await left.order(), await right.order()];
    const strange = paymentFact(yours, { subscriptionId: `sub_${mine.id}` });
    const told = await world.tell('creem', checkoutFact(mine), paymentFact(mine), strange);
    expect(told).toEqual({ userIds: [left.userId] });
    expect([await left.balance(), await right.balance()]).toEqual([540, 40]);
    expect(await ownersOf(yours)).toEqual([{ kind: 'payment', userId: null, isAmbiguous: true }]);
  });

  it('keeps facts of the other world with their user and lets them lead to nobody', async () => {
    const buyer = await world.buyer();
    const order = await buyer.order();
    await world.tell('creem', checkoutFact(order, { mode: 'live' }), paymentFact(order, { mode: 'live' }));
    expect(await world.sql`select from billing.external_refs where user_id = ${buyer.userId}`).toHaveLength(
      0,
    );
    expect(await buyer.balance()).toBe(40);
    expect(await buyer.subscription()).toBeNull();
    expect(await ownersOf(order)).toHaveLength(2);
  });

  it('follows a guess only where nothing that was told leads anywhere, and never grants for it', async () => {
    const [owner, other] = [await paidBuyer(), await world.buyer()];
    const elsewhere = await other.order();
    const guess = paymentFact(elsewhere, {
      ...{ match: 'inferred', subscriptionId: null, amountMinor: 691 },
      transactionId: `tran_${owner.order.id}`,
    });
    expect(await world.tell('creem', guess)).toEqual({ userIds: [owner.userId] });
    const lone = { ...guess, transactionId: `tran_lone_${elsewhere.id}` };
    expect(await world.tell('creem', lone)).toEqual({ userIds: [other.userId] });
    expect(await other.balance()).toBe(40);
  });

  it('takes back before the operator sees it what was refunded before it was paid', async () => {
    const buyer = await world.buyer();
    const order = await buyer.order({ provider: 'bagelpay' });
    const payment = paymentFact(order);
    await world.tell('bagelpay', refundFact(payment, 345));
    await world.tell('bagelpay', payment, checkoutFact(order));
    expect(await buyer.balance()).toBe(290);
  });

  it('takes from a running message what comes back of it after a dispute, and never goes below zero', async () => {
    const { userId, order, balance, account } = await paidBuyer();
    const holdId = randomUUID();
    const at = world.clock.time;
    await takeHold(world.sql, { userId, holdId, cost: 50, model: 'parley-pro', at });
    await world.tell('creem', disputeFact(`tran_${order.id}`));
    expect(await balance()).toBe(0);
    expect(await account()).toMatchObject({ disputed: true });
    await closeHold(world.sql, { userId, holdId, outcome: 'released', reason: 'stopped', at });
    expect(await balance()).toBe(40);
    const wanted =
      await world.sql`select reason, period_end from billing.cancellations where user_id = ${userId}`;
    expect(wanted).toEqual([{ reason: 'disputed', period_end: false }]);
  });

  it('what an operator took by hand stays taken, also of a period that was charged twice', async () => {
    const { userId, order, balance } = await paidBuyer();
    await world.tell('creem', paymentFact(order, { transactionId: `tran_again_${order.id}` }));
    await world.sql.begin((tx) => takeCredits(tx, { userId, amount: 140, at: world.clock.time }));
    expect(await balance()).toBe(400);
    await projectUser(world.deps, userId);
    expect(await balance()).toBe(400);
  });

  it.each(['before', 'after'])(
    'a refund takes its share beside what an operator took by hand %s it',
    async (when) => {
      const { userId, order, balance } = await paidBuyer();
      const take = () =>
        world.sql.begin((tx) => takeCredits(tx, { userId, amount: 140, at: world.clock.time }));
      if (when === 'before') await take();
      await world.tell('creem', refundFact(paymentFact(order), order.priceMinor / 2));
      if (when === 'after') await take();
      expect(await balance()).toBe(540 - 140 - 250);
      await projectUser(world.deps, userId);
      expect(await balance()).toBe(540 - 140 - 250);
    },
  );

  it('a period that another charge pays gets back what a refund took, and not what an operator took by hand', async () => {
    const { userId, order, balance } = await paidBuyer();
    await world.sql.begin((tx) => takeCredits(tx, { userId, amount: 140, at: world.clock.time }));
    await world.tell('creem', refundFact(paymentFact(order), order.priceMinor));
    expect(await balance()).toBe(0);
    await world.tell('creem', paymentFact(order, { transactionId: `tran_again_${order.id}` }));
    expect(await balance()).toBe(400);
  });

  it('a dispute that an operator cleared blocks no more', async () => {
    const { userId, order, account } = await paidBuyer();
    await world.tell('creem', disputeFact(`tran_${order.id}`));
    await world.sql`
      update billing.account set cleared_disputes = ${[`creem:tran_${order.id}`]} where user_id = ${userId}`;
    await projectUser(world.deps, userId);
    expect(await account()).toMatchObject({ disputed: false });
  });

  it('brings a closed order back to life when it is paid after all, beside a newer one for the same', async () => {
    const buyer = await world.buyer();
    const [old] = [await buyer.order()];
    await world.tell('creem', checkoutFact(old, { status: 'expired', subscriptionId: null }));
    const newer = await buyer.order();
    await world.tell('creem', checkoutFact(old));
    const statuses = () => world.sql`
      select id, status, confirming from billing.orders where user_id = ${buyer.userId} order by created_at, id`;
    const standing = (id: string, status: string, confirming: boolean) => ({ id, status, confirming });
    expect(await statuses()).toEqual([standing(old.id, 'open', true), standing(newer.id, 'open', false)]);
    await world.tell('creem', paymentFact(old));
    expect(await statuses()).toEqual([standing(old.id, 'paid', false), standing(newer.id, 'open', false)]);
    expect(await buyer.balance()).toBe(540);
  });

  it('an order is refunded once every charge that was set aside is, until another charge pays it', async () => {
    const buyer = await world.buyer();
    const order = await buyer.order();
    const standing = async () => {
      const [row] = await world.sql`
        select status, confirming, paid_at from billing.orders where id = ${order.id}`;
      return row;
    };
    const odd = { amountMinor: 123, netMinor: 123 };
    const one = paymentFact(order, { transactionId: `tran_one_${order.id}`, ...odd });
    const two = paymentFact(order, { transactionId: `tran_two_${order.id}`, ...odd });
    const confirming = { status: 'open', confirming: true, paid_at: null };
    await world.tell('creem', checkoutFact(order), one, two);
    expect(await standing()).toEqual(confirming);
    await world.tell('creem', refundFact(one, 123), refundFact(two, 100));
    expect(await standing()).toEqual(confirming);
    await world.tell('creem', refundFact(two, 123));
    expect(await standing()).toEqual({ status: 'refunded', confirming: false, paid_at: order.createdAt });
    expect(await buyer.balance()).toBe(40);
    await world.tell('creem', paymentFact(order));
    expect(await standing()).toMatchObject({ status: 'paid', confirming: false });
    expect(await buyer.balance()).toBe(540);
  });

  it('an id that is too long for a key of the ledger is not understood', async () => {
    const buyer = await world.buyer();
    const order = await buyer.order();
    await world.tell('creem', paymentFact(order, { transactionId: 't'.repeat(400) }));
    expect(await buyer.balance()).toBe(40);
    const [fact] =
      await world.sql`select fact from billing.facts where kind = 'unknown' order by id desc limit 1`;
    expect(fact?.fact).toMatchObject({ reason: expect.stringContaining('more than 150') });
  });

  it('a charge of more than a row holds is noted without its amount, and keeps no other back', async () => {
    const buyer = await world.buyer();
    const order = await buyer.order();
    const large = { amountMinor: 3_000_000_000, netMinor: 3_000_000_000, currency: 'IDR' };
    const strange = paymentFact({ ...order, id: 'nobody' }, { ...large, orderId: null });
    expect(await world.tell('creem', strange, paymentFact(order, large))).toEqual({
      userIds: [buyer.userId],
    });
    const noted = await world.sql`
      select reason, amount_minor, currency from billing.uncredited
       where transaction_id = any(${['tran_nobody', `tran_${order.id}`]}::text[]) order by reason`;
    expect(noted).toEqual([
      { reason: 'order_unknown', amount_minor: null, currency: 'IDR' },
      { reason: 'other_currency', amount_minor: null, currency: 'IDR' },
    ]);
  });

  it('asks to cancel what a later purchase replaced, once, and knows when it was done', async () => {
    const { userId, order, ...buyer } = await paidBuyer();
    world.clock.moveDays(1);
    const pro = await buyer.begin({ planKey: 'gemini_pro' });
    await world.tell('creem', checkoutFact(pro), paymentFact(pro));
    await projectUser(world.deps, userId);
    const wanted = () => world.sql`
      select subscription_id as id, reason, period_end, done_at is not null as done
        from billing.cancellations where user_id = ${userId}`;
    const replaced = { id: `sub_${order.id}`, reason: 'replaced', period_end: true };
    expect(await wanted()).toEqual([{ ...replaced, done: false }]);
    await world.tell('creem', subscriptionFact(order, 'scheduled_cancel', world.clock.time.getTime()));
    expect(await wanted()).toEqual([{ ...replaced, done: true }]);
    expect(await buyer.balance()).toBe(2_040);
  });

  it('asks to cancel again at once what was taken up again before its provider was asked, and within an hour what was after', async () => {
    const { userId, order, ...buyer } = await paidBuyer();
    world.clock.moveDays(1);
    const pro = await buyer.begin({ planKey: 'gemini_pro' });
    await world.tell('creem', checkoutFact(pro), paymentFact(pro));
    const at = world.clock.time.getTime();
    const open = async () => {
      const rows = await world.sql`
        select from billing.cancellations where user_id = ${userId} and done_at is null`;
      return rows.length;
    };
    await world.tell('creem', subscriptionFact(order, 'scheduled_cancel', at + 1));
    expect(await open()).toBe(0);
    await world.tell('creem', subscriptionFact(order, 'past_due', at + 2));
    expect(await open()).toBe(1);

    await world.sql`update billing.cancellations set tries = 1 where user_id = ${userId}`;
    await world.tell('creem', subscriptionFact(order, 'scheduled_cancel', at + 3));
    await world.tell('creem', subscriptionFact(order, 'past_due', at + 4));
    expect(await open()).toBe(0);
    const [account] = await world.sql`select next_change_at from billing.account where user_id = ${userId}`;
    expect(account).toEqual({ next_change_at: new Date(at + HOUR) });
    world.clock.time = new Date(at + HOUR);
    await projectUser(world.deps, userId);
    expect(await open()).toBe(1);
  });

  it('the plan follows the clock alone through the grace to its end, and the free month begins when the renewal is late', async () => {
    const { userId, order, ...buyer } = await paidBuyer({ planKey: 'gemini_pro' });
    const end = paymentFact(order).periodEnd?.getTime() ?? 0;
    const begin = world.clock.time;
    world.clock.time = new Date(end - 1);
    expect(await readTier(world.deps, userId)).toBe('pro');
    expect(await buyer.balance()).toBe(1_540);
    world.clock.time = new Date(end);
    expect(await readTier(world.deps, userId)).toBe('pro');
    expect(await buyer.balance()).toBe(0);
    expect(await buyer.account()).toMatchObject({ next_change_at: new Date(end) });
    await projectUser(world.deps, userId);
    expect(await buyer.subscription()).toMatchObject({ state: 'past_due', active: true });
    expect(await world.sql`select ask_at from billing.polls where user_id = ${userId}`).toEqual([
      { ask_at: new Date(end + 5_000) },
    ]);
    world.clock.time = new Date(end + DAY / 24);
    expect(await readTier(world.deps, userId)).toBe('pro');
    expect(await buyer.balance()).toBe(40);
    world.clock.time = new Date(end + 3 * DAY - 1);
    expect(await readTier(world.deps, userId)).toBe('pro');
    world.clock.time = new Date(end + 3 * DAY);
    expect(await readTier(world.deps, userId)).toBe('free');
    expect(await buyer.balance()).toBe(40);
    await projectUser(world.deps, userId);
    expect(await buyer.subscription()).toMatchObject({ state: 'expired', active: false });
    world.clock.time = begin;
  });

  it('a renewal that is told late, within the grace, grants its period and the plan goes on', async () => {
    const { order, ...buyer } = await paidBuyer();
    const first = paymentFact(order);
    const begin = world.clock.time;
    world.clock.time = new Date((first.periodEnd?.getTime() ?? 0) + 2 * DAY);
    const periodStart = first.periodEnd;
    await world.tell(
      'creem',
      paymentFact(order, { transactionId: `second_${order.id}`, periodStart, paidAt: periodStart }),
    );
    expect(await buyer.balance()).toBe(500);
    expect(await buyer.subscription()).toMatchObject({ state: 'active', active: true });
    world.clock.time = begin;
  });
});
