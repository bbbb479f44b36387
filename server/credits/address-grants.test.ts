import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { insertUser } from '#test/factories.ts';
import { POSTGRES_VERSIONS, runs, timeoutFor } from '#test/runs.ts';

const DAY = 86_400_000;
const NOON = new Date('2026-09-10T12:00:00Z');
const NEXT = new Date('2026-10-10T12:00:00Z');

interface Month {
  id: string;
  userId: string;
  startsAt: Date;
  expiresAt: Date;
}

/** What a mailbox may have at one moment: a free month of an account that proved it, and one of an account that did not. */
class Slots {
  readonly #sql: Sql;
  readonly #seen = new Set<string>();
  readonly #proved = new Set<string>();
  #ofProved: Month[] = [];
  #ofOthers: Month[] = [];

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The account shows that the mailbox is its user's; by `prove` it is who opened it, so that a month in hand counts. */
  prove(userId: string, act: string) {
    if (act !== 'prove' && act !== 'take over') return;
    if (act === 'prove' && !this.#proved.has(userId))
      this.#ofProved.push(...this.#ofOthers.filter((month) => month.userId === userId));
    this.#proved.add(userId);
  }

  /** Takes note of the months that were given since, and checks that each has a place. */
  async note(userIds: string[]) {
    const months = await this.#sql<Month[]>`
      select id, user_id as "userId", starts_at as "startsAt", expires_at as "expiresAt"
        from credit.bucket where user_id = any(${userIds}) order by id`;
    for (const month of months.filter(({ id }) => !this.#seen.has(id))) {
      this.#seen.add(month.id);
      const slot = this.#proved.has(month.userId) ? this.#ofProved : this.#ofOthers;
      const twins = slot.filter(
        ({ startsAt, expiresAt }) => startsAt < month.expiresAt && month.startsAt < expiresAt,
      );
      expect(twins).toEqual([]);
      slot.push(month);
    }
  }

  /** Has another account that proved the mailbox a month that ends after `since`. */
  isTakenFrom(userId: string, since: number): boolean {
    return this.#ofProved.some((month) => month.userId !== userId && month.expiresAt.getTime() > since);
  }
}

describe.each(POSTGRES_VERSIONS)(
  'one free month for an address on PostgreSQL %i',
  { timeout: timeoutFor(240_000) },
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

    const signUp = async (emailHash: Buffer, createdAt: Date) =>
      (await insertUser(sql, { emailHash, createdAt })).userId;
    const balance = async (userId: string, at: Date) => {
      const [row] = await sql<{ credits: number }[]>`select credit.read_balance(${userId}, ${at}) as credits`;
      return row?.credits;
    };
    const move = (userId: string, emailHash: Buffer | null) =>
      sql`update users set address_hash = ${emailHash} where id = ${userId}`;

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

    const prove = (userId: string) => sql`update users set email_verified = true where id = ${userId}`;
    const takeOver = (userId: string, at: Date) =>
      sql`update users set email_verified = true, taken_over_at = ${at} where id = ${userId} and not email_verified`;

    it('the month of an account that never proved the address costs its owner nothing', async () => {
      const address = randomBytes(32);
      const day = (number: number) => new Date(NOON.getTime() + number * DAY);
      const stranger = await signUp(address, NOON);
      const owner = await signUp(address, day(3));
      expect([await balance(stranger, day(3)), await balance(owner, day(3))]).toEqual([40, 0]);
      await prove(owner);
      expect(await balance(owner, day(4))).toBe(40);
      const again = await signUp(address, day(5));
      await prove(again);
      expect(await balance(again, day(5))).toBe(0);
      const [bucket] = await sql`select starts_at from credit.bucket where user_id = ${owner}`;
      expect(bucket?.starts_at).toEqual(day(3));
    });

    it('who proves the address with a month in hand has had the month of the mailbox', async () => {
      const address = randomBytes(32);
      const first = await signUp(address, NOON);
      await prove(first);
      expect(await balance(first, NOON)).toBe(40);
      const second = await signUp(address, NOON);
      expect(await balance(second, NOON)).toBe(0);
      await prove(second);
      expect([await balance(second, NOON), await balance(second, NEXT)]).toEqual([0, 40]);
    });

    it('who takes an account over has not had what its opener was given', async () => {
      const address = randomBytes(32);
      const taken = await signUp(address, NOON);
      await takeOver(taken, NOON);
      const mine = await signUp(address, NOON);
      expect(await balance(mine, NOON)).toBe(0);
      await prove(mine);
      expect(await balance(mine, NOON)).toBe(40);
    });

    it('whatever accounts of an address come, prove it, ask and go, its free months overlap only with one that nobody proved', async () => {
      const step = fc.record({
        days: fc.double({ min: 0, max: 45, noNaN: true }),
        act: fc.constantFrom('sign up', 'sign up', 'prove', 'take over', 'ask', 'ask', 'leave'),
        who: fc.nat(20),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
          const address = randomBytes(32);
          const slots = new Slots(sql);
          const gone = new Set<string>();
          const all = [await signUp(address, NOON)];
          await slots.note(all);
          let at = NOON.getTime();
          for (const { days, act, who } of steps) {
            at += days * DAY;
            if (act === 'sign up') all.push(await signUp(address, new Date(at)));
            await slots.note(all);
            const userId = all[who % all.length] ?? '';
            if (act === 'leave') {
              await sql`select credit.close_account(${userId}, ${new Date(at)})`;
              await move(userId, null);
              gone.add(userId);
            }
            if (gone.has(userId)) continue;
            if (act === 'prove') await prove(userId);
            if (act === 'take over') await takeOver(userId, new Date(at));
            slots.prove(userId, act);
            const has = ((await balance(userId, new Date(at))) ?? 0) > 0;
            await slots.note(all);
            if (act === 'prove' && !has) expect(slots.isTakenFrom(userId, at - 31 * DAY)).toBe(true);
          }
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
