import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FREE_CREDITS } from '#server/catalogue/plans.ts';
import { expectNoDrift, later, openLedger } from '#test/credits/ledger.ts';
import { freeMonthStart } from '#test/credits/ledger-model.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { insertUser } from '#test/factories.ts';
import { POSTGRES_VERSIONS, runs } from '#test/runs.ts';

const NOON = new Date('2026-09-10T12:00:00Z');

describe.each(POSTGRES_VERSIONS)('the free month on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  let sql: Sql;

  beforeAll(async () => {
    test = await createTestDatabase({ version, poolSize: 16 });
    sql = test.database.sql;
  });
  afterAll(async () => {
    await expectNoDrift(sql);
    await test.drop();
  });

  async function sources(userId: string) {
    const rows = await sql<{ source_key: string }[]>`
      select source_key from credit.bucket where user_id = ${userId} order by id`;
    return rows.map((row) => row.source_key);
  }

  it('begins with the user: 40 credits from the moment of signing up', async () => {
    const ledger = await openLedger(test.database, NOON);
    expect(await ledger.balance()).toBe(FREE_CREDITS);
    const { entries } = await ledger.page();
    expect(entries).toMatchObject([
      { kind: 'grant', amount: 40, balanceAfter: 40, reason: 'free_month', time: NOON.getTime() },
    ]);
  });

  it('does not exist without the user', async () => {
    let userId = '';
    const signUp = sql.begin(async (tx) => {
      ({ userId } = await insertUser(tx, { createdAt: NOON }));
      throw new Error('sign-up failed later');
    });
    await expect(signUp).rejects.toThrow('sign-up failed later');
    expect(await sql`select from credit.account where user_id = ${userId}`).toHaveLength(0);
    expect(await sql`select from credit.bucket where user_id = ${userId}`).toHaveLength(0);
  });

  it('keeps the user from appearing when it cannot begin', async () => {
    await sql`alter table credit.bucket add constraint refuse_all check (kind <> 'free') not valid`;
    const before = await sql`select count(*) from users`;
    await expect(insertUser(sql, { createdAt: NOON })).rejects.toThrow('refuse_all');
    await sql`alter table credit.bucket drop constraint refuse_all`;
    expect(await sql`select count(*) from users`).toEqual(before);
  });

  it('works for a user whose record is dated a little ahead of the database’s clock', async () => {
    const ledger = await openLedger(test.database, later(new Date(), 0.01));
    ledger.now = null;
    expect(await ledger.take(8)).toEqual({ result: 'held', balance: 32 });
    expect(await sources(ledger.userId)).toEqual(['free:0']);
  });

  it('changes hands exactly at the anchor’s time of day: old credits out, new ones in', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.take(15);
    ledger.now = new Date('2026-10-10T11:59:59.999Z');
    expect(await ledger.balance()).toBe(25);
    ledger.now = new Date('2026-10-10T12:00:00Z');
    expect(await ledger.balance()).toBe(40);
    expect((await ledger.lines()).slice(2)).toEqual([
      ['expire', -25, 0, 'expired'],
      ['grant', 40, 40, 'free_month'],
    ]);
  });

  it('is granted once to 50 readers and senders at the same time', async () => {
    const ledger = await openLedger(test.database, NOON);
    ledger.now = later(NOON, 31);
    const reads = Array.from({ length: 25 }, () => ledger.balance());
    const sends = Array.from({ length: 25 }, () => ledger.take(1));
    await Promise.all([...reads, ...sends]);
    expect(await ledger.balance()).toBe(15);
    expect(await sources(ledger.userId)).toEqual(['free:0', 'free:1']);
  });

  it('is not made up for months that nobody came', async () => {
    const ledger = await openLedger(test.database, NOON);
    ledger.now = new Date('2027-03-20T00:00:00Z');
    expect(await ledger.balance()).toBe(40);
    expect(await sources(ledger.userId)).toEqual(['free:0', 'free:6']);
    const [expire] = (await ledger.page()).entries.slice(1);
    expect(expire).toMatchObject({ kind: 'expire', time: Date.UTC(2026, 9, 10, 12) });
  });

  it('is not granted again when the clock is set back', async () => {
    const ledger = await openLedger(test.database, NOON);
    ledger.now = later(NOON, 31);
    await ledger.take(40);
    ledger.now = later(NOON, 5);
    expect(await ledger.balance()).toBe(0);
    ledger.now = later(NOON, 32);
    expect(await ledger.balance()).toBe(0);
    expect(await sources(ledger.userId)).toEqual(['free:0', 'free:1']);
  });

  it('does not begin while a paid plan is live, and begins when the plan ends', async () => {
    const ledger = await openLedger(test.database, NOON);
    const period = { startsAt: later(NOON, 10), expiresAt: later(NOON, 40) };
    ledger.now = period.startsAt;
    await ledger.grant({ kind: 'subscription', sourceKey: 'sub', amount: 500, ...period });
    expect(await ledger.balance()).toBe(540);
    ledger.now = later(NOON, 39.99);
    expect(await ledger.balance()).toBe(500);
    expect(await sources(ledger.userId)).toEqual(['free:0', 'sub']);
    ledger.now = period.expiresAt;
    expect(await ledger.balance()).toBe(40);
    expect(await sources(ledger.userId)).toEqual(['free:0', 'sub', 'free:1']);
  });

  it('does not begin while it is paused, although no plan has credits left, and begins when the pause is over', async () => {
    const ledger = await openLedger(test.database, NOON);
    const period = { startsAt: later(NOON, 10), expiresAt: later(NOON, 40) };
    await ledger.grant({ kind: 'subscription', sourceKey: 'sub', amount: 500, ...period });
    await ledger.pause(later(NOON, 43));
    ledger.now = later(NOON, 42.99);
    expect(await ledger.balance()).toBe(0);
    expect((await ledger.take(1)).result).toBe('insufficient');
    expect(await sources(ledger.userId)).toEqual(['free:0', 'sub']);
    ledger.now = later(NOON, 43);
    expect(await ledger.balance()).toBe(40);
  });

  it('begins at once when its pause is taken back, and a pause takes nothing that was granted', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.pause(later(NOON, 400));
    expect(await ledger.balance()).toBe(40);
    ledger.now = later(NOON, 31);
    expect(await ledger.balance()).toBe(0);
    await ledger.pause(null);
    expect(await ledger.balance()).toBe(40);
    expect(await sources(ledger.userId)).toEqual(['free:0', 'free:1']);
  });

  it('begins beside an operator’s correction', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.grant({ sourceKey: 'admin:1', amount: 5, expiresAt: later(NOON, 300) });
    ledger.now = later(NOON, 31);
    expect(await ledger.balance()).toBe(45);
  });

  it.each([
    ['2027-01-31T10:00:00Z', 1, '2027-02-28T10:00:00Z'],
    ['2027-01-31T10:00:00Z', 2, '2027-03-31T10:00:00Z'],
    ['2027-01-31T10:00:00Z', 3, '2027-04-30T10:00:00Z'],
    ['2028-01-31T10:00:00Z', 1, '2028-02-29T10:00:00Z'],
    ['2028-02-29T23:59:59.999Z', 12, '2029-02-28T23:59:59.999Z'],
    ['2028-02-29T23:59:59.999Z', 48, '2032-02-29T23:59:59.999Z'],
    ['2026-12-30T00:00:00Z', 2, '2027-02-28T00:00:00Z'],
    ['2026-10-25T00:30:00Z', 1, '2026-11-25T00:30:00Z'],
  ])('of the anchor %s number %i begins at %s, in any time zone', async (anchor, n, start) => {
    for (const zone of ['UTC', 'Asia/Shanghai', 'America/New_York']) {
      const [row] = await sql.begin(async (tx) => {
        await tx`select set_config('timezone', ${zone}, true)`;
        return tx`select credit.free_month_start(${anchor}::timestamptz, ${n}) as start,
          credit.free_month(${anchor}::timestamptz, ${start}::timestamptz) as at_start,
          credit.free_month(${anchor}::timestamptz, ${start}::timestamptz - interval '1 microsecond') as before`;
      });
      expect(row).toEqual({ start: new Date(start), at_start: n, before: n - 1 });
    }
  });

  it('has months without gap or overlap for any anchor, each from its start up to the next', async () => {
    const days = fc.date({ min: new Date('2020-01-01'), max: new Date('2036-12-31'), noInvalidDate: true });
    const edges = fc.constantFrom('2027-01-31', '2028-02-29', '2028-01-30', '2026-12-31', '2026-05-31');
    const anchors = fc.oneof(
      days,
      edges.map((day) => new Date(`${day}T13:14:15.161Z`)),
    );
    const property = fc.asyncProperty(anchors, fc.nat({ max: 600 }), fc.nat(), async (anchor, n, offset) => {
      const [from, to] = [freeMonthStart(anchor, n), freeMonthStart(anchor, n + 1)];
      const inside = new Date(from.getTime() + (offset % (to.getTime() - from.getTime())));
      const last = new Date(to.getTime() - 1);
      const times = [from, inside, last, to].map((time) => time.toISOString());
      const [row] = await sql`
        select credit.free_month_start(${anchor}, ${n}) as from, credit.free_month_start(${anchor}, ${n + 1}) as to,
          array(select credit.free_month(${anchor}, t) from unnest(${times}::timestamptz[]) t) as n`;
      expect(row).toEqual({ from, to, n: [n, n, n, n + 1] });
    });
    await fc.assert(property, { numRuns: runs(300) });
  });
});
