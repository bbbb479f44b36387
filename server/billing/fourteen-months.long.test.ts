import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Provider } from '#contract/choices.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { moveTime } from '#test/fake-clock.ts';
import { PATIENT } from '#test/patient.ts';
import { timeoutFor } from '#test/runs.ts';
import { addMonths } from './facts/period-rules.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Before a leap day; half past nine at night is the next day in some of the zones. */
const BEGIN = Date.UTC(2028, 0, 31, 21, 30);
const ENDS = [
  ...['2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31', '2028-06-30', '2028-07-31', '2028-08-31'],
  ...['2028-09-30', '2028-10-31', '2028-11-30', '2028-12-31', '2029-01-31', '2029-02-28', '2029-03-31'],
];
const day = (time: Date) => time.toISOString().slice(0, 10);
const zone = process.env.TZ;

type Buyer = Awaited<ReturnType<Shop['buyer']>>;

/** The shop at the anchor, with everybody's time moved together and every webhook read at each stop; people sign in again. */
async function openShopAt(begin: number) {
  const shop = await openShop({ webhooks: true });
  const { sql } = shop;
  const controls = [shop.creem.control, shop.bagelpay.control];
  const settle = async () => {
    for (const { control } of [shop.creem, shop.bagelpay]) await control.settle();
    await vi.waitFor(
      async () => expect((await sql`select from billing.inbox where status = 'new'`).count).toBe(0),
      PATIENT,
    );
  };
  const moveTo = async (target: number) => {
    const then = new Date(target);
    // Before the move: what ends old sessions may look while it is under way.
    await sql`update sessions set created_at = ${then}, used_at = ${then}, expires_at = ${new Date(target + 30 * DAY)}`;
    await moveTime(shop.clock, controls, target, settle);
  };
  await moveTo(begin);
  return { ...shop, moveTo, settle };
}

async function buckets({ sql }: Shop, userId: string) {
  return sql<{ startsAt: Date; expiresAt: Date; amount: number; available: number }[]>`
    select starts_at as "startsAt", expires_at as "expiresAt", amount, available
      from credit.bucket where user_id = ${userId} and kind = 'subscription' order by starts_at`;
}

/** Nothing of a period is there before it begins, or after it ends; there is never more than one period at a time. */
async function expectOnePeriod(shop: Shop, buyer: Buyer, credits: number) {
  const now = shop.clock.now();
  await buyer.balance();
  const all = await buckets(shop, buyer.userId);
  const live = all.filter((each) => each.startsAt <= now && now < each.expiresAt);
  expect(live).toHaveLength(1);
  expect(all.filter((each) => each.expiresAt <= now && each.available > 0)).toEqual([]);
  expect(all.every(({ amount }) => amount === credits)).toBe(true);
}

describe.each(['UTC', 'America/New_York', 'Pacific/Apia'])('fourteen months on a host in %s', (host) => {
  let shop: Awaited<ReturnType<typeof openShopAt>>;
  beforeAll(async () => {
    process.env.TZ = host;
    shop = await openShopAt(BEGIN);
  });
  afterAll(async () => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
    await expectNoDrift(shop.sql);
    await shop.close();
  });

  it('bring one bucket a month, or one a year, and nothing after the end', {
    timeout: timeoutFor(600_000),
  }, async () => {
    const at = (provider: Provider) => provider;
    const people = await Promise.all(
      [
        { provider: at('creem'), plan: 'gemini_pro', cycle: 'monthly', credits: 1_500 },
        { provider: at('bagelpay'), plan: 'gemini_basic', cycle: 'monthly', credits: 500 },
        { provider: at('creem'), plan: 'gemini_basic', cycle: 'annual', credits: 6_000 },
        { provider: at('bagelpay'), plan: 'gemini_pro', cycle: 'annual', credits: 18_000 },
      ].map(async (what) => ({ ...what, buyer: await shop.buyer() })),
    );
    await shop.moveTo(BEGIN + 1);
    for (const { buyer, provider, plan, cycle } of people) await buyer.buy(provider, plan, cycle);
    await shop.settle();
    const isMonthly = ({ cycle }: { cycle: string }) => cycle === 'monthly';
    for (let month = 1; month < 14; month += 1) {
      for (const { buyer, credits } of people) await expectOnePeriod(shop, buyer, credits);
      await shop.moveTo(addMonths(BEGIN, month) + HOUR);
    }
    for (const { buyer, credits } of people) await expectOnePeriod(shop, buyer, credits);
    for (const { buyer, cycle } of people) {
      const all = await buckets(shop, buyer.userId);
      const expected = isMonthly({ cycle }) ? ENDS : ['2029-01-31', '2030-01-31'];
      expect(all.map(({ expiresAt }) => day(expiresAt))).toEqual(expected);
      const inAYear = all.filter(({ startsAt }) => startsAt.getTime() < addMonths(BEGIN, 12));
      expect(inAYear).toHaveLength(isMonthly({ cycle }) ? 12 : 1);
      for (const [index, { startsAt }] of all.slice(1).entries())
        expect(startsAt).toEqual(all[index]?.expiresAt);
    }

    for (const { buyer } of people)
      expect((await buyer.client.post('/api/subscription/cancel', {})).status).toBe(200);
    await shop.moveTo(Date.UTC(2030, 0, 31, 21, 30) + 2 * DAY);
    for (const { buyer } of people) {
      expect((await buyer.status()).active).toBe(false);
      expect(await buyer.balance()).toBe(40);
      const all = await buckets(shop, buyer.userId);
      expect(all.reduce((sum, { available }) => sum + available, 0)).toBe(0);
    }
  });
});
