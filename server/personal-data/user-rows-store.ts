import { type Executor, momentOf } from '#server/platform/database/database.ts';
import { storedKey } from '#server/platform/database/rate-limit.ts';
import { DOWNLOADED_HOURS } from './export-store.ts';

/** Deletes the first `limit` conversations of a user, whose messages are deleted. Returns how many there were. */
export async function deleteConversations(sql: Executor, userId: string, limit: number): Promise<number> {
  const rows = await sql`
    delete from conversations where user_id = ${userId} and id = any (array(
      select id from conversations where user_id = ${userId} order by id limit ${limit})) returning id`;
  return rows.length;
}

/** Deletes some exchanges of the API. Returns how many there were. */
export async function deleteApiMessages(sql: Executor, userId: string, limit: number): Promise<number> {
  const rows = await sql`
    with doomed as (select id from messages where user_id = ${userId} and conversation_id is null limit ${limit}),
         events as (delete from message_events where message_id in (select id from doomed))
    delete from messages where id in (select id from doomed) and user_id = ${userId} returning id`;
  return rows.length;
}

/** Deletes what else is only the user's: ways to sign in, keys, picture, exports; and the names that keys had in the ledger. */
export async function deleteBelongings(tx: Executor, userId: string): Promise<void> {
  await tx`delete from sessions where user_id = ${userId}`;
  await tx`delete from sign_in_steps where user_id = ${userId}`;
  await tx`delete from identities where user_id = ${userId}`;
  await tx`delete from second_factors where user_id = ${userId}`;
  await tx`delete from enrolments where user_id = ${userId}`;
  await tx`delete from passkeys where user_id = ${userId}`;
  await tx`delete from known_devices where user_id = ${userId}`;
  await tx`delete from trusted_browsers where user_id = ${userId}`;
  await tx`
    with changes as (delete from email_changes where user_id = ${userId} returning id::text),
         sent as (delete from mails where key in (select 'email_change_new:' || id from changes))
    delete from verifications
     where strpos(value, ${userId}::text) > 0 or value in (select id from changes)`;
  await tx`delete from mails where user_id = ${userId}`;
  await tx`delete from operators where user_id = ${userId}`;
  await tx`update billing.audit set subject = null where user_id = ${userId} and subject like '%@%'`;
  await tx`update billing.audit set actor = operator_id::text where operator_id = ${userId}`;
  await tx`delete from api_keys where user_id = ${userId}`;
  await tx`delete from pictures where user_id = ${userId}`;
  await tx`delete from exports where user_id = ${userId}`;
  await tx`delete from search_users where user_id = ${userId}`;
  await tx`delete from file_usage where user_id = ${userId}`;
  await tx`delete from free_messages where user_id = ${userId}`;
  await tx`update credit.hold set note = null where user_id = ${userId} and note is not null`;
}

/**
 * Deletes what was to be or was written to an address, and counts and notes that name it. The whole address: it may be the end of
 * another one, and an account is opened and deleted with an address that was not proved. For the same reason the links of
 * another user's change to it stay.
 */
export async function deleteCorrespondence(tx: Executor, email: string): Promise<void> {
  await tx`delete from mails where to_address = ${email}`;
  await tx`
    delete from verifications
     where sent_to = ${email} or (split_part(value, ' ', 2) = ${email}
           and split_part(value, ' ', 1) not in (select id::text from email_changes where new_email = ${email}))`;
  await tx`delete from rate_limits where ${storedKey(email)} = any (string_to_array(key, ':'))`;
}

/**
 * Takes everything out of a user's record that says who it was. With the hash of the address, what it was given as a free month
 * is remembered until that month is over (the trigger `users_carry_address` in `credits.sql`).
 */
export async function stripUser(tx: Executor, userId: string, emailHash: Buffer, at: Date): Promise<void> {
  await tx`update users set address_hash = ${emailHash} where id = ${userId}`;
  await tx`
    update users set email = null, email_verified = false, display_name = '', photo_url = null, address_hash = null, domain_hash = null, domain_per_day = null,
                     network_hash = null, network_per_day = null,
                     language = 'zh', last_login_at = created_at, updated_at = ${at}, deleted_at = ${at}
     where id = ${userId}`;
  await tx`update deletions set done_at = ${at}, error = null where user_id = ${userId}`;
}

/**
 * Erases the buyer in facts, orders and webhooks of deleted accounts; the payments stay. Each account is looked for among what has a
 * buyer, by an index: all that is kept of others is not read.
 */
export async function eraseBuyers(sql: Executor): Promise<void> {
  const isDeleted = sql`user_id = any (array(select id from users where deleted_at is not null))`;
  await sql`
    update billing.facts set fact = jsonb_set(fact, '{customerEmail}', 'null')
     where ${isDeleted} and fact ->> 'customerEmail' is not null`;
  await sql`update billing.orders set buyer_email = null where ${isDeleted} and buyer_email is not null`;
  await sql`
    update billing.inbox set raw = '', headers = '{}' where ${isDeleted} and status = 'done' and raw <> ''`;
}

/** Longest time for which tax and accounting laws want payments kept; the privacy page says so. */
const KEPT_YEARS = 10;

/**
 * Deletes what was kept for a while only: of accounts deleted long ago the ledger and payments; what addresses, mail domains,
 * networks and users had of what is limited; exports; the last mail to deleted accounts. `limitsAt`: the time of what is limited, which is
 * counted by the database's clock; null: that clock.
 */
export async function deleteExpired(sql: Executor, at: Date, limitsAt: Date | null): Promise<void> {
  const today = sql`(${momentOf(sql, limitsAt)} at time zone 'UTC')::date`;
  await sql`delete from users where deleted_at <= ${at}::timestamptz - ${KEPT_YEARS} * interval '1 year'`;
  await sql`delete from address_grants where free_until <= ${momentOf(sql, limitsAt)}`;
  await sql`delete from domain_grants where day < ${today}`;
  await sql`delete from network_grants where day < ${today}`;
  await sql`delete from free_messages where day < ${today}`;
  await sql`delete from exports where expires_at <= ${at}::timestamptz - ${DOWNLOADED_HOURS} * interval '1 hour'`;
  await sql`delete from exports where state = 'failed' and ended_at <= ${at}::timestamptz - interval '7 days'`;
  await sql`
    delete from mails where template = 'account_deleted' and ended_at <= ${at}::timestamptz - interval '1 day'`;
}
