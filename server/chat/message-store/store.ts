import type { FinishReason, MessageStatus, TokenUsage } from '#contract/chat.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { InputPart, StepPart, TablePart } from '#contract/message/parts.ts';
import { type Executor, Uncommitted } from '#server/platform/database/database.ts';
import type { MessageInput, MessageOutput } from './message-parts.ts';

/**
 * A message as it is stored; one of the API, which has no conversation, is its own conversation. `endSeq` is the number of its `end`
 * event, null while it runs.
 */
export interface MessageRow {
  id: string;
  userId: string;
  conversationId: string;
  parentId: string | null;
  model: string;
  content: string;
  response: string;
  status: MessageStatus;
  cost: number;
  creditsUsed: number;
  /** Null: text alone, at its model's price. */
  input: MessageInput | null;
  /** Null: text alone, and charged for the message alone, if at all. */
  output: MessageOutput | null;
  errorCode: ErrorCode | null;
  modelVersion: string | null;
  contextTrimmed: boolean;
  upstreamSwitched: boolean;
  usage: TokenUsage | null;
  finishReason: FinishReason | null;
  /** Milliseconds from the send to the first text; null without text. */
  firstTextMs: number | null;
  owner: string;
  endSeq: number | null;
  createdAt: Date;
  endedAt: Date | null;
}

export type SendResult =
  | 'sent'
  | 'duplicate'
  | 'key_reused'
  | 'model_paused'
  | 'not_found'
  | 'parent_running'
  /** Files of its conversation may have to be read: they are to be looked for, and the message sent again. */
  | 'reads_files'
  | 'too_many'
  | 'too_many_unanswered'
  | 'insufficient'
  | 'frozen';

export interface SendOutcome {
  result: SendResult;
  /** Spendable credits; null when the attempt ended before they were looked at. */
  balance: number | null;
  /** Set when it was sent: the message's time, and what the conversation is like. */
  sentAt: Date | null;
  title: string | null;
  startedAt: Date | null;
  pinnedAt: Date | null;
  isTemporary: boolean | null;
  /** Which number of free messages of a day was reached; null: none. */
  freeLimit: number | null;
}

export interface NewMessage {
  id: string;
  userId: string;
  conversationId: string;
  parentId: string | null;
  model: string;
  content: string;
  /** For a conversation that begins with this message. */
  title: string;
  /** The title as search compares it. */
  foldedTitle: string;
  /** As above: is it to be removed by itself. */
  isTemporary: boolean;
  /** Null: text alone, at its model's price. */
  input: MessageInput | null;
  cost: number;
  owner: string;
  maxRunning: number;
  /** Bounds of free messages a day, as `reached_free_limit` takes them. */
  maxUnanswered: number;
  maxUncharged: number;
  at: Date | null;
}

/** Calls `send_message`: hold, conversation and message in one transaction and one round trip. */
export async function insertMessage(sql: Executor, message: NewMessage): Promise<Uncommitted<SendOutcome>> {
  return new Uncommitted(await callSendMessage(sql, message));
}

/** The same within a transaction that does more. */
export async function callSendMessage(sql: Executor, message: NewMessage): Promise<SendOutcome> {
  const [row] = await sql<SendOutcome[]>`
    select result, balance, sent_at as "sentAt", title, started_at as "startedAt",
           pinned_at as "pinnedAt", is_temporary as "isTemporary", free_limit as "freeLimit"
      from set_config('synchronous_commit', 'off', true),
           send_message(${message.userId}, ${message.id}, ${message.conversationId}, ${message.parentId},
             ${message.model}, ${message.content}, ${message.title}, ${message.cost}, ${message.owner},
             ${message.maxRunning}, ${message.at}, ${message.foldedTitle}, ${message.isTemporary},
             ${message.maxUnanswered}, ${message.maxUncharged},
             ${message.input && JSON.stringify(message.input)}::text::jsonb)`;
  if (!row) throw new Error('send_message returned nothing');
  return row;
}

/** The columns of a `MessageRow`, of the table `m`. */
export const messageColumns = (sql: Executor) => sql`
  m.id, m.user_id as "userId", coalesce(m.conversation_id, m.id) as "conversationId", m.parent_id as "parentId", m.model, m.content,
  m.response, m.status, m.cost, m.credits_used as "creditsUsed", m.input, m.output, m.error_code as "errorCode",
  m.model_version as "modelVersion", m.context_trimmed as "contextTrimmed",
  m.upstream_switched as "upstreamSwitched", m.usage, m.finish_reason as "finishReason", m.first_text_ms as "firstTextMs", m.owner, m.end_seq as "endSeq",
  m.created_at as "createdAt", m.ended_at as "endedAt"`;

/** One message of the user. */
export async function findMessage(sql: Executor, userId: string, id: string): Promise<MessageRow | null> {
  const [row] = await sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m where m.id = ${id} and m.user_id = ${userId}`;
  return row ?? null;
}

/**
 * The step or the table of this number in the answer of a message of the user, from its parts or, while it runs, from the log; not of a
 * deleted conversation.
 */
export async function findShown(
  sql: Executor,
  userId: string,
  messageId: string,
  { kind, n }: Pick<StepPart | TablePart, 'kind' | 'n'>,
): Promise<StepPart | TablePart | null> {
  const [row] = await sql<{ part: StepPart | TablePart }[]>`
    select part
      from messages m join conversations c on c.id = m.conversation_id and c.deleted_at is null
      cross join lateral (
        select part from jsonb_array_elements(m.output -> 'parts') part
        union all
        select event -> 1 -> 'part' from message_events e, jsonb_array_elements(e.events) event
         where e.message_id = m.id and m.status = 'running' and event ->> 0 = 'part') parts
     where m.id = ${messageId} and m.user_id = ${userId}
       and part ->> 'kind' = ${kind} and part ->> 'n' = ${String(n)} limit 1`;
  return row?.part ?? null;
}

/** Whether there is such a message of the user. Reads nothing of its texts, which may be long. */
export async function isMessageOf(sql: Executor, userId: string, id: string): Promise<boolean> {
  const rows = await sql`select from messages where id = ${id} and user_id = ${userId}`;
  return rows.length > 0;
}

/** Messages by their ids, whosever they are: for a process that looks after its own answers. */
export async function findMessages(sql: Executor, ids: string[]): Promise<MessageRow[]> {
  return sql<MessageRow[]>`select ${messageColumns(sql)} from messages m where m.id = any(${ids}::uuid[])`;
}

/** The newest `limit` messages of a conversation of the user, unless it is deleted, that are older than the message `before`, newest first. */
export async function selectMessages(
  sql: Executor,
  page: { userId: string; conversationId: string; before: string | null; limit: number },
): Promise<MessageRow[]> {
  const { userId, conversationId, before, limit } = page;
  const older = before
    ? sql`and (m.created_at, m.id) < (select b.created_at, b.id from messages b
                                       where b.id = ${before} and b.conversation_id = ${conversationId})`
    : sql``;
  return sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m
     where m.conversation_id = ${conversationId} and m.user_id = ${userId} ${older}
       and exists (select from conversations where id = ${conversationId} and deleted_at is null)
     order by m.created_at desc, m.id desc limit ${limit}`;
}

/** At most `limit` messages of a conversation of the user that were sent after the message `after`, oldest first. */
export async function selectFollowing(
  sql: Executor,
  page: { userId: string; conversationId: string; after: string | null; limit: number },
): Promise<MessageRow[]> {
  const { userId, conversationId, after, limit } = page;
  const later = after
    ? sql`and (m.created_at, m.id) > (select b.created_at, b.id from messages b where b.id = ${after})`
    : sql``;
  return sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m
     where m.conversation_id = ${conversationId} and m.user_id = ${userId} ${later}
     order by m.created_at, m.id limit ${limit}`;
}

/** Asks the process that runs the message to stop it. Returns the message when it still runs, else null. */
export async function updateStopRequested(
  sql: Executor,
  userId: string,
  id: string,
): Promise<MessageRow | null> {
  const [row] = await sql<MessageRow[]>`
    update messages m set stop_requested_at = coalesce(m.stop_requested_at, clock_timestamp())
     where m.id = ${id} and m.user_id = ${userId} and m.status = 'running'
    returning ${messageColumns(sql)}`;
  return row ?? null;
}

/** Asks the processes that run messages of a conversation of the user to stop them. Returns their ids. */
export async function updateStopsRequested(
  sql: Executor,
  userId: string,
  conversationId: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update messages m set stop_requested_at = coalesce(m.stop_requested_at, clock_timestamp())
     where m.conversation_id = ${conversationId} and m.user_id = ${userId} and m.status = 'running'
    returning m.id`;
  return rows.map(({ id }) => id);
}

/** The answers being written in conversations of the user; the index of running messages serves it. */
export async function selectRunning(
  sql: Executor,
  userId: string,
): Promise<{ id: string; conversationId: string }[]> {
  return sql<{ id: string; conversationId: string }[]>`
    select id, conversation_id as "conversationId" from messages
     where user_id = ${userId} and status = 'running' and conversation_id is not null`;
}

/** As `updateStopsRequested`, for all that runs for the user. */
export async function updateAllStopsRequested(sql: Executor, userId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update messages set stop_requested_at = coalesce(stop_requested_at, clock_timestamp())
     where user_id = ${userId} and status = 'running' returning id`;
  return rows.map(({ id }) => id);
}

export interface Exchange {
  parentId: string | null;
  content: string;
  response: string;
  /** Without thinking and sources, which no model is given and which may be long. */
  output: Pick<MessageOutput, 'parts'> | null;
  /** The prompt in its parts; null where it is text alone. */
  inputParts: InputPart[] | null;
  /** As `writeKept` made it. */
  kept: string | null;
  /** Whether it was answered: in full, up to a stop or a restart, or in words where a picture was wanted, which may be a question. */
  answered: boolean;
}

/** The message `id` and its ancestors, newest first, until `maxDepth` messages or about `maxCharacters` are read. */
export async function selectPath(
  sql: Executor,
  path: { userId: string; id: string; maxDepth: number; maxCharacters: number },
): Promise<Exchange[]> {
  return sql<Exchange[]>`
    with recursive path as (
      select m.id, m.parent_id, m.content, m.response, m.output, m.kept, m.status, m.error_code, m.input, 1 as depth,
             length(m.content) + length(m.response) + coalesce(length(m.kept), 0) as size
        from messages m where m.id = ${path.id} and m.user_id = ${path.userId}
      union all
      select m.id, m.parent_id, m.content, m.response, m.output, m.kept, m.status, m.error_code, m.input, p.depth + 1,
             p.size + length(m.content) + length(m.response) + coalesce(length(m.kept), 0)
        from path p join messages m on m.id = p.parent_id
       where m.user_id = ${path.userId} and p.depth < ${path.maxDepth} and p.size < ${path.maxCharacters})
    select parent_id as "parentId", content, response, kept, input -> 'parts' as "inputParts",
           case when output -> 'parts' is not null then jsonb_build_object('parts', jsonb_path_query_array(
             output, '$.parts[*] ? (@.kind != "reasoning" && @.kind != "sources")')) end as output,
           status in ('completed', 'stopped', 'interrupted')
             or coalesce(error_code = 'picture_not_made' and response <> '', false) as answered
      from path order by depth`;
}
