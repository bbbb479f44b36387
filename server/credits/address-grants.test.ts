import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { insertUser } from '#test/factories.ts';
import { expectNoDrift } from '#test/ledger.ts';
import { patience, runs } from '#test/runs.ts';

const DAY = 86_400_000;
const NOON = new Date('2026-09-10T12:00:00Z');
const NEXT = new Date('2026-10-10T12:00:00Z');

describe.each([18, 15] as const)(
  'one free month for an address on PostgreSQL %i',
  { timeout: patience(240_000) },
  (version) => {
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

    const signUp = async (addressHash: Buffer, createdAt: Date) =>
      (await insertUser(sql, { addressHash, createdAt })).userId;
    const balance = async (userId: string, at: Date) => {
      const [row] = await sql<{ credits: number }[]>`select credit.read_balance(${userId}, ${at}) as credits`;
      return row?.credits;
    };
    const move = (userId: string, addressHash: Buffer | null) =>
      sql`update users set address_hash = ${addressHash} where id = ${userId}`;

    it('a second account of an address has nothing until the month of the first is over, and 40 then', async () => {
      const address = randomBytes(32);
      const first = await signUp(address, NOON);
      expect(await balance(first, NOON)).toBe(40);
      await move(first, null);
      const second = await signUp(address, new Date(NOON.getTime() + 9 * DAY));
      expect(await balance(second, new Date(NOON.getTime() + 9 * DAY))).toBe(0);
      expect(await balance(second, new Date(NEXT.getTime() - 1))).toBe(0);
      expect(await balance(second, NEXT)).toBe(40);
      expect(await balance(second, new Date('2026-11-10T11:59:59Z'))).toBe(40);
      expect(await balance(second, new Date('2026-11-10T12:00:00Z'))).toBe(40);
      const buckets =
        await sql`select source_key, starts_at from credit.bucket where user_id = ${second} order by id`;
      expect([...buckets]).toEqual([
        { source_key: 'free:0', starts_at: NEXT },
        { source_key: 'free:1', starts_at: new Date('2026-11-10T12:00:00Z') },
      ]);
    });

    it('of 20 accounts that one address opens at the same moment one has 40 credits', async () => {
      const address = randomBytes(32);
      const users = await Promise.all(Array.from({ length: 20 }, () => signUp(address, NOON)));
      const balances = await Promise.all(users.map((userId) => balance(userId, NOON)));
      expect(balances.filter((credits) => credits === 40)).toHaveLength(1);
      expect(balances.filter((credits) => credits === 0)).toHaveLength(19);
      const later = await Promise.all(users.map((userId) => balance(userId, NEXT)));
      expect(later.reduce<number>((sum, credits) => sum + (credits ?? 0), 0)).toBe(40);
    });

    it('changing the address takes the free month along', async () => {
      const [left, right] = [randomBytes(32), randomBytes(32)];
      const mover = await signUp(left, NOON);
      await move(mover, right);
      const [atLeft, atRight] = [await signUp(left, NOON), await signUp(right, NOON)];
      expect([await balance(atLeft, NOON), await balance(atRight, NOON)]).toEqual([0, 0]);
      expect(await balance(mover, NOON)).toBe(40);
    });

    it('two accounts whose months begin on different days do not take turns in the middle of them', async () => {
      const address = randomBytes(32);
      const day = (number: number) => new Date(NOON.getTime() + number * DAY);
      const first = await signUp(address, NOON);
      const second = await signUp(address, day(45));
      expect(await balance(second, day(45))).toBe(40);
      expect(await balance(first, day(76))).toBe(0);
      expect(await balance(second, day(76))).toBe(40);
      expect(await balance(first, day(91))).toBe(0);
    });

    it('an account without a hash has its own months', async () => {
      const { userId } = await insertUser(sql, { createdAt: NOON });
      expect([await balance(userId, NOON), await balance(userId, NEXT)]).toEqual([40, 40]);
    });

    it('whatever accounts of an address come, ask and go, no two free months of it overlap', async () => {
      const step = fc.record({
        days: fc.double({ min: 0, max: 45, noNaN: true }),
        act: fc.constantFrom('sign up', 'ask', 'ask', 'leave'),
        who: fc.nat(20),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
          const address = randomBytes(32);
          const all = [await signUp(address, NOON)];
          let at = NOON.getTime();
          for (const { days, act, who } of steps) {
            at += days * DAY;
            const userId = all[who % all.length] ?? '';
            if (act === 'sign up') all.push(await signUp(address, new Date(at)));
            if (act === 'ask') await balance(userId, new Date(at));
            if (act === 'leave') {
              await sql`select credit.close_account(${userId}, ${new Date(at)})`;
              await move(userId, null);
            }
          }
          const twins = await sql`
          select from credit.bucket a join credit.bucket b on a.id < b.id and a.expires_at > b.starts_at and b.expires_at > a.starts_at
           where a.user_id = any(${all}) and b.user_id = any(${all})`;
          expect(twins).toHaveLength(0);
        }),
        { numRuns: runs(25) },
      );
    });

    it('a closed account is granted nothing and spends nothing, and what it had lapses', async () => {
      const userId = await signUp(randomBytes(32), NOON);
      await sql`select credit.close_account(${userId}, ${NOON})`;
      const [grant] = await sql`
      select * from credit.grant_credits(${userId}, 'subscription', 'creem:late', 'creem:tran_late', null, 1000, ${NOON},
        ${NEXT}, 'subscription', ${NOON})`;
      expect(grant).toEqual({ granted: false, balance: 40 });
      const [hold] =
        await sql`select * from credit.take_hold(${userId}, gen_random_uuid(), 1, 'parley-flash', ${NOON})`;
      expect(hold).toMatchObject({ result: 'frozen' });
      expect(await balance(userId, NEXT)).toBe(0);
    });
  },
);
