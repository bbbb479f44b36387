import type { ComputerState } from '#contract/message/computer.ts';
import { type Executor, momentOf } from '#server/platform/database/database.ts';

export type RunState = 'queued' | 'running' | 'waiting';
/** The control state that the user wants: the run goes on, waits, or lets them act. */
export type Control = 'none' | 'paused' | 'taken_over';

export interface RunRow {
  messageId: string;
  userId: string;
  state: RunState;
  control: Control;
  place: number | null;
  url: string;
  until: Date | null;
}

/** Notes that a run begins; false where the user has one already. A run that the reaper ended meanwhile has none. */
export async function insertRun(sql: Executor, messageId: string, userId: string): Promise<boolean> {
  const rows = await sql`
    insert into computer_runs (message_id, user_id, state)
    select id, user_id, 'running' from messages
     where id = ${messageId} and user_id = ${userId} and status = 'running'
    on conflict (user_id) do nothing returning message_id`;
  return rows.length > 0;
}

/** Changes the row of a run. */
export async function updateRun(
  sql: Executor,
  messageId: string,
  { state, place, url, until }: Pick<RunRow, 'state' | 'place' | 'url' | 'until'>,
): Promise<void> {
  await sql`
    update computer_runs set state = ${state}, place = ${place}, url = ${url}, until = ${until}
     where message_id = ${messageId}`;
}

/** Sets what the user wants of a run, where it is one of `from` now; false where not. */
export async function updateControl(
  sql: Executor,
  { userId, messageId, from, to }: { userId: string; messageId: string; from: Control[]; to: Control },
): Promise<boolean> {
  const rows = await sql`
    update computer_runs set control = ${to}
     where message_id = ${messageId} and user_id = ${userId} and state <> 'queued' and control = any(${from}::text[])
    returning message_id`;
  return rows.length > 0;
}

export async function selectRun(sql: Executor, messageId: string): Promise<RunRow | null> {
  const [row] = await sql<RunRow[]>`
    select message_id as "messageId", user_id as "userId", state, control, place, url, until
      from computer_runs where message_id = ${messageId}`;
  return row ?? null;
}

export async function hasRun(sql: Executor, userId: string): Promise<boolean> {
  const rows = await sql`select from computer_runs where user_id = ${userId}`;
  return rows.length > 0;
}

/** Whether a message is running, so that its run may be yet to come. */
export async function isMessageRunning(sql: Executor, messageId: string): Promise<boolean> {
  const rows = await sql`select from messages where id = ${messageId} and status = 'running'`;
  return rows.length > 0;
}

export async function deleteRun(sql: Executor, messageId: string): Promise<void> {
  await sql`delete from computer_runs where message_id = ${messageId}`;
}

/** Confirmations that were not answered in time; the index `computer_confirmations_due` serves it. */
export const overdue = (sql: Executor, at: Date | null) => sql`
  from computer_confirmations where state = 'waiting' and expires_at <= ${momentOf(sql, at)} order by expires_at`;

/** The state of a run as its user sees it. */
export function presentRun(row: RunRow | null, viewport: ComputerState['viewport']): ComputerState {
  if (!row) return { state: 'ended', place: null, url: '', viewport, until: null };
  const { state, control, place, url } = row;
  const shown = state === 'running' && control !== 'none' ? control : state;
  return { state: shown, place, url, viewport, until: row.until?.getTime() ?? null };
}
