import type { ConfirmationPart, ConfirmationReason, ConfirmationState } from '#contract/message/parts.ts';
import type { MessageInput } from '#server/chat/message-store/message-parts.ts';
import { type Executor, momentOf } from '#server/platform/database/database.ts';

export interface ConfirmationRow {
  id: string;
  messageId: string;
  reason: ConfirmationReason;
  state: ConfirmationState;
  params: ConfirmationPart['params'];
  expiresAt: Date;
}

const columns = (sql: Executor) => sql`
  id, message_id as "messageId", reason, state, params, expires_at as "expiresAt"`;

/** Notes a question to the user of a message that runs; null where it does not run any more. */
export async function insertConfirmation(
  sql: Executor,
  asked: { id: string; messageId: string; reason: ConfirmationReason; params: ConfirmationPart['params'] },
  answerMs: number,
  at: Date | null,
): Promise<ConfirmationRow | null> {
  const [row] = await sql<ConfirmationRow[]>`
    insert into computer_confirmations (id, message_id, user_id, reason, params, asked_at, expires_at)
    select ${asked.id}, m.id, m.user_id, ${asked.reason}, ${JSON.stringify(asked.params)}::text::jsonb,
           ${momentOf(sql, at)}, ${momentOf(sql, at)} + ${answerMs} * interval '1 ms'
      from messages m where m.id = ${asked.messageId} and m.status = 'running'
    returning ${columns(sql)}`;
  return row ?? null;
}

export async function selectConfirmation(sql: Executor, id: string): Promise<ConfirmationRow | null> {
  const [row] = await sql<ConfirmationRow[]>`
    select ${columns(sql)} from computer_confirmations where id = ${id}`;
  return row ?? null;
}

/** One confirmation of a message of the user; null where there is none. */
export async function selectOwnConfirmation(
  sql: Executor,
  userId: string,
  messageId: string,
  id: string,
): Promise<ConfirmationRow | null> {
  const [row] = await sql<ConfirmationRow[]>`
    select ${columns(sql)} from computer_confirmations
     where id = ${id} and message_id = ${messageId} and user_id = ${userId}`;
  return row ?? null;
}

export interface Answered {
  result: 'answered' | 'not_found' | 'over' | 'insufficient' | 'frozen';
  needed: number | null;
  balance: number | null;
}

/** Calls `answer_confirmation`; `input` is what the message has afterwards, where more steps are paid for. */
export async function callAnswerConfirmation(
  sql: Executor,
  answer: {
    userId: string;
    messageId: string;
    id: string;
    state: 'allowed' | 'denied';
    input: MessageInput | null;
    at: Date | null;
  },
): Promise<Answered> {
  const { userId, messageId, id, state, input, at } = answer;
  const [row] = await sql<Answered[]>`
    select result, needed, balance
      from answer_confirmation(${userId}, ${messageId}, ${id}, ${state}, ${input && JSON.stringify(input)}::text::jsonb, ${at})`;
  if (!row) throw new Error('answer_confirmation returned nothing');
  return row;
}

/** Ends confirmations that were not answered in time. Returns the ids of their messages. */
export async function expireConfirmations(sql: Executor, at: Date | null): Promise<string[]> {
  const rows = await sql<{ messageId: string }[]>`
    update computer_confirmations set state = 'expired'
     where state = 'waiting' and expires_at <= ${momentOf(sql, at)} returning message_id as "messageId"`;
  return rows.map(({ messageId }) => messageId);
}
