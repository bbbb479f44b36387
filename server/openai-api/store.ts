import type { FinishReason, MessageStatus, TokenUsage } from '#contract/chat.ts';
import type { MessageOutput } from '#server/chat/message-store/message-parts.ts';
import { type Executor, momentOf, Uncommitted } from '#server/platform/database/database.ts';

export type SendResult =
  | 'sent'
  | 'repeated'
  | 'key_reused'
  | 'model_paused'
  | 'key_revoked'
  | 'cap_reached'
  | 'too_many'
  | 'too_many_unanswered'
  | 'insufficient'
  | 'frozen';

export interface NewRequest {
  id: string;
  userId: string;
  /** Null: made by the user on the API page. */
  keyId: string | null;
  idempotencyKey: string | null;
  /** SHA-256 of what was asked. */
  bodyHash: Buffer;
  model: string;
  cost: number;
  promptTokens: number;
  owner: string;
  maxRunning: number;
  maxUnanswered: number;
  maxUncharged: number;
  at: Date | null;
}

export interface SendOutcome {
  result: SendResult;
  /** Spendable credits; null when the attempt ended before they were looked at. */
  balance: number | null;
  messageId: string;
  sentAt: Date;
  /** Credits that the key's monthly cap leaves; null where it was not looked at. */
  capLeft: number | null;
  /** Which number of free messages of a day was reached; null: none. */
  freeLimit: number | null;
}

/** Calls `send_api_message`. */
export async function insertRequest(sql: Executor, request: NewRequest): Promise<Uncommitted<SendOutcome>> {
  const [row] = await sql<SendOutcome[]>`
    select result, balance, message_id as "messageId", sent_at as "sentAt", cap_left as "capLeft",
           free_limit as "freeLimit"
      from set_config('synchronous_commit', 'off', true),
           send_api_message(${request.userId}, ${request.id}, ${request.keyId}, ${request.idempotencyKey},
        ${request.bodyHash}, ${request.model}, ${request.cost}, ${request.promptTokens}, ${request.owner},
        ${request.maxRunning}, ${request.at}, ${request.maxUnanswered}, ${request.maxUncharged})`;
  if (!row) throw new Error('send_api_message returned nothing');
  return new Uncommitted(row);
}

/** A request that runs, or was answered. */
export interface FormerRequest {
  messageId: string;
  bodyHash: Buffer;
  sentAt: Date;
  /** Credits that were held for it. */
  cost: number;
}

/** The request under an idempotency key of the user that runs, or was answered. */
export async function findFormer(
  sql: Executor,
  userId: string,
  idempotencyKey: string,
): Promise<FormerRequest | null> {
  const [row] = await sql<FormerRequest[]>`
    select r.message_id as "messageId", r.body_hash as "bodyHash", r.created_at as "sentAt", m.cost
      from api_requests r join messages m on m.id = r.message_id
     where r.user_id = ${userId} and r.idempotency_key = ${idempotencyKey} and (m.status = 'running' or m.credits_used > 0)`;
  return row ?? null;
}

/** An exchange as its caller receives it. */
export interface ExchangeRow {
  id: string;
  model: string;
  status: MessageStatus;
  response: string;
  creditsUsed: number;
  cost: number;
  createdAt: Date;
  usage: TokenUsage | null;
  finishReason: FinishReason | null;
  /** Our estimate of what was asked. */
  promptTokens: number;
  output: MessageOutput | null;
}

/** Whether there is an answer to send: one that was charged, or what the provider's filter left of one. */
export function hasAnswer({ creditsUsed, finishReason, response }: ExchangeRow): boolean {
  return creditsUsed > 0 || (finishReason === 'content_filter' && response !== '');
}

/** One exchange of the user. */
export async function findExchange(sql: Executor, userId: string, id: string): Promise<ExchangeRow | null> {
  const [row] = await sql<ExchangeRow[]>`
    select m.id, m.model, m.status, m.response, m.credits_used as "creditsUsed", m.cost, m.created_at as "createdAt",
           m.usage, m.finish_reason as "finishReason", r.prompt_tokens as "promptTokens", m.output
      from api_requests r join messages m on m.id = r.message_id
     where r.message_id = ${id} and r.user_id = ${userId}`;
  return row ?? null;
}

/** An answer that made calls. */
export interface CallingRow {
  id: string;
  response: string;
  output: MessageOutput | null;
  kept: string;
}

/** Most characters of answers with their stored parts, for one request. */
const MAX_KEPT = 4_000_000;

/** The answers to API requests of the user, among the given ones, whose parts are stored as their model wrote them; the newest first. */
export async function findCalling(sql: Executor, userId: string, ids: string[]): Promise<CallingRow[]> {
  return sql<CallingRow[]>`
    with found as (
      select m.id, m.response, m.output, m.kept, sum(length(m.kept) + length(m.response)) over (order by m.created_at desc, m.id) as size
        from messages m
       where m.id = any(${ids}::uuid[]) and m.user_id = ${userId} and m.conversation_id is null and m.kept is not null)
    select id, response, output, kept from found where size <= ${MAX_KEPT}`;
}

/** Asks the processes that run requests of a key to stop them. Returns their ids. */
export async function updateStopRequested(sql: Executor, userId: string, keyId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update messages m set stop_requested_at = coalesce(m.stop_requested_at, clock_timestamp())
      from api_requests r
     where r.key_id = ${keyId} and r.user_id = ${userId} and m.id = r.message_id and m.status = 'running'
    returning m.id`;
  return rows.map((row) => row.id);
}

/**
 * Decides of at most `limit` ended requests, made more than `minutes` ago, whether their answers are kept: those under an
 * idempotency key are, all others are deleted. Returns the number of requests decided.
 */
export async function deleteUnkept(
  sql: Executor,
  minutes: number,
  limit: number,
  at: Date | null,
): Promise<number> {
  const now = momentOf(sql, at);
  const result = await sql`
    with due as (
      select r.message_id, r.idempotency_key is not null and m.credits_used > 0 as kept
        from api_requests r join messages m on m.id = r.message_id
       where r.is_fresh and r.created_at < ${now} - ${minutes} * interval '1 minute' and m.status <> 'running'
       order by r.created_at limit ${limit} for update of r skip locked),
    erased as (
      update messages m set response = '', kept = null, erased_at = ${now},
             output = case when m.output ? 'fault' then jsonb_build_object('fault', m.output -> 'fault') end
        from due where m.id = due.message_id and not due.kept),
    gone as (delete from files f using due where f.message_id = due.message_id and not due.kept returning f.user_id),
    locked as (select lock_file_usage(array(select user_id from gone)) as users)
    update api_requests r set is_fresh = false from due
     where r.message_id = due.message_id and (select users from locked) >= 0`;
  return result.count;
}

export interface UsageLine {
  day: string;
  model: string;
  keyId: string | null;
  keyName: string | null;
  requests: number;
  credits: number;
}

/** What the user's requests of the days `from` to `to` (UTC, both included) came to, by day, model and key. */
export async function selectUsage(
  sql: Executor,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<UsageLine[]> {
  return sql<UsageLine[]>`
    select to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, m.model, r.key_id as "keyId", k.name as "keyName",
           count(*)::int as requests, sum(m.credits_used)::int as credits
      from api_requests r join messages m on m.id = r.message_id left join api_keys k on k.id = r.key_id
     where r.user_id = ${userId} and r.created_at >= ${from}::date::timestamp at time zone 'UTC'
       and r.created_at < (${to}::date + 1)::timestamp at time zone 'UTC'
     group by 1, 2, 3, 4 order by 1, 2, 4, 3`;
}
