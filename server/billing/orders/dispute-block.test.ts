import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BillingStatus, CheckoutAnswer } from '#contract/billing.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import type { TestClient } from '#test/client.ts';
import { startMailbox } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';
import { clearDispute } from '../subscriptions/clear-dispute.ts';

const POLL = { interval: 100 };
const PASSWORD = 'correct horse battery';

const LINK = /\/(verify-email|confirm-email)#token=([\w-]+)/;

let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let shop: Shop;
beforeAll(async () => {
  mailbox = await startMailbox();
  shop = await openShop({ env: mailbox.settings });
});
afterAll(async () => {
  await shop.close();
  await mailbox.close();
});

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

/** The token of the newest of `count` links of the kind that came to an address. */
async function tokenOf(email: string, page: 'verify-email' | 'confirm-email', count = 1) {
  const about = new RegExp(`/${page}#token=`);
  const [mail] = await mailbox.waitFor(email, count, about);
  return LINK.exec(mail?.text ?? '')?.[2];
}

async function open(client: TestClient, path: string, token: string | undefined) {
  expect((await client.post(`/api/auth/${path}`, { token })).status).toBe(200);
}
const verify = async (client: TestClient, email: string) =>
  open(client, 'verify-email', await tokenOf(email, 'verify-email'));

/** Changes a proved address, which took part in `changes` before; both mailboxes agree. */
async function changeEmail(client: TestClient, email: string, newEmail: string, changes = 0) {
  await client.post('/api/me/confirm', { password: PASSWORD });
  expect((await client.post('/api/me/email', { email: newEmail })).status).toBe(202);
  await open(client, 'confirm-email-change', await tokenOf(email, 'confirm-email', changes + 1));
  await open(client, 'confirm-email-change', await tokenOf(newEmail, 'confirm-email'));
}

async function buyAndDispute(client: TestClient, email: string) {
  await buy(client, email);
  return dispute(client);
}

async function buy(client: TestClient, email: string) {
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
}

/** The bank takes back the charge that was made last. */
async function dispute(client: TestClient) {
  const { control } = shop.creem;
  const charge = (await control.ledger()).transactions.at(-1)?.id ?? '';
  await control.act('dispute', { transaction: charge });
  await shop.moveDays(61 / 1_440);
  await expect.poll(() => blockOf(client), POLL).toBe('disputed');
  return charge;
}

it('a dispute blocks the mailbox: an alias, and the account deleted and opened again, until it is cleared', async () => {
  const client = await signUp('dora@example.test');
  await verify(client, 'dora@example.test');
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
});

it('what a stranger bought in the name of a mailbox without proving it blocks nobody else', async () => {
  const stranger = await signUp('v.ictim@example.test');
  await buyAndDispute(stranger, 'v.ictim@example.test');
  const owner = await signUp('v.ictim+mine@example.test');
  expect([await blockOf(owner), (await begin(owner)).status]).toEqual([null, 200]);
  await verify(owner, 'v.ictim+mine@example.test');
  expect(await blockOf(owner)).toBeNull();
});

it('whoever takes over the account that a stranger opened is not answerable for what the stranger bought', async () => {
  const [taken, mine] = ['w.ictim@example.test', 'w.ictim+mine@example.test'];
  const stranger = await signUp(taken);
  await buy(stranger, taken);
  await open(shop.app.visit(), 'disown-account', await tokenOf(taken, 'verify-email'));
  await shop.sql`update billing.account set disputed = true where user_id = (select id from users where email = ${taken})`;
  const owner = await signUp(mine);
  expect(await blockOf(owner)).toBeNull();
});

it.runIf(IS_LONG)(
  'changing the address before the dispute leaves no mailbox behind: every one that was proved since the order is blocked',
  async () => {
    const [unproved, second, third] = ['eve1@example.test', 'eve2@example.test', 'eve3@example.test'];
    const client = await signUp(unproved);
    await buy(client, unproved);
    await verify(client, unproved);
    await changeEmail(client, unproved, second);
    await changeEmail(client, second, third, 1);
    await dispute(client);
    for (const email of [unproved, second, 'eve3+again@example.test']) {
      const again = await signUp(email);
      expect([email, await blockOf(again), (await begin(again)).status]).toEqual([email, 'disputed', 403]);
    }
  },
);

it.runIf(IS_LONG)('a mailbox that was left before the order is not blocked', async () => {
  const [before, after] = ['flo1@example.test', 'flo2@example.test'];
  const client = await signUp(before);
  await verify(client, before);
  await changeEmail(client, before, after);
  await buyAndDispute(client, after);
  expect(await blockOf(await signUp(before))).toBeNull();
  expect(await blockOf(await signUp('flo2+again@example.test'))).toBe('disputed');
});

/** Opens a checkout page and leaves it open. Returns the provider's id of it and our order. */
async function openPage(client: TestClient, planKey: string) {
  const wanted = { provider: 'creem', planKey, cycle: 'monthly' };
  const { orderId } = (await (await client.post('/api/createCheckout', wanted)).json()) as CheckoutAnswer;
  const { checkouts } = await shop.creem.control.ledger();
  return { orderId, checkout: checkouts.find(({ requestId }) => requestId === orderId)?.id };
}

const statusOf = async (client: TestClient) =>
  (await (await client.get('/api/subscription')).json()) as BillingStatus;
const idOf = async (email: string) => {
  const [row] = await shop.sql<{ id: string }[]>`select id from users where email = ${email}`;
  return row?.id ?? '';
};
const creditsOf = async (email: string) => readBalance(shop.app.deps, await idOf(email));

it('a page that was opened before a dispute and is paid after it gives nothing and renews nothing until the dispute is cleared', async () => {
  const [email, alias] = ['gus@example.test', 'gus+alias@example.test'];
  const client = await signUp(email);
  await verify(client, email);
  const other = await signUp(alias);
  const pages = [
    { buyer: client, ...(await openPage(client, 'gemini_pro')) },
    { buyer: other, ...(await openPage(other, 'gemini_pro')) },
  ];
  const charge = await buyAndDispute(client, email);
  const before = await creditsOf(email);
  for (const { buyer, checkout, orderId } of pages) {
    await shop.creem.control.act('pay', { checkout, email });
    const isUncredited = async () => {
      await buyer.get(`/api/orders/${orderId}`);
      return (await statusOf(buyer)).uncredited.map((each) => each.orderId);
    };
    await expect.poll(isUncredited, POLL).toEqual([orderId]);
    expect(await statusOf(buyer)).toMatchObject({ active: false, checkoutBlocked: 'disputed' });
  }
  expect([await creditsOf(email), await creditsOf(alias)]).toEqual([before, 0]);
  const wanted = await shop.sql`
    select c.reason, c.period_end from billing.cancellations c join billing.orders o on o.user_id = c.user_id
     where o.id = any(${pages.map(({ orderId }) => orderId)}::uuid[]) and c.period_end`;
  expect(wanted).toEqual([1, 2].map(() => ({ reason: 'disputed', period_end: true })));

  await clearDispute(shop.app.deps, await idOf(email), `creem:${charge}`, async () => {});
  for (const { buyer } of pages) {
    await expect
      .poll(() => statusOf(buyer), POLL)
      .toMatchObject({ active: true, planKey: 'gemini_pro', uncredited: [] });
  }
  expect([await creditsOf(email), await creditsOf(alias)]).toEqual([before + 1_500, 1_500]);
});
