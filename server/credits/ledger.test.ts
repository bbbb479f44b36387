import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoDrift, later, openLedger } from '#test/credits/ledger.ts';
import { freeMonthStart, LedgerModel } from '#test/credits/ledger-model.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { POSTGRES_VERSIONS, runs, timeoutFor } from '#test/runs.ts';
import { closeExpiredBuckets } from './close-expired-buckets.ts';

type Ledger = Awaited<ReturnType<typeof openLedger>>;
type Step = (ledger: Ledger, model: LedgerModel) => Promise<void>;

const NOON = new Date('2027-01-31T12:00:00Z');
const HOUR = 3_600_000;

function holdId(ledger: Ledger, n: number) {
  return `${ledger.userId.slice(0, 34)}${n.toString(16).padStart(2, '0')}`;
}

const ids = fc.nat({ max: 11 });
const sources = fc.constantFrom('sub:a', 'sub:b', 'sub:c', 'admin:1', 'admin:2');
const payments = fc.constantFrom('pay:1', 'pay:2', 'pay:3');

const take = fc.tuple(ids, fc.integer({ min: 1, max: 60 })).map(([n, cost]) => {
  const step: Step = async (ledger, model) => {
    const id = holdId(ledger, n);
    expect(await ledger.take(cost, id)).toEqual(model.take(id, cost));
  };
  return Object.assign(step, { toString: () => `take ${n} for ${cost}` });
});

const close = fc.tuple(ids, fc.constantFrom('settled', 'released')).map(([n, outcome]) => {
  const step: Step = async (ledger, model) => {
    const id = holdId(ledger, n);
    const closed = await (outcome === 'settled' ? ledger.settle(id) : ledger.release(id));
    expect(closed).toEqual(model.close(id, outcome));
  };
  return Object.assign(step, { toString: () => `${outcome} ${n}` });
});

const charge = fc.tuple(ids, fc.integer({ min: 1, max: 60 })).map(([n, wanted]) => {
  const step: Step = async (ledger, model) => {
    const id = holdId(ledger, n);
    const most = Math.min(wanted, model.holds.get(id)?.cost ?? 1);
    expect(await ledger.charge(id, most)).toEqual(model.charge(id, most));
  };
  return Object.assign(step, { toString: () => `charge ${wanted} of ${n}` });
});

const grant = fc
  .record({
    source: sources,
    payment: fc.option(payments, { nil: null }),
    amount: fc.integer({ min: 1, max: 100 }),
    hours: fc.oneof(
      fc.integer({ min: -48, max: -1 }),
      fc.integer({ min: 1, max: 96 }),
      fc.constant(24 * 365),
    ),
  })
  .map(({ source, payment, amount, hours }) => {
    const kind = source.startsWith('sub') ? 'subscription' : 'adjustment';
    const step: Step = async (ledger, model) => {
      const expiresAt = model.now + hours * HOUR;
      const startsAt = later(new Date(expiresAt), -60);
      const paymentKey = payment && `${payment}:${ledger.userId}`;
      const bucket = { kind, sourceKey: source, amount, startsAt, expiresAt: new Date(expiresAt) } as const;
      const granted = await ledger.grant({ ...bucket, ...(paymentKey ? { paymentKey } : {}) });
      expect(granted).toEqual(model.grant(kind, source, paymentKey, amount, expiresAt));
    };
    return Object.assign(step, { toString: () => `grant ${source} ${payment} ${amount} for ${hours} h` });
  });

const revoke = fc.tuple(fc.oneof(sources, payments), fc.nat({ max: 120 })).map(([key, total]) => {
  const step: Step = async (ledger, model) => {
    const full = key.startsWith('pay') ? `${key}:${ledger.userId}` : key;
    const name = key.startsWith('pay') ? { paymentKey: full } : { sourceKey: full };
    expect(await ledger.revoke(name, total)).toEqual(model.revoke(full, total));
  };
  return Object.assign(step, { toString: () => `revoke ${total} of ${key}` });
});

const restore = fc.tuple(payments, fc.nat({ max: 120 })).map(([payment, total]) => {
  const step: Step = async (ledger, model) => {
    const key = `${payment}:${ledger.userId}`;
    expect(await ledger.restore(key, total)).toEqual(model.restore(key, total));
  };
  return Object.assign(step, { toString: () => `restore ${payment} to ${total}` });
});

const pause = fc.option(fc.integer({ min: -24, max: 24 * 40 }), { nil: null, freq: 3 }).map((hours) => {
  const step: Step = async (ledger, model) => {
    const until = hours === null ? null : new Date(model.now + hours * HOUR);
    await ledger.pause(until);
    model.pausedUntil = until?.getTime() ?? 0;
  };
  return Object.assign(step, { toString: () => `pause free months for ${hours} h` });
});

/** What the reaper does for a process that died: everything that is held comes back, one hold after the other. */
const reap: Step = async (ledger, model) => {
  const ids = Array.from({ length: 12 }, (_, n) => holdId(ledger, n));
  const closed = [];
  for (const id of ids) closed.push(await ledger.release(id, 'interrupted'));
  expect(closed).toEqual(model.reap(ids));
};

function clockStep(name: string, move: (model: LedgerModel) => number) {
  const step: Step = async (ledger, model) => {
    model.now = move(model);
    ledger.now = new Date(model.now);
  };
  return Object.assign(step, { toString: () => name });
}

function nextEdge(model: LedgerModel) {
  const ends = model.buckets.map(({ expiresAt }) => expiresAt);
  for (let n = 0; n < 100; n += 1) ends.push(freeMonthStart(model.anchor, n).getTime());
  return Math.min(...ends.filter((end) => end > model.now));
}

const wait = fc
  .integer({ min: 1, max: 24 * 45 })
  .map((hours) => clockStep(`wait ${hours} h`, (model) => model.now + hours * HOUR));
const toEdge = fc.constant(clockStep('wait until the next end', nextEdge));
const setBack = fc
  .integer({ min: 1, max: 24 * 40 })
  .map((hours) => clockStep(`set the clock back ${hours} h`, (model) => model.now - hours * HOUR));
const beforeEdge = fc.constant(clockStep('wait until just before an end', (model) => nextEdge(model) - 1));

const read: Step = async (ledger, model) => {
  expect(await ledger.balance()).toBe(model.read());
};
const sweep: Step = async (ledger, model) => {
  const own = (await closeExpiredBuckets(ledger.deps())).filter(({ userId }) => userId === ledger.userId);
  const before = model.lines.length;
  model.expire();
  if (model.lines.length > before) expect(own).toEqual([{ userId: ledger.userId, balance: model.balance() }]);
};

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: take },
  { weight: 6, arbitrary: close },
  { weight: 4, arbitrary: charge },
  { weight: 4, arbitrary: grant },
  { weight: 3, arbitrary: revoke },
  { weight: 2, arbitrary: restore },
  { weight: 2, arbitrary: pause },
  { weight: 1, arbitrary: fc.constant(Object.assign(reap, { toString: () => 'reap' })) },
  { weight: 1, arbitrary: wait },
  { weight: 1, arbitrary: setBack },
  { weight: 1, arbitrary: toEdge },
  { weight: 1, arbitrary: beforeEdge },
  { weight: 1, arbitrary: fc.constant(Object.assign(read, { toString: () => 'read' })) },
  { weight: 1, arbitrary: fc.constant(Object.assign(sweep, { toString: () => 'sweep' })) },
);

describe.each(POSTGRES_VERSIONS)('the ledger on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  let sql: Sql;

  beforeAll(async () => {
    test = await createTestDatabase({ version });
    sql = test.database.sql;
  });
  afterAll(async () => {
    await expectNoDrift(sql);
    await test.drop();
  });

  async function expectEqual(ledger: Ledger, model: LedgerModel) {
    const rows = await sql<{ source: string; counters: number[] }[]>`
      select source_key as source, array[available, held, spent, expired, revoked] as counters
        from credit.bucket where user_id = ${ledger.userId}`;
    const buckets = new Map(rows.map(({ source, counters }) => [source, counters]));
    expect(buckets).toEqual(new Map(model.buckets.map(({ source, counters }) => [source, counters])));
  }

  it('P13: does what its model does, step by step, and never drifts', {
    timeout: timeoutFor(120_000),
  }, async () => {
    const property = fc.asyncProperty(
      fc.array(steps, { minLength: 5, maxLength: 40, size: 'max' }),
      async (run) => {
        const ledger = await openLedger(test.database, NOON);
        const model = new LedgerModel(NOON);
        for (const step of run) {
          await step(ledger, model);
          await expectNoDrift(sql, ledger.userId);
          await expectEqual(ledger, model);
        }
        const told = (await ledger.lines()).map(([kind, amount, balance]) => [kind, amount, balance]);
        model.read();
        expect(told).toEqual(model.lines);
      },
    );
    await fc.assert(property, { numRuns: runs(50, 500) });
  });
});
