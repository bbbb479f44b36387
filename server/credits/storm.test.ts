import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectNoDrift, later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';
import { closeExpiredBuckets } from './close-expired-buckets.ts';

const NOON = new Date('2026-09-10T12:00:00Z');
const OPERATIONS = 2_000;
const CLIENTS = 24;

type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** One account under fire, with the holds that were taken from it and how often one was closed. */
function target(ledger: Ledger) {
  const taken: string[] = [];
  const closes: boolean[] = [];
  const someHold = (n: number) => taken[(n * 7) % (taken.length || 1)] ?? randomUUID();
  const source = (n: number) => `source:${n % 50}`;

  async function take(n: number) {
    const id = randomUUID();
    const { result } = await ledger.take(1 + (n % 13), id);
    if (result === 'held') taken.push(id);
  }
  async function close(n: number) {
    const id = someHold(n);
    const results = await Promise.all([ledger.settle(id), n % 3 === 0 ? ledger.release(id) : null]);
    closes.push(...results.map((result) => result?.closed === true));
  }
  async function grant(n: number) {
    const expiresAt = later(NOON, n / 40 + (n % 9));
    await ledger.grant({ sourceKey: source(n), amount: 20, startsAt: NOON, expiresAt });
  }
  async function takeBack(n: number) {
    await Promise.all([ledger.revoke({ sourceKey: source(n) }, n % 25), closeExpiredBuckets(ledger.deps())]);
  }

  const acts = [take, close, take, grant, take, close, takeBack];
  return {
    taken,
    closedCount: () => closes.filter(Boolean).length,
    act: async (n: number) => {
      ledger.now = later(NOON, n / 40);
      await acts[n % acts.length]?.(n);
    },
  };
}

it.each(POSTGRES_VERSIONS)(
  'everything at once leaves every account right on PostgreSQL %i',
  async (version) => {
    const test = await createTestDatabase({ version, poolSize: CLIENTS });
    const ledgers = await Promise.all(Array.from({ length: 6 }, () => openLedger(test.database, NOON)));
    const targets = ledgers.map(target);
    let next = 0;
    const client = async () => {
      while (next < OPERATIONS) {
        const n = next;
        next += 1;
        await targets[n % targets.length]?.act(n);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await expectNoDrift(test.database.sql);
    const rows = await test.database.sql<{ taken: number; closed: number }[]>`
      select count(*)::int as taken, count(closed_at)::int as closed from credit.hold`;
    const sum = (count: (one: ReturnType<typeof target>) => number) =>
      targets.reduce((total, one) => total + count(one), 0);
    expect([...rows]).toEqual([
      { taken: sum(({ taken }) => taken.length), closed: sum(({ closedCount }) => closedCount()) },
    ]);
    expect(rows[0]?.closed).toBeGreaterThan(150);
    await test.drop();
  },
);
