import { randomBytes, randomUUID } from 'node:crypto';
import type { JSONValue, Sql } from 'postgres';
import { newId } from '#server/platform/ids.ts';

/** Whom the rows are about: a user who bought a plan through Creem. */
export interface Filled {
  userId: string;
  orderId: string;
  /** The provider's id of the charge. */
  transactionId: string;
}

const MODEL = 'gemini-2.5-flash';
const LATER_MS = 1_000 * 86_400_000;

/** Puts what the console shows first onto its screens: charges that do not agree, a webhook that failed, failed answers, alerts. */
export async function insertConsoleRows(sql: Sql, filled: Filled): Promise<void> {
  const later = new Date(Date.now() + LATER_MS);
  await insertCharges(sql, filled, later);
  await sql`
    insert into billing.inbox (provider, dedupe_key, type, raw, headers, received_at, status, tries, next_try_at, error)
    values ('creem', ${randomUUID()}, 'subscription.paid', '{}', '{}', now(), 'failed', 36, ${later}, '503')`;
  for (const fault of ['auth', 'rate', 'truncated'])
    await sql`
      insert into messages (id, user_id, content, response, model, upstream_model, cost, owner, status, error_code, output,
                            created_at, ended_at, end_seq)
      values (${newId()}, ${filled.userId}, 'asked', '', ${MODEL}, ${MODEL}, 15, ${randomUUID()}, 'failed',
              'upstream_failed', ${JSON.stringify({ fault })}::text::jsonb, now(), now(), 1)`;
  await sql`
    insert into operator_alerts (kind, subject, details, raised_at, seen_at)
    values ('webhooks_given_up', 'Creem', '{"count": 1}', now(), now()),
           ('upstream_balance', ${MODEL}, '{}', now(), now())`;
}

/** A contradiction of a granted charge, a charge of another amount, and one of no known user. */
async function insertCharges(sql: Sql, { userId, orderId, transactionId }: Filled, later: Date) {
  const report = (owner: string | null, subject: string, change: JSONValue) => sql`
    insert into billing.facts (user_id, provider, kind, subject, source, observed_at, external_refs, fact, digest)
    select ${owner}::uuid, provider, kind, ${subject}, source, now(), case when ${owner === null} then '{}' else external_refs end,
           fact || ${JSON.stringify(change)}::text::jsonb, ${randomBytes(32)}
      from billing.facts where kind = 'payment' and subject = ${transactionId} limit 1`;
  const [strange, cheap] = [`tran_${randomUUID()}`, `tran_${randomUUID()}`];
  await report(userId, transactionId, { amountMinor: 1 });
  await report(userId, cheap, { transactionId: cheap, amountMinor: 100 });
  await report(null, strange, {
    transactionId: strange,
    orderId: null,
    customerEmail: 'someone@example.net',
  });
  await sql`
    insert into billing.uncredited (provider, transaction_id, user_id, order_id, reason, amount_minor, currency, found_at, alert_at)
    values ('creem', ${cheap}, ${userId}, ${orderId}, 'other_amount', 100, 'USD', now(), ${later})
    on conflict (provider, transaction_id) do nothing`;
}
