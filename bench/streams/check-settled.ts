import { setTimeout as sleep } from 'node:timers/promises';
import type { Rig } from '../rig.ts';

export interface Settled {
  /** Messages completed with the whole text, their hold settled. */
  good: number;
  /** What is not so, in words; empty when all is well. */
  faults: string[];
}

/** Looks in the database whether every user's message is complete and paid for, and whether the ledger adds up. */
export async function checkSettled(rig: Rig, userIds: string[], text: string): Promise<Settled> {
  for (let left = 100; left > 0 && (await countRunning(rig, userIds)) > 0; left -= 1) await sleep(100);
  const { sql } = rig.postgres;
  const rows = await sql<{ status: string; whole: boolean; state: string | null; count: number }[]>`
    select m.status, m.response = ${text} as whole, h.state, count(*)::int
      from messages m left join credit.hold h on h.user_id = m.user_id and h.id = m.id
     where m.user_id = any(${userIds}) group by 1, 2, 3`;
  const drifts = await sql<{ view: string; count: number }[]>`
    select 'bucket' as view, count(*)::int from credit.bucket_drift union all
    select 'hold', count(*)::int from credit.hold_drift union all
    select 'balance', count(*)::int from credit.balance_drift`;
  const isGood = (row: (typeof rows)[number]) =>
    row.status === 'completed' && row.whole && row.state === 'settled';
  return {
    good: rows.filter(isGood).reduce((sum, { count }) => sum + count, 0),
    faults: [
      ...rows
        .filter((row) => !isGood(row))
        .map(
          ({ status, whole, state, count }) =>
            `${count} ${status}, text ${whole ? 'whole' : 'cut'}, hold ${state}`,
        ),
      ...drifts.filter(({ count }) => count > 0).map(({ view, count }) => `${count} rows of ${view}_drift`),
    ],
  };
}

async function countRunning(rig: Rig, userIds: string[]): Promise<number> {
  const [row] = await rig.postgres.sql<{ count: number }[]>`
    select count(*)::int from messages where user_id = any(${userIds}) and status = 'running'`;
  return row?.count ?? 0;
}
