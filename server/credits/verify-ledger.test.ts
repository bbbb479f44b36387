import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deps } from '#server/deps.ts';
import { later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { verifyBooked, verifyLedger } from './verify-ledger.ts';

describe.each([18, 15] as const)('checking the ledger on PostgreSQL %i', (version) => {
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
});
