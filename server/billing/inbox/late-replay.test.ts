import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckoutAnswer } from '#contract/billing.ts';
import { PROVIDERS, type Provider } from '#contract/choices.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import { SECRET } from '#test/billing/payment-emulator.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { postWebhook, signWebhook } from '#test/billing/signed-webhook.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { inTurn } from '#test/runs.ts';
import { readBillingStatus } from '../subscriptions/read-billing-status.ts';

const HOUR_S = 3_600;

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(async () => {
  await expectNoDrift(shop.sql);
  await shop.close();
});

/** A new buyer who has paid; the bodies of the webhooks, none of which were sent. */
async function pay(name: Provider) {
  const buyer = await shop.buyer();
  const { orderId } = (await (await buyer.begin(name)).json()) as CheckoutAnswer;
  await buyer.pay(name, orderId);
  const told = (await shop.worlds[name].control.webhooks()).map(({ body }) => body);
  return { ...buyer, told };
}

/** Waits until every webhook that came was read. */
async function settle() {
  const waiting = async () => (await shop.sql`select from billing.inbox where status = 'new'`).length;
  await expect.poll(waiting, { interval: 50 }).toBe(0);
}

async function ledgerOf(userId: string) {
  const rows = await shop.sql`
    select (select jsonb_agg(to_jsonb(t) order by t.id) from credit.transfer t where t.user_id = ${userId}) as transfers,
           (select jsonb_agg(to_jsonb(b) order by b.id) from credit.bucket b where b.user_id = ${userId}) as buckets`;
  return JSON.stringify(rows);
}

describe.each(inTurn(PROVIDERS, 0, 2))('webhooks of %s', (name) => {
  it('that come again a year later, as they were and under new ids, change nothing', async () => {
    const { userId, told, balance } = await pay(name);
    expect(told.length).toBeGreaterThan(1);
    for (const body of told) expect(await postWebhook(shop.app.url, name, body)).toBe(200);
    await settle();
    expect(await balance()).toBe(540);
    const { control } = shop.worlds[name];
    const { subscriptions } = await control.ledger();
    await control.act('cancel', { subscription: subscriptions.at(-1)?.id });
    await shop.moveDays(366);
    const now = () => readBalance(shop.app.deps, userId);
    await expect.poll(now).toBe(40);
    const before = await ledgerOf(userId);
    for (const [index, body] of told.entries()) {
      const renamed = body.replace(/"(id|event_id)":"evt_\w+"/, `"$1":"evt_captured_${index}"`);
      expect(renamed).not.toBe(body);
      for (const sent of [body, renamed]) expect(await postWebhook(shop.app.url, name, sent)).toBe(200);
    }
    await settle();
    expect(await ledgerOf(userId)).toBe(before);
    expect(await now()).toBe(40);
    expect(await readBillingStatus(shop.app.deps, userId)).toMatchObject({ active: false });
  });
});

it('an event of BagelPay is taken once, however far off the time is that its signature covers', async () => {
  const { userId, told, balance } = await pay('bagelpay');
  const now = Math.floor(shop.clock.now().getTime() / 1_000);
  for (const off of [-10 * HOUR_S, -600, 0, 600, 10 * HOUR_S]) {
    for (const body of told) {
      const headers = signWebhook('bagelpay', body, SECRET, String(now + off));
      expect(await postWebhook(shop.app.url, 'bagelpay', body, headers)).toBe(200);
    }
  }
  await settle();
  expect(await shop.sql`select from billing.inbox`).toHaveLength(told.length);
  expect(await balance()).toBe(540);
  const grants =
    await shop.sql`select amount from credit.bucket where user_id = ${userId} and kind = 'subscription'`;
  expect([...grants]).toEqual([{ amount: 500 }]);
});
