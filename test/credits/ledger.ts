import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Grant, grantCredits } from '#server/credits/grant-credits.ts';
import { listEntries } from '#server/credits/list-entries.ts';
import { pauseFreeMonths } from '#server/credits/pause-free-months.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import { restoreCredits, revokeCredits } from '#server/credits/revoke-credits.ts';
import type { Database, Executor } from '#server/platform/database/database.ts';
import { insertUser } from '../factories.ts';
import { chargeHold, closeHold, takeHold } from './holds.ts';

/** Fails unless every counter, hold and balance of the ledger (of one user, if given) is what its transfers say. */
export async function expectNoDrift(sql: Executor, userId?: string): Promise<void> {
  const drift = userId
    ? await sql`select kind, user_id, detail from credit.drift where user_id = ${userId}`
    : await sql`select kind, user_id, detail from credit.drift`;
  expect([...drift]).toEqual([]);
}

/** The credits of one new user, with a clock that stands at `now` until a test moves it; null is the database's own clock. */
export async function openLedger({ sql }: Pick<Database, 'sql'>, now: Date | null = null) {
  const { userId } = await insertUser(sql, now ? { createdAt: now } : {});
  const ledger = {
    userId,
    now,
    take: (cost: number, holdId: string = randomUUID()) =>
      takeHold(sql, { userId, holdId, cost, model: 'parley-flash', at: ledger.now }),
    settle: (holdId: string) =>
      closeHold(sql, { userId, holdId, outcome: 'settled', reason: 'message', at: ledger.now }),
    charge: (holdId: string, charge: number) => chargeHold(sql, { userId, holdId, charge, at: ledger.now }),
    release: (holdId: string, reason = 'upstream_failed') =>
      closeHold(sql, { userId, holdId, outcome: 'released', reason, at: ledger.now }),
    grant: (grant: Pick<Grant, 'sourceKey' | 'amount' | 'expiresAt'> & Partial<Grant>) =>
      grantCredits(sql, { userId, kind: 'adjustment', reason: 'goodwill', at: ledger.now, ...grant }),
    revoke: (key: { paymentKey: string } | { sourceKey: string }, revokeTarget: number, reason = 'refund') =>
      revokeCredits(sql, { userId, revokeTarget, reason, at: ledger.now, ...key }),
    restore: (paymentKey: string, revokeTarget: number) =>
      restoreCredits(sql, { userId, paymentKey, revokeTarget, at: ledger.now }),
    pause: (until: Date | null) => pauseFreeMonths(sql, userId, until),
    balance: () => readBalance(ledger.deps(), userId),
    page: (cursor: string | null = null, limit = 50) => listEntries(ledger.deps(), userId, { cursor, limit }),
    /** Lines as the user sees them, oldest first: kind, amount, balance after, reason. */
    lines: async () =>
      (await ledger.page(null, 1000)).entries
        .map((entry) => [entry.kind, entry.amount, entry.balanceAfter, entry.reason] as const)
        .reverse(),
    /** Counters of the bucket of a source: available, held, spent, expired, revoked. */
    counters: async (source = 'free:0') => {
      const [row] = await sql<Record<string, number>[]>`
        select available, held, spent, expired, revoked
          from credit.bucket where user_id = ${userId} and source_key = ${source}`;
      return row ? Object.values(row) : null;
    },
    deps: () => ({
      database: { sql } as Database,
      clock: { now: () => ledger.now ?? new Date(), databaseTime: () => ledger.now },
    }),
  };
  return ledger;
}

/** Days after a time, fractions allowed. */
export function later(time: Date, days: number): Date {
  return new Date(time.getTime() + days * 86_400_000);
}
