import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { CheckoutAnswer } from '#contract/billing.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { ask } from '#test/chat/chat.ts';
import { moveTime } from '#test/fake-clock.ts';
import { PATIENT } from '#test/patient.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Is charged once; its renewals fail. */
const CARD = '4000000000000341';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ webhooks: true });
});
afterAll(() => shop.close());

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
