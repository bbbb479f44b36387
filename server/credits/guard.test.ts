import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Executor } from '#server/platform/database/database.ts';
import { expectNoDrift, later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { insertUser } from '#test/factories.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';

const NOON = new Date('2026-09-10T12:00:00Z');

describe.each(POSTGRES_VERSIONS)('what the schema itself forbids on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  let sql: Sql;

  beforeAll(async () => {
    test = await createTestDatabase({ version, poolSize: 2 });
    sql = test.database.sql;
  });
  afterAll(async () => {
    await expectNoDrift(sql);
    await test.drop();
  });

  /** A ledger with something in every place: 40 free of which 8 are spent and 10 held, and a grant of 100 taken back in part. */
  async function usedLedger() {
    const ledger = await openLedger(test.database, NOON);
    const [spent, held] = [randomUUID(), randomUUID()];
    await ledger.take(8, spent);
    await ledger.settle(spent);
    await ledger.take(10, held);
    await ledger.grant({ sourceKey: 'plan', amount: 100, expiresAt: later(NOON, 60) });
    await ledger.revoke({ sourceKey: 'plan' }, 30);
    return { ...ledger, spent, held };
  }

  /** Runs a change by hand in a transaction that is undone; returns what the drift view says while it stands. */
  async function driftAfter(change: (tx: Executor) => Promise<unknown>, userId: string): Promise<string[]> {
    const undone = new Error('undone');
    let kinds: string[] = [];
    const attempt = sql.begin(async (tx) => {
      await change(tx);
      const rows = await tx<{ kind: string }[]>`
        select distinct kind from credit.drift where user_id = ${userId} order by kind`;
      kinds = rows.map(({ kind }) => kind);
      throw undone;
    });
    await expect(attempt).rejects.toBe(undone);
    return kinds;
  }

  it('never changes or removes a transfer', async () => {
    const { userId } = await usedLedger();
    await expect(sql`update credit.transfer set amount = 1 where user_id = ${userId}`).rejects.toThrow(
      'append-only',
    );
    await expect(sql`update credit.transfer set reason = 'x' where false`).rejects.toThrow('append-only');
    await expect(sql`delete from credit.transfer where user_id = ${userId}`).rejects.toThrow('append-only');
    await expect(sql`truncate credit.transfer`).rejects.toThrow('append-only');
    await expect(sql`truncate users cascade`).rejects.toThrow('append-only');
  });

  it('never removes a bucket, a hold or an account of a user who exists', async () => {
    const { userId } = await usedLedger();
    await expect(sql`delete from credit.bucket where user_id = ${userId}`).rejects.toThrow('append-only');
    await expect(sql`delete from credit.hold where user_id = ${userId}`).rejects.toThrow('append-only');
    await expect(sql`delete from credit.account where user_id = ${userId}`).rejects.toThrow('append-only');
    await expect(sql`truncate credit.bucket`).rejects.toThrow('append-only');
  });

  it('goes with its user, whole', async () => {
    const [{ userId }, other] = [await usedLedger(), await usedLedger()];
    await sql`delete from users where id = ${userId}`;
    const [left] = await sql`
      select (select count(*) from credit.account where user_id = ${userId}) + (select count(*) from credit.bucket where user_id = ${userId})
        + (select count(*) from credit.hold where user_id = ${userId}) + (select count(*) from credit.transfer where user_id = ${userId}) as rows`;
    expect(left).toEqual({ rows: '0' });
    expect(await other.balance()).toBe(92);
  });

  it.each([
    ['credits out of nothing', 'available = available + 1', 'bucket_conserved'],
    ['credits that vanish', 'available = available - 1', 'bucket_conserved'],
    ['a negative counter', 'available = -1, spent = spent + available + 1', 'bucket_never_negative'],
    ['credits held below zero', 'available = available + 1, held = -1', 'bucket_never_negative'],
    ['credits spent below zero', 'available = available + 1, spent = -1', 'bucket_never_negative'],
    ['credits expired below zero', 'available = available + 1, expired = -1', 'bucket_never_negative'],
    [
      'credits taken back below zero',
      'available = 0, spent = 41, revoked = -1, revoke_target = -1, revoke_reason = $$x$$',
      'bucket_never_negative',
    ],
    ['a kind that there is not', 'kind = $$gift$$', 'bucket_kind_check'],
    [
      'more taken back than asked for',
      'available = 0, revoked = revoked + available',
      'bucket_revoke_bounded',
    ],
    [
      'spendable credits beside a revocation that is not finished',
      'revoke_target = 40, revoke_reason = $$refund$$',
      'bucket_revoke_comes_first',
    ],
    [
      'a revocation beyond the grant',
      'revoke_target = 41, revoke_reason = $$refund$$, available = 0, revoked = 40',
      'bucket_revoke_bounded',
    ],
    [
      'a revocation without a reason',
      'revoke_target = 40, available = 0, revoked = available',
      'bucket_revoke_has_reason',
    ],
    ['spendable credits after the end', 'ended_at = now()', 'bucket_stays_ended'],
    ['a period that ends before it starts', 'expires_at = starts_at', 'bucket_period'],
  ])('refuses %s', async (_, change, constraint) => {
    const { userId } = await insertUser(sql, { createdAt: NOON });
    const attempt = sql.unsafe(`update credit.bucket set ${change} where user_id = '${userId}'`);
    await expect(attempt).rejects.toThrow(constraint);
  });

  it('lets credits move between eight pairs of places, and no others', async () => {
    const { userId } = await usedLedger();
    const places = ['issue', 'available', 'held', 'spent', 'expired', 'revoked', ''];
    const refused = async (src: string, dst: string) => {
      const rows = sql`
        insert into credit.transfer (user_id, bucket_id, src, dst, amount, balance_after, reason, at)
        values (${userId}, -1, ${src}, ${dst}, 1, 0, 'Not a reason', now())`;
      const error = await rows.then(
        () => null,
        (cause: Error) => cause.message,
      );
      return error?.includes('transfer_move') ?? false;
    };
    const allowed: string[] = [];
    for (const src of places) {
      for (const dst of places) if (!(await refused(src, dst))) allowed.push(`${src} > ${dst}`);
    }
    expect(allowed).toEqual([
      'issue > available',
      'available > held',
      'available > expired',
      'available > revoked',
      'held > available',
      'held > spent',
      'spent > available',
      'revoked > available',
    ]);
  });

  it('refuses a transfer between places that do not touch, of nothing, or twice for one hold', async () => {
    const { userId, held, spent } = await usedLedger();
    const insert = (hold: string | null, src: string, dst: string, amount: number) => sql`
      insert into credit.transfer (user_id, bucket_id, hold_id, src, dst, amount, balance_after, reason, at)
      select ${userId}, id, ${hold}, ${src}, ${dst}, ${amount}, 0, 'x', now()
        from credit.bucket where user_id = ${userId} and source_key = 'free:0'`;
    await expect(insert(null, 'expired', 'available', 1)).rejects.toThrow('transfer_move');
    await expect(insert(null, 'available', 'spent', 1)).rejects.toThrow('transfer_move');
    await expect(insert(null, 'available', 'expired', 0)).rejects.toThrow('transfer_amount_check');
    await expect(insert(held, 'available', 'held', 10)).rejects.toThrow('transfer_hold_once');
    await expect(insert(spent, 'held', 'available', 8)).rejects.toThrow('transfer_hold_once');
    await expect(insert(randomUUID(), 'available', 'held', 8)).rejects.toThrow(
      'transfer_user_id_hold_id_fkey',
    );
    await expect(insert(null, 'issue', 'available', 40)).rejects.toThrow('transfer_issue_once');
  });

  it('shows counters that were moved by hand as drift of the bucket and of the balance', async () => {
    const { userId } = await usedLedger();
    const change = (tx: Executor) => tx`
      update credit.bucket set available = available - 2, spent = spent + 2 where user_id = ${userId} and source_key = 'free:0'`;
    expect(await driftAfter(change, userId)).toEqual(['balance', 'bucket']);
  });

  it('shows a hold that was closed by hand, reopened, or repriced as drift', async () => {
    const { userId, held, spent } = await usedLedger();
    const close = (tx: Executor) => tx`
      update credit.hold set state = 'settled', reason = 'x', closed_at = now() where user_id = ${userId} and id = ${held}`;
    const reopen = (tx: Executor) => tx`
      update credit.hold set state = 'held', reason = null, closed_at = null where user_id = ${userId} and id = ${spent}`;
    const reprice = (tx: Executor) =>
      tx`update credit.hold set cost = 1 where user_id = ${userId} and id = ${spent}`;
    for (const change of [close, reopen, reprice]) expect(await driftAfter(change, userId)).toEqual(['hold']);
  });

  it('shows a transfer that was written by hand as drift', async () => {
    const { userId } = await usedLedger();
    const write = (balance: number, line: number | null) => (tx: Executor) =>
      tx`
      insert into credit.transfer (user_id, bucket_id, src, dst, amount, line_change, balance_after, reason, at)
      select ${userId}, id, 'available', 'expired', 2, ${line}, ${balance}, 'expired', now()
        from credit.bucket where user_id = ${userId} and source_key = 'free:0'`;
    expect(await driftAfter(write(90, -2), userId)).toEqual(['balance', 'bucket']);
    const withCounters = (balance: number, line: number | null) => async (tx: Executor) => {
      await write(balance, line)(tx);
      await tx`update credit.bucket set available = available - 2, expired = expired + 2
        where user_id = ${userId} and source_key = 'free:0'`;
    };
    expect(await driftAfter(withCounters(90, -2), userId)).toEqual([]);
    expect(await driftAfter(withCounters(91, -2), userId)).toEqual(['balance']);
    expect(await driftAfter(withCounters(90, -3), userId)).toEqual(['balance']);
  });

  it('shows an account whose buckets have no history as drift', async () => {
    const { userId } = await insertUser(sql, { createdAt: NOON });
    const add = (tx: Executor) => tx`
      insert into credit.bucket (user_id, kind, source_key, amount, available, starts_at, expires_at)
      values (${userId}, 'adjustment', 'by hand', 5, 5, ${NOON}, ${later(NOON, 1)})`;
    expect(await driftAfter(add, userId)).toEqual(['balance', 'bucket']);
  });
});
