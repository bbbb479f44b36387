import type { Sql } from 'postgres';
import type { Executor } from '#server/platform/database/database.ts';

interface HoldTaken {
  /** `duplicate`: this id holds or held before, and nothing was taken again. */
  result: 'held' | 'duplicate' | 'insufficient' | 'frozen';
  /** Spendable credits after the attempt. */
  balance: number;
}

/** Takes a hold by itself, as storing a message does inside `send_message`. Credits; `holdId` is the message's id. */
export async function takeHold(
  sql: Executor,
  {
    userId,
    holdId,
    cost,
    model,
    at,
  }: { userId: string; holdId: string; cost: number; model: string; at: Date | null },
): Promise<HoldTaken> {
  const rows = await sql<HoldTaken[]>`
    select result, balance from credit.take_hold(${userId}, ${holdId}, ${cost}, ${model}, ${at})`;
  return only(rows);
}

/** Ends a hold by itself, as the end of an answer does inside `end_message`. `closed` is true for exactly one caller. */
export async function closeHold(
  sql: Executor,
  hold: { userId: string; holdId: string; outcome: 'settled' | 'released'; reason: string; at: Date | null },
): Promise<{ closed: boolean; balance: number }> {
  const rows = await sql<{ closed: boolean; balance: number }[]>`
    select closed, balance
      from credit.close_hold(${hold.userId}, ${hold.holdId}, ${hold.outcome}, ${hold.reason}, ${hold.at})`;
  return only(rows);
}

/** Settles a hold of which only `charge` was used, as the end of an answer does inside `end_message`. */
export async function chargeHold(
  sql: Sql,
  hold: { userId: string; holdId: string; charge: number; at: Date | null },
): Promise<{ closed: boolean; balance: number }> {
  const { userId, holdId, charge, at } = hold;
  return sql.begin(async (tx) => {
    const settled = await closeHold(tx, { userId, holdId, outcome: 'settled', reason: 'message', at });
    if (!settled.closed) return settled;
    const lines = JSON.stringify([{ kind: 'message', credits: charge }]);
    const rows = await tx<{ balance: number }[]>`
      select credit.return_unused(${userId}, ${holdId}, ${charge}, ${lines}::text::jsonb, ${settled.balance}, ${at}) as balance`;
    return { closed: true, balance: only(rows).balance };
  });
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (!row) throw new Error('no rows');
  return row;
}
