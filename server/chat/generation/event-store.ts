import type { Executor } from '#server/platform/database/database.ts';

export interface LogRow {
  messageId: string;
  firstSeq: number;
  lastSeq: number;
  /** JSON text: `[[type, data], …]`. */
  events: string;
}

/**
 * Adds rows to the event log in one statement. A row that was written before, by an attempt whose answer was lost, is
 * replaced when the new one reaches further.
 */
export async function appendEvents(sql: Executor, rows: LogRow[]): Promise<void> {
  if (rows.length === 0) return;
  const json = rows.map(
    (row) => `{"id":"${row.messageId}","first":${row.firstSeq},"last":${row.lastSeq},"events":${row.events}}`,
  );
  await sql`
    insert into message_events as e (message_id, first_seq, last_seq, events)
    select id, first, last, events
      from jsonb_to_recordset(${`[${json.join(',')}]`}::text::jsonb) as r (id uuid, first int, last int, events jsonb)
    on conflict (message_id, first_seq) do update set last_seq = excluded.last_seq, events = excluded.events
     where excluded.last_seq > e.last_seq`;
}

export interface LogPart {
  messageId: string;
  isEnded: boolean;
  endSeq: number | null;
  /** Null: the log has nothing after the cursor. */
  firstSeq: number | null;
  events: [type: string, data: unknown][] | null;
}

/** What the log has of each message after its cursor, at most `limit` rows each, in order, with the message's state. One snapshot. */
export async function selectEvents(
  sql: Executor,
  places: { messageId: string; after: number }[],
  limit: number,
): Promise<LogPart[]> {
  const ids = places.map((place) => place.messageId);
  const cursors = places.map((place) => place.after);
  return sql<LogPart[]>`
    select m.id as "messageId", m.status <> 'running' as "isEnded", m.end_seq as "endSeq",
           e.first_seq as "firstSeq", e.events
      from unnest(${ids}::uuid[], ${cursors}::int[]) as w (id, cursor)
      join messages m on m.id = w.id
      left join lateral (
        select l.first_seq, l.events from message_events l
         where l.message_id = w.id and l.last_seq > w.cursor order by l.first_seq limit ${limit}) e on true
     order by m.id, e.first_seq`;
}

/** Deletes at most `limit` rows written more than `minutes` ago; says how many. */
export async function deleteOldEvents(sql: Executor, minutes: number, limit: number): Promise<number> {
  const result = await sql`
    delete from message_events where ctid = any (array(
      select ctid from message_events where written_at < now() - ${minutes} * interval '1 minute' limit ${limit}))`;
  return result.count;
}
