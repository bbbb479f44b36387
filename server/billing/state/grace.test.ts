import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CheckoutAnswer } from '#contract/billing.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { ask, draft, refusal } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { moveTime } from '#test/fake-clock.ts';
import { PATIENT } from '#test/patient.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
/** Is charged once; its renewals fail. */
const CARD = '4000000000000341';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop({ webhooks: true });
});
afterEach(() => shop.close());

/** Every webhook read. */
async function settle() {
  for (const { control } of [shop.creem, shop.bagelpay]) await control.settle();
  await vi.waitFor(
    async () => expect((await shop.sql`select from billing.inbox where status = 'new'`).count).toBe(0),
    PATIENT,
  );
}

/** Sessions are made by the real clock, and live by the moved one. */
async function moveTo(target: number) {
  await moveTime(shop.clock, [shop.creem.control, shop.bagelpay.control], target, settle);
  const now = shop.clock.now();
  await shop.sql`update sessions set created_at = ${now}, used_at = ${now}, expires_at = ${new Date(now.getTime() + DAY)}`;
}

it('a user in grace can send a minute after the paid period, at the free month’s credits', async () => {
  const buyer = await shop.buyer();
  const { orderId } = (await (await buyer.begin('creem')).json()) as CheckoutAnswer;
  await buyer.pay('creem', orderId, CARD);
  await settle();
  await expect.poll(buyer.balance).toBe(540);
  const end = (await buyer.status()).expiresAt ?? 0;
  await moveTo(end + MINUTE);
  await expect.poll(async () => (await buyer.status()).state).toBe('past_due');
  expect(await buyer.status()).toMatchObject({ planKey: 'gemini_basic', active: true });
  await expect.poll(buyer.balance).toBe(40);
  expect(await ask(buyer.client)).toMatchObject({ status: 'completed' });
  expect(await buyer.balance()).toBe(32);
});

it('a renewal that is told two hours late: the old credits end with their period to the moment, the new ones come once', async () => {
  const buyer = await shop.buyer();
  const { control } = shop.creem;
  const { orderId } = (await (await buyer.begin('creem')).json()) as CheckoutAnswer;
  await buyer.pay('creem', orderId);
  await settle();
  await expect.poll(buyer.balance).toBe(540);
  const end = (await buyer.status()).expiresAt ?? 0;
  await control.webhookFault('drop', { times: null });
  await control.apiFault({ status: 503, times: null });
  await moveTo(end);
  const refused = await buyer.client.post('/api/messages', draft());
  expect(await refusal(refused)).toMatchObject({
    status: 402,
    code: 'insufficient_credits',
    params: { balance: 0 },
  });
  expect(await buyer.status()).toMatchObject({ planKey: 'gemini_basic', active: true });
  await moveTo(end + 2 * HOUR);
  expect(await buyer.balance()).toBe(40);
  await control.clearFaults();
  for (let times = 2; times > 0; times -= 1) {
    for (const { eventId, createdAt } of await control.webhooks())
      if (createdAt >= end) await control.act('resend', { event: eventId });
    await settle();
    await expect.poll(buyer.balance).toBe(540);
  }
  expect(await buyer.status()).toMatchObject({ active: true, state: 'active' });
  const buckets = await shop.sql`
    select available, expired from credit.bucket
     where user_id = ${buyer.userId} and kind = 'subscription' order by starts_at`;
  expect([...buckets]).toEqual([
    { available: 0, expired: 500 },
    { available: 500, expired: 0 },
  ]);
  await expectNoDrift(shop.sql, buyer.userId);
});
