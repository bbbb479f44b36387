import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoDrift, later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { IS_LONG, POSTGRES_VERSIONS } from '#test/runs.ts';
import { closeExpiredBuckets } from './close-expired-buckets.ts';

const NOON = new Date('2026-09-10T12:00:00Z');

describe.each(POSTGRES_VERSIONS)('closeExpiredBuckets on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  let sql: Sql;

  beforeAll(async () => {
    test = await createTestDatabase({ version, poolSize: 8 });
    sql = test.database.sql;
  });
  afterAll(async () => {
    await expectNoDrift(sql);
    await test.drop();
  });

  it.runIf(IS_LONG)(
    'books what is over for everybody, at the time it ended, and starts no free month',
    async () => {
      const ledgers = await Promise.all(Array.from({ length: 230 }, () => openLedger(test.database, NOON)));
      const [first] = ledgers;
      if (!first) throw new Error('no ledger');
      first.now = later(NOON, 29);
      expect(await closeExpiredBuckets(first.deps())).toEqual([]);
      first.now = later(NOON, 45);
      const closed = await closeExpiredBuckets(first.deps());
      expect(new Set(closed.map(({ userId }) => userId))).toEqual(
        new Set(ledgers.map(({ userId }) => userId)),
      );
      expect(closed.every(({ balance }) => balance === 0)).toBe(true);
      expect(await closeExpiredBuckets(first.deps())).toEqual([]);
      expect(await sql`select distinct reason, at from credit.transfer order by at`).toEqual([
        { reason: 'free_month', at: NOON },
        { reason: 'expired', at: new Date('2026-10-10T12:00:00Z') },
      ]);
    },
  );

  it('leaves out who is busy and comes back for them', async () => {
    const [busy, idle] = [await openLedger(test.database, NOON), await openLedger(test.database, NOON)];
    idle.now = later(NOON, 45);
    const usersOf = async () => (await closeExpiredBuckets(idle.deps())).map(({ userId }) => userId);
    await sql.begin(async (tx) => {
      await tx`select from credit.account where user_id = ${busy.userId} for no key update`;
      expect(await usersOf()).toEqual([idle.userId]);
    });
    expect(await usersOf()).toEqual([busy.userId]);
  });

  it('books each bucket once when four sweepers and the users themselves come at the same time', async () => {
    const ledgers = await Promise.all(Array.from({ length: 40 }, () => openLedger(test.database, NOON)));
    for (const ledger of ledgers) ledger.now = later(NOON, 45);
    const deps = ledgers[0]?.deps();
    if (!deps) throw new Error('no ledger');
    await Promise.all([
      ...ledgers.map((ledger) => ledger.take(8)),
      ...[1, 2, 3, 4].map(() => closeExpiredBuckets(deps)),
    ]);
    for (const ledger of ledgers) {
      expect(await ledger.counters('free:0')).toEqual([0, 0, 0, 40, 0]);
      expect(await ledger.counters('free:1')).toEqual([32, 8, 0, 0, 0]);
    }
  });
});
