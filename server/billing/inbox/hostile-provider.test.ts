import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PROVIDERS, type Provider } from '#contract/choices.ts';
import { randomOf } from '#test/billing/replay.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import type { End } from '#test/lives/lives.ts';
import { openPlayedShop, type PlayedShop } from '#test/lives/played-shop.ts';
import { endlessLists, garble, LIES } from '#test/lives/spoil.ts';
import { IS_LONG, runs, timeoutFor } from '#test/runs.ts';
import { readBilling } from '../state/read-billing.ts';

const RUNS = runs(1, 40);
/** How often an honest provider is asked before its answers must count. */
const MAX_ASKED = 6;
/** They are bounded by their cases, not by time. */
const TIMEOUT_MS = timeoutFor(600_000);
const HOUR = 3_600_000;
const other = (name: Provider): Provider => (name === 'creem' ? 'bagelpay' : 'creem');

const clock = {
  time: Date.parse('2028-01-31T09:30:00Z'),
  now: () => new Date(clock.time),
  databaseTime: () => new Date(clock.time),
};
let shop: PlayedShop;
beforeAll(async () => {
  shop = await openPlayedShop(clock);
});
afterEach(() => {
  for (const each of Object.values(shop.served)) each.spoil = null;
});
afterAll(async () => {
  await expectNoDrift(shop.sql);
  await shop.close();
});

/** Two buyers whose things were told under one garbled id are left to the operator, so each is alone. */
async function openAnotherShop() {
  await expectNoDrift(shop.sql);
  await shop.close();
  shop = await openPlayedShop(clock);
}

function passTime(ms: number) {
  clock.time += ms;
  for (const { played } of Object.values(shop.served)) played.clock.hold(clock.time);
}

/** A buyer who has just paid Basic for a month, which no webhook reported. */
async function payer(name: Provider) {
  passTime(HOUR);
  const buyer = await shop.buyer(name, clock.now());
  await buyer.scene.buy('a');
  return buyer;
}
type Buyer = Awaited<ReturnType<typeof payer>>;

/** Everything is asked, as the jobs do; what they log as failed is not ours here. */
async function askEverything() {
  for (let times = 0; times < 2; times += 1) {
    passTime(HOUR);
    await shop.ask();
    await shop.look().catch(() => {});
  }
}

const endOf = (until: Date): End => ({
  plan: `gemini_basic active ${until.toISOString().slice(0, 10)}`,
  orders: { a: 'paid' },
  credits: [`a ${until.toISOString().slice(0, 10)} 500/500`],
});

/** What one month of Basic comes to when the provider reports the truth at last, asked some times: on a slow machine one may be in vain. */
async function expectHonestEnd(name: Provider, buyer: Buyer, paidAt: Date) {
  shop.served[name].spoil = null;
  const until = new Date(paidAt);
  until.setUTCMonth(paidAt.getUTCMonth() + 1, 1);
  const last = new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() + 1, 0)).getUTCDate();
  until.setUTCDate(Math.min(paidAt.getUTCDate(), last));
  const wanted = endOf(until);
  for (let left = MAX_ASKED; left > 0; left -= 1) {
    await askEverything();
    if (isDeepStrictEqual(await buyer.end(), wanted)) return;
  }
  expect(await buyer.end()).toEqual(wanted);
}

const granted = async ({ userId }: { userId: string }) => {
  const [row] = await shop.sql<{ sum: number }[]>`
    select coalesce(sum(amount), 0)::int as sum from credit.bucket where user_id = ${userId} and kind = 'subscription'`;
  return row?.sum ?? 0;
};

/** Is there something to see or to ask: of the buyer, or an unattributed charge. */
async function isShown(name: Provider, { userId }: Buyer): Promise<boolean> {
  const { projection } = await readBilling(shop.app.deps, userId);
  const uncredited = await shop.sql`
    select from billing.uncredited where provider = ${name} and resolved_at is null and found_at > ${new Date(clock.time - 3 * HOUR)}`;
  return projection.quarantine.length + projection.questions.length + uncredited.length > 0;
}

describe.each(PROVIDERS)('%s, when it is hostile,', (name) => {
  it('answers garbage: nothing is granted that was not paid, and the truth is taken when it comes', {
    timeout: TIMEOUT_MS,
  }, async () => {
    for (let seed = 1; seed <= RUNS; seed += 1) {
      await openAnotherShop();
      const buyer = await payer(name);
      const paidAt = clock.now();
      shop.served[name].spoil = garble(randomOf(seed));
      for (let times = 0; times < 3; times += 1) await askEverything();
      expect([seed, await granted(buyer)]).toEqual([seed, Math.min(500, await granted(buyer))]);
      await expectHonestEnd(name, buyer, paidAt);
    }
  });

  it.each(Object.entries(LIES))(
    'tells %s: no more than what was paid is granted, and it is not silent',
    async (_lie, spoil) => {
      const buyer = await payer(name);
      const paidAt = clock.now();
      shop.served[name].spoil = spoil;
      await askEverything();
      const before = await granted(buyer);
      expect([0, 500]).toContain(before);
      if (before === 0) expect(await isShown(name, buyer)).toBe(true);
      await expectHonestEnd(name, buyer, paidAt);
    },
  );

  it("tells of another buyer's order: one charge is granted once", async () => {
    const [payed, victim] = [await payer(name), await shop.buyer(name, clock.now())];
    await victim.scene.order('a');
    const { played } = shop.served[name];
    const [mine, theirs] = played.ledger.checkouts.slice(-2).map(({ requestId }) => String(requestId));
    shop.served[name].spoil = (_path, honest) =>
      JSON.parse(JSON.stringify(honest).replaceAll(String(mine), String(theirs)));
    await askEverything();
    shop.served[name].spoil = null;
    await askEverything();
    expect((await granted(payed)) + (await granted(victim))).toBeLessThanOrEqual(500);
  });

  it.runIf(IS_LONG)(
    'lists without end: asking ends, and the other provider is heard',
    { timeout: TIMEOUT_MS },
    async () => {
      const [buyer, elsewhere] = [await payer(name), await payer(other(name))];
      const paidAt = clock.now();
      shop.served[name].spoil = endlessLists;
      const before = shop.served[name].calls;
      passTime(30_000);
      await shop.ask();
      await expect.poll(() => granted(elsewhere)).toBe(500);
      await shop.look().catch(() => {});
      expect(shop.served[name].calls - before).toBeLessThan(5_000);
      await expectHonestEnd(name, buyer, new Date(paidAt.getTime() - HOUR));
    },
  );

  it('answers slowly: nobody else waits, and what was asked counts when it comes', async () => {
    const [elsewhere, buyer] = [await payer(other(name)), await shop.buyer(name, clock.now())];
    const paidAt = clock.now();
    await buyer.scene.order('a');
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    shop.served[name].spoil = async (_path, honest) => {
      await gate;
      return honest;
    };
    try {
      buyer.scene.pay('a');
      passTime(30_000);
      const asking = shop.ask();
      await expect.poll(() => granted(elsewhere)).toBe(500);
      expect(await granted(buyer)).toBe(0);
      open();
      await asking;
    } finally {
      open();
    }
    await expectHonestEnd(name, buyer, paidAt);
  });
});
