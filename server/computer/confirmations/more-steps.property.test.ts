import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoDrift, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { runs } from '#test/runs.ts';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

const EACH = 15;

/** Ends a message as `end_message` does: its own hold, what was taken for more, what comes back. */
function endAll(userId: string, hold: string, charge: number) {
  return home.database.sql.begin(async (tx) => {
    const outcome = charge > 0 ? 'settled' : 'released';
    const [closed] = await tx<{ closed: boolean; balance: number }[]>`
      select * from credit.close_hold(${userId}, ${hold}, ${outcome}, 'completed', null)`;
    if (!closed?.closed) return null;
    const [more] = await tx<{ spent: number; balance: number }[]>`
      select * from credit.close_more(${userId}, ${hold}, ${charge}, 'completed', ${closed.balance}, null)`;
    if (!more) throw new Error('no rows');
    if (charge === 0) return more;
    const [row] = await tx<{ balance: number }[]>`
      select credit.return_unused(${userId}, ${hold}, ${charge - more.spent}, '[]', ${more.balance}, null) as balance`;
    return { spent: more.spent, balance: row?.balance ?? -1 };
  });
}

test('P24: whatever is taken for more and however it ends, what was charged is spent, all else comes back, and nothing drifts', async () => {
  const { sql } = home.database;
  const taking = fc.array(fc.constantFrom('more', 'again', 'other', 'grant'), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(taking, fc.nat({ max: 4 }), fc.boolean(), async (acts, usedTens, isOwnWhole) => {
      const ledger = await openLedger(home.database);
      const { userId } = ledger;
      const hold = (await ledger.take(EACH)).result === 'held' ? await lastHold(userId) : '';
      const taken: string[] = [];
      let spendable = 25;
      for (const act of acts) {
        if (act === 'grant') {
          const expiresAt = new Date(Date.now() + 86_400_000);
          await ledger.grant({ sourceKey: randomUUID(), amount: 20, expiresAt });
          spendable += 20;
          continue;
        }
        if (act === 'other') {
          const other = randomUUID();
          if ((await ledger.take(4, other)).result === 'held') await ledger.release(other);
          continue;
        }
        const id = act === 'again' ? (taken.at(-1) ?? randomUUID()) : randomUUID();
        const [row] = await sql<{ result: string; balance: number }[]>`
          select * from credit.take_more(${userId}, ${hold}, ${id}, ${EACH}, null)`;
        const expected = taken.includes(id) ? 'duplicate' : spendable >= EACH ? 'held' : 'insufficient';
        expect(row?.result).toBe(expected);
        if (expected !== 'held') continue;
        taken.push(id);
        spendable -= EACH;
        expect(row?.balance).toBe(spendable);
      }
      const tens = Math.min(usedTens, taken.length + 1);
      const charge = tens === 0 ? 0 : tens === 1 && !isOwnWhole ? 7 : tens * EACH;
      const ends = await Promise.all([endAll(userId, hold, charge), endAll(userId, hold, charge)]);
      expect(ends.filter((end) => end !== null)).toHaveLength(1);
      const grants = acts.filter((act) => act === 'grant').length * 20;
      expect(await ledger.balance()).toBe(40 + grants - charge);
      await expectNoDrift(sql, userId);
      const open = await sql`select from credit.hold where user_id = ${userId} and state = 'held'`;
      expect(open).toHaveLength(0);
    }),
    { numRuns: runs(50, 1_000) },
  );
});

async function lastHold(userId: string): Promise<string> {
  const [row] = await home.database.sql<{ id: string }[]>`
    select id from credit.hold where user_id = ${userId} order by created_at desc limit 1`;
  return row?.id ?? '';
}
