import type { Provider } from '#contract/choices.ts';
import type { Executor, Fragment } from '#server/platform/database/database.ts';

export interface NewWebhook {
  provider: Provider;
  dedupeKey: string;
  type: string;
  raw: Buffer;
  headers: Record<string, string>;
  receivedAt: Date;
}

/** A webhook that waits for being read. */
export interface InboxRow {
  id: string;
  provider: Provider;
  type: string;
  raw: Buffer;
  tries: number;
  receivedAt: Date;
}

/** Stores a webhook, due at once. False: one with its key is here already. */
export async function insertWebhook(sql: Executor, webhook: NewWebhook): Promise<boolean> {
  const { provider, dedupeKey, type, raw, headers, receivedAt } = webhook;
  const rows = await sql`
    insert into billing.inbox (provider, dedupe_key, type, raw, headers, received_at, next_try_at)
    values (${provider}, ${dedupeKey}, ${type}, ${raw}, ${JSON.stringify(headers)}::text::jsonb, ${receivedAt}, ${receivedAt})
    on conflict (provider, dedupe_key) do nothing returning id`;
  return rows.length > 0;
}

/** The webhooks of a provider that are due. */
export function dueWebhooks(sql: Executor, provider: Provider, at: Date): Fragment {
  return sql`
    from billing.inbox where status = 'new' and provider = ${provider} and next_try_at <= ${at} order by next_try_at, id`;
}

/**
 * Takes at most `limit` webhooks of a provider that are due; they are due again after `leaseMs` unless the caller finishes or postpones
 * them.
 */
export function leaseWebhooks(
  sql: Executor,
  provider: Provider,
  at: Date,
  leaseMs: number,
  limit: number,
): Promise<InboxRow[]> {
  return sql<InboxRow[]>`
    update billing.inbox i set next_try_at = ${new Date(at.getTime() + leaseMs)}, tries = i.tries + 1
      from (select id ${dueWebhooks(sql, provider, at)} limit ${limit} for update skip locked) due
     where i.id = due.id
    returning i.id, i.provider, i.type, i.raw, i.tries, i.received_at as "receivedAt"`;
}

/** Takes one webhook, whatever its state, for `until`; null: there is none. */
export async function leaseWebhook(sql: Executor, id: string, until: Date): Promise<InboxRow | null> {
  const [row] = await sql<InboxRow[]>`
    update billing.inbox set status = 'new', next_try_at = ${until}, tries = 1, done_at = null, content_digest = null, error = null
     where id = ${id}
    returning id, provider, type, raw, tries, received_at as "receivedAt"`;
  return row ?? null;
}

/** The user of a processed webhook with the same content and another id; null where there is none. */
export async function findSameWebhook(
  sql: Executor,
  provider: Provider,
  digest: Buffer,
): Promise<{ userId: string | null } | null> {
  const [row] = await sql<{ userId: string | null }[]>`
    select user_id as "userId" from billing.inbox
     where provider = ${provider} and content_digest = ${digest} and status = 'done' limit 1`;
  return row ?? null;
}

/** `note`: what was in it that we did not understand. */
export async function finishWebhook(
  sql: Executor,
  id: string,
  { at, digest, userId, note }: { at: Date; digest: Buffer; userId: string | null; note: string | null },
): Promise<void> {
  await sql`
    update billing.inbox set status = 'done', done_at = ${at}, content_digest = ${digest}, error = ${note},
                             user_id = (select id from users where id = ${userId})
     where id = ${id}`;
}

/** Records that it failed and is tried again at `until`; where that is null, never. */
export async function postponeWebhook(
  sql: Executor,
  id: string,
  until: Date | null,
  error: string,
): Promise<void> {
  await sql`
    update billing.inbox set status = case when ${until}::timestamptz is null then 'failed' else 'new' end,
                             next_try_at = coalesce(${until}, next_try_at), error = ${error}
     where id = ${id}`;
}

/** How many webhooks wait, how many seconds the oldest of them has, and how many were given up. */
export async function countWebhooks(
  sql: Executor,
  at: Date,
): Promise<{ waiting: number; oldest: number; failed: number }> {
  const [row] = await sql<{ waiting: number; oldest: number; failed: number }[]>`
    select count(*)::int as waiting,
           greatest(0, coalesce(extract(epoch from ${at}::timestamptz - min(received_at)), 0))::float as oldest,
           (select count(*)::int from billing.inbox where status = 'failed') as failed
      from billing.inbox where status = 'new'`;
  return row ?? { waiting: 0, oldest: 0, failed: 0 };
}
