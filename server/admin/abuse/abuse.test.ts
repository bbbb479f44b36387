import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AbuseScreen } from '#contract/admin/abuse.ts';
import type { CheckoutAnswer } from '#contract/billing.ts';
import { DAY_MS } from '#contract/time.ts';
import { firstIdAt, newId } from '#server/platform/ids.ts';
import { read } from '#test/admin/console.ts';
import { makeOperator } from '#test/admin/operator.ts';
import { SECRET } from '#test/billing/payment-emulator.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { insertUser } from '#test/factories.ts';
import { insertFile } from '#test/files/files.ts';

const DECLINED = '4000000000000002';

let shop: Shop;
let operator: Awaited<ReturnType<Shop['buyer']>>;
beforeAll(async () => {
  shop = await openShop({
    env: { TRUST_PROXY: '1', FREE_MONTHS_PER_NETWORK: '2', UNANSWERED_LIMIT: '10', UNCHARGED_LIMIT: '20' },
  });
  operator = await shop.buyer();
  await makeOperator(shop.sql, operator.userId);
});
afterAll(() => shop.close());

const screen = () => read<AbuseScreen>(operator.client, '/api/admin/abuse');

async function signUp(email: string, address: string) {
  const client = shop.app.visit({ headers: { 'x-forwarded-for': address } });
  return { client, ...(await client.signUp({ email })) };
}

it('sign-ups are counted by network and by domain, with free months given and refused, and the newest account', async () => {
  const opened = [];
  for (const n of [1, 2, 3, 4]) opened.push(await signUp(`many${n}@gmail.com`, `203.0.113.${n}`));
  const thrown = await signUp('gone@mailinator.com', '2001:db8:7:1::1');
  const { networks, domains } = await screen();
  const newest = { userId: opened[3]?.userId, email: 'many4@gmail.com' };
  expect(networks[0]).toMatchObject({
    ...{ name: '203.0.113.0/24', signUps: 4, verified: 0, given: 2, withheld: 2 },
    ...{ reasons: ['network_busy'], newest },
  });
  expect(networks).toContainEqual(
    expect.objectContaining({ name: '2001:db8:7::/48', signUps: 1, given: 0, withheld: 1 }),
  );
  expect(domains.find(({ domain }) => domain === 'gmail.com')).toMatchObject({
    signUps: 4,
    withheld: 2,
    newest,
  });
  expect(domains.find(({ domain }) => domain === 'mailinator.com')).toEqual({
    ...{ domain: 'mailinator.com', signUps: 1, verified: 0, given: 0, withheld: 1, reasons: ['disposable'] },
    newest: { userId: thrown.userId, email: thrown.email },
  });
});

it('accounts of more than seven days ago, and deleted ones, are in no list', async () => {
  const old = firstIdAt(new Date(Date.now() - 8 * DAY_MS));
  await shop.sql`
    insert into users (id, email, display_name) values (${old}, 'old@long-ago.example', 'Somebody')`;
  const { userId } = await insertUser(shop.sql, { email: 'left@leaving.example' });
  await shop.sql`
    update users set email = null, display_name = '', leaving_at = now(), deleted_at = now() where id = ${userId}`;
  const { domains } = await screen();
  expect(domains.map(({ domain }) => domain)).not.toContain('long-ago.example');
  expect(domains.map(({ domain }) => domain)).not.toContain('leaving.example');
});

it('users with the most free messages of today come first, the web and the API each for itself', async () => {
  const [one, other] = await Promise.all([insertUser(shop.sql), insertUser(shop.sql)]);
  const keyId = randomUUID();
  await shop.sql`
    insert into api_keys (id, user_id, name, prefix, hash, created_at)
    values (${keyId}, ${other.userId}, 'Key', 'pk', ${Buffer.alloc(32, 1)}, now())`;
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  await shop.sql`
    insert into free_messages (user_id, day, key_id, ended_by_user, uncharged)
    values (${one.userId}, ${today}, null, 3, 18), (${other.userId}, ${today}, null, 10, 10),
           (${other.userId}, ${today}, ${keyId}, 0, 4), (${one.userId}, ${yesterday}, null, 10, 20)`;
  const { freeMessages } = await screen();
  expect(freeMessages).toEqual({
    ...{ unansweredLimit: 10, unchargedLimit: 20 },
    users: [
      { ...other, viaApi: false, unanswered: 10, uncharged: 10 },
      { ...one, viaApi: false, unanswered: 3, uncharged: 18 },
      { ...other, viaApi: true, unanswered: 0, uncharged: 4 },
    ],
  });
});

it('addresses at which strangers tried ten passwords are shown with their accounts, until a right one', async () => {
  const { email, password, userId } = await signUp('tried@gmail.com', '198.51.100.1');
  const tries = async (address: string, count: number) => {
    const stranger = shop.app.visit({ headers: { 'x-forwarded-for': '192.0.2.9' } });
    for (let n = 0; n < count; n += 1)
      await stranger.post('/api/auth/sign-in/email', { email: address, password: 'wrong horse' });
  };
  await tries(email, 9);
  await tries('nobody@gmail.com', 10);
  const nobody = { address: 'nobody@gmail.com', userId: null, tries: 10, since: expect.any(Number) };
  expect((await screen()).signIns).toEqual([nobody]);
  await tries(email, 1);
  const tried = { address: email, userId, tries: 10, since: expect.any(Number) };
  expect((await screen()).signIns).toEqual([nobody, tried]);
  const owner = shop.app.visit({ headers: { 'x-forwarded-for': '198.51.100.2' } });
  expect((await owner.post('/api/auth/sign-in/email', { email, password })).status).toBe(200);
  expect((await screen()).signIns).toEqual([nobody]);
});

it('a user whose card was declined for two orders is shown, one who was declined once is not', async () => {
  const webhook = { url: `${shop.app.url}/webhooks/bagelpay`, secret: SECRET };
  await shop.bagelpay.control.act('webhook', webhook);
  const [once, often] = await Promise.all([shop.buyer(), shop.buyer()]);
  const decline = async (buyer: typeof once) => {
    const { orderId } = (await (await buyer.begin('bagelpay')).json()) as CheckoutAnswer;
    await buyer.pay('bagelpay', orderId, DECLINED);
    await expect.poll(async () => (await buyer.receipt(orderId)).order.status).toBe('failed');
  };
  await decline(once);
  await decline(often);
  await decline(often);
  await often.buy('creem');
  expect((await screen()).declines).toEqual([
    { userId: often.userId, email: often.email, declined: 2, paid: 1, lastAt: expect.any(Number) },
  ]);
});

it('users whose files grew most in seven days come first, with all that they have', async () => {
  const [little, much] = await Promise.all([insertUser(shop.sql), insertUser(shop.sql)]);
  await insertFile(shop.sql, little.userId, { bytes: Buffer.alloc(10) });
  await insertFile(shop.sql, much.userId, { bytes: Buffer.alloc(30) });
  await insertFile(shop.sql, much.userId, { bytes: Buffer.alloc(40) });
  const old = await insertFile(shop.sql, much.userId, { bytes: Buffer.alloc(500) });
  await shop.sql`delete from file_chunks where file_id = ${old}`;
  await shop.sql`update files set id = ${firstIdAt(new Date(Date.now() - 8 * DAY_MS))} where id = ${old}`;
  expect((await screen()).files).toEqual([
    { ...much, files: 2, bytes: 70, total: 570 },
    { ...little, files: 1, bytes: 10, total: 10 },
  ]);
});

it('the first id of a moment is below the ids from then on, and above those before', () => {
  const id = newId();
  expect(firstIdAt(new Date(Date.now() - 1_000)) < id).toBe(true);
  expect(firstIdAt(new Date(Date.now() + 1_000)) > id).toBe(true);
});
