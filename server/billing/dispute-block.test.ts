import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BillingStatus, CheckoutAnswer } from '#contract/billing.ts';
import type { TestClient } from '#test/client.ts';
import { openShop, type Shop } from '#test/shop.ts';
import { clearDispute } from './clear-dispute.ts';

const POLL = { timeout: 20_000, interval: 100 };
const PASSWORD = 'correct horse battery';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

async function signUp(email: string): Promise<TestClient> {
  const client = shop.app.visit();
  const response = await client.post('/api/auth/sign-up/email', {
    email,
    password: PASSWORD,
    name: 'Somebody',
  });
  expect(response.status).toBe(200);
  return client;
}
const begin = (client: TestClient) =>
  client.post('/api/createCheckout', { provider: 'creem', planKey: 'gemini_basic', cycle: 'monthly' });
const blockOf = async (client: TestClient) =>
  ((await (await client.get('/api/subscription')).json()) as BillingStatus).checkoutBlocked;

/** A purchase whose charge its buyer's bank takes back. */
async function buyAndDispute(client: TestClient, email: string) {
  const { control } = shop.creem;
  const { orderId } = (await (await begin(client)).json()) as CheckoutAnswer;
  const checkout = (await control.ledger()).checkouts.find(({ requestId }) => requestId === orderId)?.id;
  await control.act('pay', { checkout, email });
  await expect
    .poll(
      async () =>
        ((await (await client.get(`/api/orders/${orderId}`)).json()) as { order: { status: string } }).order
          .status,
      POLL,
    )
    .toBe('paid');
  const charge = (await control.ledger()).transactions.at(-1)?.id ?? '';
  await control.act('dispute', { transaction: charge });
  await shop.moveDays(61 / 1_440);
  await expect.poll(() => blockOf(client), POLL).toBe('disputed');
  return charge;
}

it('a dispute blocks the mailbox: an alias, and the account deleted and opened again, until it is cleared', async () => {
  const client = await signUp('dora@example.test');
  const [{ id: userId = '' } = {}] = await shop.sql<
    { id: string }[]
  >`select id from users where email = 'dora@example.test'`;
  const charge = await buyAndDispute(client, 'dora@example.test');
  const alias = await signUp('Dora+again@example.test');
  expect([await blockOf(alias), (await begin(alias)).status]).toEqual(['disputed', 403]);
  const other = await signUp('dorothy@example.test');
  expect([await blockOf(other), (await begin(other)).status]).toEqual([null, 200]);

  await client.post('/api/me/confirm', { password: PASSWORD });
  const gone = await client.post('/api/me/delete', { email: 'dora@example.test' });
  expect(gone.status).toBe(200);
  await expect
    .poll(
      async () => (await shop.sql`select from users where id = ${userId} and deleted_at is not null`).length,
      POLL,
    )
    .toBe(1);
  const again = await signUp('dora@example.test');
  expect([await blockOf(again), (await begin(again)).status]).toEqual(['disputed', 403]);

  await clearDispute(shop.app.deps, userId, `creem:${charge}`, async () => {});
  expect([await blockOf(again), (await begin(again)).status]).toEqual([null, 200]);
}, 60_000);

it('whoever has proved the mailbox is not blocked by what a stranger bought in its name', async () => {
  const stranger = await signUp('v.ictim@example.test');
  await buyAndDispute(stranger, 'v.ictim@example.test');
  const owner = await signUp('v.ictim+mine@example.test');
  expect(await blockOf(owner)).toBe('disputed');
  await shop.sql`update users set email_verified = true where email = 'v.ictim+mine@example.test'`;
  expect([await blockOf(owner), (await begin(owner)).status]).toEqual([null, 200]);
}, 60_000);
