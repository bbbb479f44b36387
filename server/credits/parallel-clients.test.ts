import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoDrift, later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { POSTGRES_VERSIONS, runs } from '#test/runs.ts';

const NOON = new Date('2028-02-29T12:00:00Z');
const CLIENTS = 64;
const TURNS = runs(6, 12);
const COST = 7;

describe.each(POSTGRES_VERSIONS)('64 clients of one account on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase({ version, poolSize: CLIENTS + 2 });
  });
  afterAll(() => test.drop());

  it('P14: never have more held and spent than was granted, and every hold is closed by one of them', async () => {
    const { sql } = test.database;
    const ledger = await openLedger(test.database, NOON);
    const periods = [1, 2, 3].map((n) => ({ sourceKey: `period:${n}`, amount: 101, startsAt: NOON, n }));
    const reportPeriods = () =>
      Promise.all(
        periods.map(({ n, ...period }) =>
          ledger.grant({ kind: 'subscription', expiresAt: later(NOON, n), ...period }),
        ),
      );
    let isOver = false;
    const watch = async () => {
      while (!isOver) {
        const [row] = await sql<{ used: number; granted: number; transfers: number }[]>`
          select sum(held + spent)::int as used, sum(amount)::int as granted,
                 (select coalesce(sum(case dst when 'held' then amount else 0 end), 0)
                       - coalesce(sum(case when src = 'held' and dst = 'available' then amount else 0 end), 0)
                    from credit.transfer where user_id = ${ledger.userId})::int as transfers
            from credit.bucket where user_id = ${ledger.userId}`;
        expect(row?.used).toBe(row?.transfers);
        expect(row?.used).toBeLessThanOrEqual(row?.granted ?? 0);
      }
    };

    const taken: string[] = [];
    const winners = new Map<string, number>();
    const closeTwice = async (id: string) => {
      const { settle, release } = ledger;
      // What is asked for first mostly wins: each way does so for half of them.
      const ways = taken.indexOf(id) % 2 === 0 ? [settle, release] : [release, settle];
      const closes = [...ways, settle].map((close) => close(id));
      const wins = (await Promise.all(closes)).filter(({ closed }) => closed).length;
      winners.set(id, (winners.get(id) ?? 0) + wins);
    };
    const client = async (turn: number) => {
      if (turn % 8 === 0) await reportPeriods();
      for (let left = TURNS; left > 0; left -= 1) {
        const id = randomUUID();
        const { result, balance } = await ledger.take(COST, id);
        expect(balance).toBeGreaterThanOrEqual(0);
        if (result !== 'held') continue;
        taken.push(id);
        await Promise.all([closeTwice(id), closeTwice(taken[taken.length >> 1] ?? id)]);
      }
    };
    const watching = watch();
    await Promise.all(Array.from({ length: CLIENTS }, (_, turn) => client(turn)));
    isOver = true;
    await watching;

    expect(taken.length).toBeGreaterThan(49);
    expect(taken.map((id) => winners.get(id))).toEqual(taken.map(() => 1));
    const [total] = await sql<{ granted: number; held: number; spent: number; settled: number }[]>`
      select sum(amount)::int as granted, sum(held)::int as held, sum(spent)::int as spent,
             (select coalesce(sum(cost), 0)::int from credit.hold
               where user_id = ${ledger.userId} and state = 'settled') as settled
        from credit.bucket where user_id = ${ledger.userId}`;
    expect(total).toMatchObject({ granted: 343, held: 0, spent: total?.settled });
    expect(await ledger.balance()).toBe(343 - (total?.spent ?? 0));
    await expectNoDrift(sql, ledger.userId);
  });
});
