import { type Executor, momentOf } from '#server/platform/database/database.ts';
import type { MessageRow } from '../message-store/store.ts';
import type { ComposedCost } from './cost-rules.ts';

/** What a model writes beside a message. */
export type BackgroundKind = 'title' | 'follow_ups';

/** Calls `record_provider_cost` for what was written beside a message. */
export async function insertBackgroundCost(
  sql: Executor,
  { userId, id, model }: Pick<MessageRow, 'userId' | 'id' | 'model'>,
  { kind, cost, at }: { kind: BackgroundKind; cost: ComposedCost; at: Date | null },
): Promise<void> {
  await sql`
    select record_provider_cost(${userId}, ${id}, ${kind}, ${model}, 0, ${JSON.stringify(cost)}::text::jsonb,
      ${momentOf(sql, at)})`;
}

export interface LoggedMessage {
  id: string;
  userId: string;
  conversationId: string;
  parentId: string | null;
  model: string;
  content: string;
  input: MessageRow['input'];
  /** Our estimate of an API request; null of other messages. */
  promptTokens: number | null;
  /** What the log has of the answer, thinking included. */
  written: string;
  pictures: number;
  steps: number;
  hasCode: boolean;
}

/** Running messages with what the log has of their answers. */
export async function selectLogged(sql: Executor, ids: readonly string[]): Promise<LoggedMessage[]> {
  return sql<LoggedMessage[]>`
    select m.id, m.user_id as "userId", coalesce(m.conversation_id, m.id) as "conversationId", m.parent_id as "parentId",
           m.model, m.content, m.input, r.prompt_tokens as "promptTokens", log.*
      from messages m left join api_requests r on r.message_id = m.id
           cross join lateral (
             select coalesce(string_agg(event -> 1 ->> 'text', ''), '') as written,
                    count(*) filter (where event -> 1 -> 'part' ->> 'kind' = 'image')::int as pictures,
                    count(*) filter (where event -> 1 -> 'part' ->> 'kind' = 'step')::int as steps,
                    coalesce(bool_or(event -> 1 -> 'part' ->> 'kind' = 'code'), false) as "hasCode"
               from message_events e cross join jsonb_array_elements(e.events) event
              where e.message_id = m.id) log
     where m.id = any(${[...ids]}::uuid[]) and m.status = 'running'`;
}
