import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { createMetrics } from '#server/platform/metrics.ts';
import { later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { IS_LONG, POSTGRES_VERSIONS } from '#test/runs.ts';
import { startCreditJobs } from './jobs.ts';
import { verifyBooked, verifyLedger } from './verify-ledger.ts';

describe.each(POSTGRES_VERSIONS)('checking the ledger on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  let sql: Sql;
  const logged: unknown[] = [];

  beforeAll(async () => {
    test = await createTestDatabase({ version });
    sql = test.database.sql;
  });
  afterAll(() => test.drop());

  const log = { error: (entry: unknown) => logged.push(entry) } as unknown as Deps['log'];
  /** The first look notes what is there, the second checks it. */
  const look = async () => [
    ...(await verifyBooked({ database: test.database, log }, 0)),
    ...(await verifyBooked({ database: test.database, log }, 0)),
  ];
  const lookAtAll = async () => {
    const found = [];
    for await (const drift of verifyLedger({ database: test.database })) found.push(drift);
    return found;
  };
  /** As only a fault of the program could do it: past the triggers that forbid it. */
  const damage = (change: (tx: Sql) => Promise<unknown>) =>
    sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await change(tx as unknown as Sql);
    });

  it('finds nothing in what the functions of the ledger do, look after look', async () => {
    const ledger = await openLedger(test.database);
    const [settled, released, open] = [randomUUID(), randomUUID(), randomUUID()];
    await ledger.take(10, settled);
    await ledger.take(8, released);
    expect(await look()).toEqual([]);
    await ledger.settle(settled);
    await ledger.grant({ sourceKey: 'admin:1', amount: 50, expiresAt: later(new Date(), 1) });
    expect(await look()).toEqual([]);
    await ledger.release(released);
    await ledger.take(60, open);
    await ledger.revoke({ sourceKey: 'admin:1' }, 20);
    expect(await look()).toEqual([]);
    expect(await look()).toEqual([]);
    expect(await lookAtAll()).toEqual([]);
  });

  it('reads of an account only what was booked since', async () => {
    const ledger = await openLedger(test.database);
    await ledger.take(1);
    await look();
    const [before] =
      await sql`select max(transfer_id) as id from credit.checked where user_id = ${ledger.userId}`;
    await ledger.take(1);
    await look();
    const rows = await sql`
      select transfer_id > ${before?.id} as later, held from credit.checked where user_id = ${ledger.userId}`;
    expect([...rows]).toEqual([{ later: true, held: 2 }]);
  });

  it('finds a counter, a hold and a balance that do not fit what was booked since the last look', async () => {
    const [counter, hold, balance] = [
      await openLedger(test.database),
      await openLedger(test.database),
      await openLedger(test.database),
    ];
    for (const ledger of [counter, hold, balance]) await ledger.take(1);
    expect(await look()).toEqual([]);
    const id = randomUUID();
    await counter.take(2);
    await hold.take(2, id);
    await balance.take(2);
    await damage(async (tx) => {
      await tx`update credit.bucket set available = available - 1, spent = spent + 1 where user_id = ${counter.userId}`;
      await tx`update credit.hold set cost = 3 where id = ${id}`;
      await tx`
        update credit.transfer set balance_after = balance_after + 1
         where user_id = ${balance.userId} and id = (select max(id) from credit.transfer where user_id = ${balance.userId})`;
    });
    const kinds = (found: { kind: string; userId: string }[], userId: string) =>
      new Set(found.filter((drift) => drift.userId === userId).map(({ kind }) => kind));
    logged.length = 0;
    for (const found of [await look(), await lookAtAll()]) {
      expect(kinds(found, counter.userId)).toEqual(new Set(['bucket', 'balance']));
      expect(kinds(found, hold.userId)).toEqual(new Set(['hold']));
      expect(kinds(found, balance.userId)).toEqual(new Set(['balance']));
    }
    expect(logged).toContainEqual(expect.objectContaining({ alert: 'ledger_drift', userId: hold.userId }));
  });

  it('a fault is a gauge for operators until it is mended', async () => {
    const ledger = await openLedger(test.database);
    await look();
    const metrics = createMetrics();
    const work = new Map<string, () => Promise<unknown>>();
    const jobs = {
      repeat: (name: string, _everyMs: number, repeated: () => Promise<unknown>) => work.set(name, repeated),
    };
    startCreditJobs({ database: test.database, log, metrics } as Deps, jobs as unknown as Jobs);
    const read = async () => {
      for (let looks = 2; looks > 0; looks -= 1) {
        await sql`update credit.checking set noted_at = noted_at - interval '1 hour'`;
        await work.get('checking the ledger')?.();
      }
      const text = await metrics.registry.metrics();
      return Number(/^parley_credit_drift (\d+)$/m.exec(text)?.[1]);
    };
    const id = randomUUID();
    await ledger.take(2, id);
    expect([await read(), await read()]).toEqual([0, 0]);
    await ledger.settle(id);
    await damage((tx) => tx`update credit.hold set cost = 3 where id = ${id}`);
    expect([await read(), await read()]).toEqual([1, 1]);
    await damage((tx) => tx`update credit.hold set cost = 2 where id = ${id}`);
    expect(await read()).toBe(0);
  });

  it('waits until what was noted is settled, and is done by one process at a time', async () => {
    const ledger = await openLedger(test.database);
    await look();
    await ledger.take(1);
    await verifyBooked({ database: test.database, log }, 0);
    const [{ checked_to: before } = {}] = await sql`select checked_to from credit.checking`;
    await verifyBooked({ database: test.database, log }, 60_000);
    await sql.begin(async (tx) => {
      await tx`select from credit.checking for update`;
      await verifyBooked({ database: test.database, log }, 0);
    });
    const [{ checked_to: after } = {}] = await sql`select checked_to from credit.checking`;
    expect(after).toBe(before);
    expect(await look()).toEqual([]);
  });

  it.runIf(IS_LONG)(
    'reads as little beside 100,000 movements of the user and of others as beside none',
    async () => {
      const [heavy, light] = [await openLedger(test.database), await openLedger(test.database)];
      await look();
      const blocksOfLook = async () => {
        const [{ id: from } = {}] = await sql`select max(id) as id from credit.transfer`;
        await heavy.take(1);
        await light.take(1);
        const [row] = await sql.begin(async (tx) => {
          await tx`set local plan_cache_mode = force_generic_plan`;
          return tx<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }[]>`
          explain (analyze, buffers, format json) select * from credit.check_accounts(${from}, ${Number(from) + 1_000})`;
        });
        const plan = row?.['QUERY PLAN'][0]?.Plan ?? {};
        return (plan['Shared Hit Blocks'] ?? Number.NaN) + (plan['Shared Read Blocks'] ?? Number.NaN);
      };
      await blocksOfLook();
      const before = await blocksOfLook();
      await damage(
        (tx) => tx`
        insert into credit.transfer (user_id, bucket_id, src, dst, amount, line_change, balance_after, reason, at)
        select case when n % 2 = 0 then ${heavy.userId}::uuid else gen_random_uuid() end, b.id, 'revoked', 'available', 1, 0,
               b.available, 'goodwill', now()
          from generate_series(1, 100000) n, credit.bucket b where b.user_id = ${heavy.userId}`,
      );
      await sql`
      update credit.checked set transfer_id = (select max(id) from credit.transfer where user_id = ${heavy.userId})
       where user_id = ${heavy.userId}`;
      await sql`vacuum analyze credit.transfer`;
      await blocksOfLook();
      expect(await blocksOfLook()).toBeLessThan(before + 400);
    },
  );
});
