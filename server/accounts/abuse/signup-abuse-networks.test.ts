import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LedgerPage } from '#contract/credits.ts';
import { DAY_MS } from '#contract/time.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { startMailbox } from '#test/mailbox.ts';

const VERIFY = /\/verify-email#token=([\w-]+)/;
const clock = new FakeClock(Date.UTC(2027, 0, 10, 12));
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let app: TestApp;
beforeAll(async () => {
  mailbox = await startMailbox();
  app = await createTestApp({
    clock,
    env: { ...mailbox.settings, TRUST_PROXY: '1', FREE_MONTHS_PER_NETWORK: '3' },
  });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
  await mailbox.close();
});

async function open(email: string, address: string): Promise<TestClient> {
  const client = app.visit({ headers: { 'x-forwarded-for': address } });
  await client.signUp({ email });
  return client;
}
const openAll = (name: string, addresses: string[]) =>
  Promise.all(addresses.map((address, n) => open(`${name}${n}@gmail.com`, address)));
const statementOf = async (client: TestClient) =>
  (await (await client.get('/api/credits/entries')).json()) as LedgerPage;
async function balancesOf(clients: TestClient[]): Promise<number[]> {
  const statements = await Promise.all(clients.map(statementOf));
  for (const { balance, freeWithheld } of statements)
    expect(freeWithheld).toBe(balance === 0 ? 'network_busy' : undefined);
  return statements.map(({ balance }) => balance).toSorted((a, b) => b - a);
}
async function verify(client: TestClient, email: string) {
  const [mail] = await mailbox.waitFor(email, 1, VERIFY);
  const token = VERIFY.exec(mail?.text ?? '')?.[1];
  expect((await client.post('/api/auth/verify-email', { token })).status).toBe(200);
}

it.each([
  ['a /24 of IPv4', ['192.0.2.1', '192.0.2.2', '::ffff:192.0.2.3', '192.0.2.254', '192.0.2.9'], '192.0.3.1'],
  [
    'a /48 of IPv6',
    ['2001:db8:1::1', '2001:db8:1:2::1', '2001:db8:1:ffff::1', '2001:db8:1:3::', '2001:0db8:0001::9'],
    '2001:db8:2::1',
  ],
])('unproved accounts of %s are given three free months a day together', async (name, addresses, beside) => {
  const clients = await openAll(name.replace(/\W+/g, ''), addresses);
  expect(await balancesOf(clients)).toEqual([40, 40, 40, 0, 0]);
  expect(await balancesOf([await open(`beside${beside.length}@gmail.com`, beside)])).toEqual([40]);
  clock.moveTo(clock.now().getTime() + DAY_MS);
  expect(await balancesOf(clients)).toEqual([40, 40, 40, 40, 40]);
});

it('who proves the address has the free month at once, and uses up none of the network', async () => {
  const address = '198.51.100.7';
  const clients = await openAll('hurry', new Array(4).fill(address));
  const late =
    clients[(await Promise.all(clients.map(statementOf))).findIndex(({ balance }) => balance === 0)];
  if (!late) throw new Error('all of them were given the month');
  await verify(late, `hurry${clients.indexOf(late)}@gmail.com`);
  expect((await statementOf(late)).balance).toBe(40);
  const [row] = await app.database.database.sql`select max(months)::int as months from network_grants`;
  expect(row?.months).toBe(3);
});

it('the owner of a mailbox is given its month though a stranger had one under an alias', async () => {
  const stranger = await open('o.wner+x@gmail.com', '203.0.113.1');
  expect(await balancesOf([stranger])).toEqual([40]);
  const owner = await open('owner@gmail.com', '203.0.113.2');
  expect(await statementOf(owner)).toMatchObject({ balance: 0, freeWithheld: 'address_unproved' });
  await verify(owner, 'owner@gmail.com');
  expect(await balancesOf([owner])).toEqual([40]);
});
