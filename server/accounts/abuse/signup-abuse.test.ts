import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerPage } from '#contract/credits.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

const statementOf = async (client: TestClient) =>
  (await (await client.get('/api/credits/entries')).json()) as LedgerPage;
async function openAll(addresses: string[]): Promise<LedgerPage[]> {
  const clients = addresses.map(() => app.visit());
  await Promise.all(clients.map((client, n) => client.signUp({ email: addresses[n] ?? '' })));
  return Promise.all(clients.map(statementOf));
}
/** How many of them were given the 40 free credits; every other one has nothing and is shown why. */
function granted(statements: LedgerPage[]): number {
  const withCredits = statements.filter(({ balance }) => balance > 0);
  for (const { balance, freeWithheld } of withCredits)
    expect([balance, freeWithheld]).toEqual([40, undefined]);
  for (const { balance, freeWithheld, entries } of statements.filter((one) => one.balance === 0))
    expect([balance, freeWithheld, entries]).toEqual([0, 'address_unproved', []]);
  return withCredits.length;
}

describe('accounts for one mailbox', () => {
  it('opened at once under 20 plus-addresses are given 40 credits together', async () => {
    const addresses = Array.from({ length: 20 }, (_, n) => `abuser+${n}@example.test`);
    expect(granted(await openAll(addresses))).toBe(1);
  });

  it('opened one after the other under Gmail’s spellings are given 40 credits together', async () => {
    const spellings = [
      'har.vester@gmail.com',
      'h.a.r.v.e.s.t.e.r@gmail.com',
      'harvester+a@gmail.com',
      'Har.Vester+b@GoogleMail.com',
      'harvester@googlemail.com',
    ];
    const statements: LedgerPage[] = [];
    for (const address of spellings) statements.push(...(await openAll([address])));
    expect(granted(statements)).toBe(1);
    expect(statements[0]?.balance).toBe(40);
  });

  it('opened under the aliases that Proton, iCloud, Yandex, Yahoo, Fastmail and Outlook have are given 40 credits together', async () => {
    for (const spellings of [
      ['reaper.one@proton.me', 'reaperone@protonmail.com', 'reaper-one+a@pm.me'],
      ['reaper@icloud.com', 'reaper@me.com', 'reaper+a@mac.com'],
      ['reap.er@yandex.ru', 'reap-er@ya.ru', 'reap.er+a@yandex.com'],
      ['reaper@yahoo.com', 'reaper-shop@yahoo.com', 'reaper-news+a@yahoo.com'],
      ['reaper@fastmail.com', 'shop@reaper.fastmail.com', 'reaper+a@fastmail.com'],
      ['reaper@outlook.com', 'reaper+a@outlook.com', 'REAPER+b@outlook.com'],
    ]) {
      const statements: LedgerPage[] = [];
      for (const address of spellings) statements.push(...(await openAll([address])));
      expect([spellings[0], granted(statements)]).toEqual([spellings[0], 1]);
    }
  });

  it('that are different mailboxes each have their own', async () => {
    const addresses = ['a.b@example.test', 'ab@example.test', 'a.b@example.com', 'ab+@example.org'];
    expect(granted(await openAll(addresses))).toBe(4);
  });
});

describe('an account under a disposable address', () => {
  it.each(['one@mailinator.com', 'Two@MAILINATOR.com', 'three@deep.sub.mailinator.com', 'four@yopmail.com'])(
    'such as %s is opened without free credits, and its statement says why',
    async (email) => {
      const client = app.visit();
      await client.signUp({ email });
      expect(await statementOf(client)).toMatchObject({
        balance: 0,
        entries: [],
        freeWithheld: 'disposable',
      });
    },
  );

  it('is given them once its address is one to keep', async () => {
    const client = app.visit();
    const { userId } = await client.signUp({ email: 'five@mailinator.com' });
    expect((await statementOf(client)).balance).toBe(0);
    const { sql } = app.database.database;
    await sql`update users set email = 'five@example.test', free_withheld = null where id = ${userId}`;
    const statement = await statementOf(client);
    expect(statement).toMatchObject({ balance: 40, entries: [{ amount: 40 }] });
    expect(statement).not.toHaveProperty('freeWithheld');
  });

  it('loses nothing that it has when its address becomes one', async () => {
    const client = app.visit();
    const { userId } = await client.signUp();
    await app.database.database.sql`update users set free_withheld = 'disposable' where id = ${userId}`;
    expect((await statementOf(client)).balance).toBe(40);
  });

  it('is no matter of names that only look like one', async () => {
    for (const email of [
      'six@mailinator.example.test',
      'seven@mailinator.com.example.test',
      'mailinator.com@example.test',
    ]) {
      const client = app.visit();
      await client.signUp({ email });
      expect((await statementOf(client)).balance).toBe(40);
    }
  });
});
