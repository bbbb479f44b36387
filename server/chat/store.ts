import type { MessageStatus } from '#contract/chat.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { Executor } from '#server/platform/database.ts';

/** A message as it is stored; `endSeq` is the number of its `end` event, null while it runs. */
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
  errorCode: ErrorCode | null;
  modelVersion: string | null;
  contextTrimmed: boolean;
  owner: string;
  endSeq: number | null;
  createdAt: Date;
}

export interface ConversationRow {
  id: string;
  title: string;
  createdAt: Date;
  updatedAt: Date;
}

export type SendResult =
  | 'sent'
  | 'duplicate'
  | 'key_reused'
  | 'not_found'
  | 'parent_running'
  | 'too_many'
  | 'insufficient'
  | 'frozen';

export interface SendOutcome {
  result: SendResult;
  /** Spendable credits; null when the attempt ended before they were looked at. */
  balance: number | null;
  /** Set when it was sent: the message's time, and the conversation's title and start. */
  sentAt: Date | null;
  title: string | null;
  startedAt: Date | null;
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
  cost: number;
  owner: string;
  maxRunning: number;
  at: Date | null;
}

/** Calls `send_message`: hold, conversation and message in one transaction and one round trip. */
export async function insertMessage(sql: Executor, message: NewMessage): Promise<SendOutcome> {
  const [row] = await sql<SendOutcome[]>`
    select result, balance, sent_at as "sentAt", title, started_at as "startedAt"
      from send_message(${message.userId}, ${message.id}, ${message.conversationId}, ${message.parentId},
        ${message.model}, ${message.content}, ${message.title}, ${message.cost}, ${message.owner},
        ${message.maxRunning}, ${message.at})`;
  if (!row) throw new Error('send_message returned nothing');
  return row;
}

const messageColumns = (sql: Executor) => sql`
  m.id, m.user_id as "userId", m.conversation_id as "conversationId", m.parent_id as "parentId", m.model, m.content,
  m.response, m.status, m.cost, m.credits_used as "creditsUsed", m.error_code as "errorCode",
  m.model_version as "modelVersion", m.context_trimmed as "contextTrimmed", m.owner, m.end_seq as "endSeq",
  m.created_at as "createdAt"`;

/** One message of the user. */
export async function findMessage(sql: Executor, userId: string, id: string): Promise<MessageRow | null> {
  const [row] = await sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m where m.id = ${id} and m.user_id = ${userId}`;
  return row ?? null;
}

/** Messages by their ids, whosever they are: for a process that looks after its own answers. */
export async function findMessages(sql: Executor, ids: string[]): Promise<MessageRow[]> {
  return sql<MessageRow[]>`select ${messageColumns(sql)} from messages m where m.id = any(${ids}::uuid[])`;
}

/** The newest `limit` messages of a conversation of the user that are older than the message `before`, newest first. */
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
     order by m.created_at desc, m.id desc limit ${limit}`;
}

/** One conversation of the user. */
export async function findConversation(
  sql: Executor,
  userId: string,
  id: string,
): Promise<ConversationRow | null> {
  const [row] = await sql<ConversationRow[]>`
    select id, title, created_at as "createdAt", updated_at as "updatedAt"
      from conversations where id = ${id} and user_id = ${userId}`;
  return row ?? null;
}

/** The newest `limit` conversations of the user, those after `before` only; `cursor` of a row is its own place. */
export async function selectConversations(
  sql: Executor,
  page: { userId: string; before: { micros: string; id: string } | null; limit: number },
): Promise<(ConversationRow & { micros: string })[]> {
  const { userId, before, limit } = page;
  const older = before
    ? sql`and (updated_at, id) < (timestamptz 'epoch' + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::uuid)`
    : sql``;
  return sql<(ConversationRow & { micros: string })[]>`
    select id, title, created_at as "createdAt", updated_at as "updatedAt",
           (extract(epoch from updated_at) * 1000000)::bigint::text as micros
      from conversations where user_id = ${userId} ${older}
     order by updated_at desc, id desc limit ${limit}`;
}

/** Asks whoever runs the message to stop it. The message when it still runs, else null. */
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

export interface Exchange {
  parentId: string | null;
  content: string;
  response: string;
  /** Was it answered, in full or up to a stop. */
  answered: boolean;
}

/** The message `id` and its ancestors, newest first, until `maxDepth` messages or about `maxCharacters` are read. */
export async function selectPath(
  sql: Executor,
  path: { userId: string; id: string; maxDepth: number; maxCharacters: number },
): Promise<Exchange[]> {
  return sql<Exchange[]>`
    with recursive path as (
      select m.id, m.parent_id, m.content, m.response, m.status, 1 as depth, length(m.content) + length(m.response) as size
        from messages m where m.id = ${path.id} and m.user_id = ${path.userId}
      union all
      select m.id, m.parent_id, m.content, m.response, m.status, p.depth + 1,
             p.size + length(m.content) + length(m.response)
        from path p join messages m on m.id = p.parent_id
       where m.user_id = ${path.userId} and p.depth < ${path.maxDepth} and p.size < ${path.maxCharacters})
    select parent_id as "parentId", content, response, status in ('completed', 'stopped') as answered
      from path order by depth`;
}
