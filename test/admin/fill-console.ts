import { randomBytes, randomUUID } from 'node:crypto';
import type { JSONValue, Sql } from 'postgres';
import { DAY_MS } from '#contract/time.ts';
import { newId } from '#server/platform/ids.ts';

/** Whom the rows are about: somebody who bought a plan through Creem. */
export interface Filled {
  userId: string;
  orderId: string;
  /** The provider's id of the charge. */
  transactionId: string;
}

const MODEL = 'gemini-2.5-flash';
/** What a provider's failures were, with what the user was told. */
const FAULTS = [
  ['upstream_failed', 'auth'],
  ['upstream_failed', 'rate'],
  ['upstream_failed', 'truncated'],
  ['upstream_blocked', null],
] as const;

/**
 * Puts rows onto the screens of the console that a good day leaves empty: alerts, drift, differences, webhooks that failed, a dispute,
 * failed answers, exports and deletions, signs of abuse. Nothing acts on them.
 */
export async function fillConsole(sql: Sql, filled: Filled): Promise<void> {
  await fillPayments(sql, filled);
  await fillFailures(sql, filled);
  await fillDue(sql, filled);
  await fillAbuse(sql, filled);
  await insertAlert(sql, 'webhooks_given_up', 'Creem', { count: 1 });
  await insertAlert(sql, 'upstream_balance', MODEL, {});
}

/** Makes a number in the ledger of a user wrong, past the triggers that forbid it, and raises its alert. */
export async function damageLedger(sql: Sql, { userId }: Filled): Promise<void> {
  await changeHolds(sql, userId, 1);
  await insertAlert(sql, 'ledger_drift', '', { faults: 1, users: 1, userIds: userId });
}

export async function mendLedger(sql: Sql, { userId }: Filled): Promise<void> {
  await changeHolds(sql, userId, -1);
  await sql`delete from operator_alerts where kind = 'ledger_drift'`;
}

async function changeHolds(sql: Sql, userId: string, by: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update credit.hold set cost = cost + ${by} where user_id = ${userId}`;
  });
}

async function fillPayments(sql: Sql, { userId, orderId, transactionId }: Filled): Promise<void> {
  const later = new Date(Date.now() + 1_000 * DAY_MS);
  const report = (owner: string | null, kind: string, subject: string, change: JSONValue) => sql`
    insert into billing.facts (user_id, provider, kind, subject, source, observed_at, external_refs, fact, digest)
    select ${owner}::uuid, provider, ${kind}, ${subject}, source, now(), case when ${owner === null} then '{}' else external_refs end,
           fact || ${JSON.stringify(change)}::text::jsonb, ${randomBytes(32)}
      from billing.facts where kind = 'payment' and subject = ${transactionId} limit 1`;
  const [strange, cheap] = [`tran_${randomUUID()}`, `tran_${randomUUID()}`];
  await report(userId, 'payment', transactionId, { amountMinor: 1 });
  await report(userId, 'payment', cheap, { transactionId: cheap, amountMinor: 100 });
  await report(userId, 'unknown', 'refund.paused', {
    ...{ kind: 'unknown', type: 'refund.paused', reason: 'an event of an unknown type' },
  });
  const stranger = { orderId: null, customerEmail: 'someone@example.net', subscriptionId: null };
  await report(null, 'payment', strange, { transactionId: strange, ...stranger });
  await sql`
    insert into billing.uncredited (provider, transaction_id, user_id, order_id, reason, amount_minor, currency, found_at, alert_at)
    values ('creem', ${cheap}, ${userId}, ${orderId}, 'other_amount', 100, 'USD', now(), ${later}),
           ('bagelpay', ${strange}, null, null, 'order_unknown', 690, 'USD', now(), ${later})
    on conflict (provider, transaction_id) do update set resolved_at = null`;
  const webhook = (type: string, status: string, tries: number, error: string | null) => sql`
    insert into billing.inbox (provider, dedupe_key, type, raw, headers, received_at, status, tries, next_try_at, error)
    values ('creem', ${randomUUID()}, ${type}, '{}', '{}', now(), ${status}, ${tries}, ${later}, ${error})`;
  await webhook('subscription.paid', 'failed', 36, 'creem: 503 Service Unavailable');
  await webhook('dispute.created', 'new', 3, 'creem: no answer within 10 seconds');
}

async function fillFailures(sql: Sql, { userId }: Filled): Promise<void> {
  for (const [code, fault] of FAULTS)
    await sql`
      insert into messages (id, user_id, content, response, model, upstream_model, cost, owner, status, error_code, output,
                            created_at, ended_at, end_seq)
      values (${newId()}, ${userId}, 'asked', '', ${MODEL}, ${MODEL}, 15, ${randomUUID()}, 'failed', ${code},
              ${fault === null ? null : JSON.stringify({ fault })}::text::jsonb, now(), now(), 1)`;
}

async function fillDue(sql: Sql, { userId }: Filled): Promise<void> {
  const [asked, next] = [new Date(Date.now() - DAY_MS), new Date(Date.now() + DAY_MS)];
  await sql`
    insert into deletions (user_id, asked_at, tries, next_try_at, error)
    values (${userId}, ${asked}, 3, ${next}, 'creem: the subscription cannot be cancelled')`;
  await sql`
    insert into exports (id, user_id, state, requested_at, tries, error, next_try_at, ended_at, language)
    values (${randomUUID()}, ${userId}, 'failed', ${asked}, 5, 'no room on the disk', ${asked}, ${asked}, 'zh')`;
}

async function fillAbuse(sql: Sql, { userId, orderId }: Filled): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  await sql`
    insert into free_messages (user_id, day, ended_by_user, uncharged) values (${userId}, ${today}, 12, 30)
    on conflict (user_id, day, key_id) do update set ended_by_user = 12, uncharged = 30`;
  await sql`
    insert into rate_limits (key, count, started_at) values (${`sign-in:${userId.slice(-12)}@example.com`}, 40, now())`;
  for (let n = 0; n < 4; n += 1)
    await sql`
      insert into billing.orders
      select (jsonb_populate_record(o, ${JSON.stringify({
        ...{ id: newId(), status: 'failed', paid_at: null, checkout_id: `ch_${randomUUID()}` },
        subscription_id: null,
      })}::text::jsonb)).* from billing.orders o where id = ${orderId}`;
}

function insertAlert(sql: Sql, kind: string, subject: string, details: JSONValue) {
  return sql`
    insert into operator_alerts (kind, subject, details, raised_at, seen_at)
    values (${kind}, ${subject}, ${JSON.stringify(details)}::text::jsonb, now(), now())
    on conflict (kind, subject) do update set details = excluded.details, seen_at = now(), ended_at = null`;
}
