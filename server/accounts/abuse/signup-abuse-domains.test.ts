import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import type { LedgerPage } from '#contract/credits.ts';
import { DAY_MS } from '#contract/time.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { startMailbox } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';
import { markVerified, updateEmail } from '../users/email-store.ts';
import { recogniseEmail } from './recognise-email.ts';

const CONFIRM = /\/confirm-email#token=([\w-]+)/;
const clock = new FakeClock(Date.UTC(2027, 0, 10, 12));
let app: TestApp;
beforeAll(async () => {
  const env = { FREE_MONTHS_PER_DOMAIN: '3', KNOWN_MAIL_DOMAINS: 'School.example, company.example' };
  app = await createTestApp({ clock, env });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

const statementOf = async (client: TestClient) =>
  (await (await client.get('/api/credits/entries')).json()) as LedgerPage;
const numbered = (count: number, domain: string) =>
  Array.from({ length: count }, (_, n) => `abuser${n}@${domain}`);
async function openAll(addresses: string[]): Promise<TestClient[]> {
  const clients = addresses.map(() => app.visit());
  await Promise.all(clients.map((client, n) => client.signUp({ email: addresses[n] ?? '' })));
  return clients;
}
async function balancesOf(clients: TestClient[]): Promise<number[]> {
  const statements = await Promise.all(clients.map(statementOf));
  for (const { balance, freeWithheld } of statements)
    expect(freeWithheld).toBe(balance === 0 ? 'domain_busy' : undefined);
  return statements.map(({ balance }) => balance).toSorted((a, b) => b - a);
}

describe('accounts at a domain that nobody knows', () => {
  it('opened at once are given three free months a day, and the others on the days after', async () => {
    const clients = await openAll(numbered(8, 'abuse.example'));
    expect(await balancesOf(clients)).toEqual([40, 40, 40, 0, 0, 0, 0, 0]);
    expect(await balancesOf(clients)).toEqual([40, 40, 40, 0, 0, 0, 0, 0]);
    clock.moveTo(clock.now().getTime() + DAY_MS);
    expect(await balancesOf(clients)).toEqual([40, 40, 40, 40, 40, 40, 0, 0]);
    clock.moveTo(clock.now().getTime() + DAY_MS);
    expect(await balancesOf(clients)).toEqual(new Array(8).fill(40));
  });

  it('count together under every name below the one that was registered', async () => {
    const addresses = ['one@a.barn.co.uk', 'two@b.barn.co.uk', 'three@barn.co.uk', 'four@d.c.barn.co.uk'];
    expect(await balancesOf(await openAll(addresses))).toEqual([40, 40, 40, 0]);
    expect(await balancesOf(await openAll(['one@stable.co.uk']))).toEqual([40]);
  });

  it('are given no more when their months begin anew', async () => {
    const clients = await openAll(numbered(3, 'field.example'));
    expect(await balancesOf(clients)).toEqual([40, 40, 40]);
    clock.moveTo(clock.now().getTime() + 31 * DAY_MS);
    const [late] = await openAll(['late@field.example']);
    expect(late && (await statementOf(late)).balance).toBe(40);
    expect(await balancesOf(clients)).toEqual([40, 40, 0]);
  });

  it('of which one mailbox has the month already use none of them up', async () => {
    await openAll(['same@acre.example', 'same+1@acre.example', 'same+2@acre.example', 'same+3@acre.example']);
    expect(await balancesOf(await openAll(numbered(2, 'acre.example')))).toEqual([40, 40]);
  });
});

it.each(['gmail.com', 'qq.com', 'outlook.com', 'yahoo.co.jp', 'school.example', 'company.example'])(
  'accounts at %s are each given theirs',
  async (domain) => {
    expect(await balancesOf(await openAll(numbered(5, domain)))).toEqual(new Array(5).fill(40));
  },
);

it('an account that moves to a known domain waits no more for months of the former one', async () => {
  const clients = await openAll(numbered(4, 'meadow.example'));
  const before = await Promise.all(clients.map(statementOf));
  const late = clients[before.findIndex(({ balance }) => balance === 0)];
  if (!late) throw new Error('the domain gave more months than it may');
  const { uid } = (await (await late.get('/api/me')).json()) as UserRecord;
  const email = 'gave-up-meadow@gmail.com';
  const facts = await recogniseEmail(app.deps, email);
  await app.database.database.sql.begin(async (tx) => {
    await updateEmail(tx, uid, { email, ...facts });
    await markVerified(tx, uid, null);
  });
  const { balance, freeWithheld } = await statementOf(late);
  expect({ balance, freeWithheld }).toEqual({ balance: 40, freeWithheld: undefined });
});

it.runIf(IS_LONG)('a change of address takes the domain along', async () => {
  const mailbox = await startMailbox();
  const mailing = await createTestApp({
    beside: app,
    clock,
    env: { ...mailbox.settings, FREE_MONTHS_PER_DOMAIN: '3' },
  });
  const client = mailing.visit();
  const { email, userId } = await client.signUp({ email: 'mover@gmail.com' });
  expect((await client.post('/api/me/email', { email: 'mover@orchard.example' })).status).toBe(202);
  for (const address of [email, 'mover@orchard.example']) {
    const [mail] = await mailbox.waitFor(address, 1, CONFIRM);
    const token = CONFIRM.exec(mail?.text ?? '')?.[1];
    expect((await client.post('/api/auth/confirm-email-change', { token })).status).toBe(200);
  }
  const { sql } = app.database.database;
  const [user] = await sql`
    select domain_per_day as share, length(domain_hash) as length from users where id = ${userId}`;
  expect(user).toEqual({ share: 3, length: 32 });
  await mailing.close();
  await mailbox.close();
});
