import type { Language } from '#contract/choices.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';

/** A bound on free months: whose, and how many a day. */
export interface DailyShare {
  hash: Buffer;
  perDay: number;
}

export interface NewUser {
  /** The email in lower case. */
  email: string;
  displayName: string;
  language: Language;
  emailVerified: boolean;
  /** As `hashEmail` makes it: what was given to the address before counts for this user too. */
  emailHash: Buffer;
  /** Why no free month is given; null where it is. */
  freeWithheld: FreeRefusal | null;
  /** How many free months all addresses of its domain are given in a day; null: as many as they are. */
  domainShare: DailyShare | null;
  /** The same of the network of a sign-up, for addresses that are not proved; null: as many as they are. */
  networkShare: DailyShare | null;
}

/** As `users.free_withheld` knows them. */
export type FreeRefusal = 'disposable' | 'unverified';

/**
 * Keeps a new user, whose account of credits appears with them; `at` as everywhere in SQL. Null: a user has the address; who
 * asks while another transaction takes it waits for how that ends.
 */
export async function insertUser(sql: Executor, user: NewUser, at: Date | null): Promise<string | null> {
  const { email, displayName, language, emailVerified, emailHash, freeWithheld } = user;
  const { domainShare, networkShare } = user;
  const [row] = await sql<{ id: string }[]>`
    insert into users (id, email, display_name, language, email_verified, address_hash, free_withheld, domain_hash,
      domain_per_day, network_hash, network_per_day, created_at, updated_at, last_login_at)
    select ${newId()}, ${email}, ${displayName}, ${language}, ${emailVerified}, ${emailHash}, ${freeWithheld}::text,
           ${domainShare?.hash ?? null}::bytea, ${domainShare?.perDay ?? null}::int,
           ${networkShare?.hash ?? null}::bytea, ${networkShare?.perDay ?? null}::int, now, now, now
      from coalesce(${at}::timestamptz, clock_timestamp()) as now
    on conflict (email) do nothing returning id`;
  return row?.id ?? null;
}

/** Who has an address, in lower case, and the hash of their password; null in it for a user without one. */
export async function findCredentials(
  sql: Executor,
  email: string,
): Promise<{ userId: string; hash: string | null } | null> {
  const [row] = await sql<{ userId: string; hash: string | null }[]>`
    select u.id as "userId", i.password as hash
      from users u left join identities i on i.user_id = u.id and i.provider_id = 'credential' where u.email = ${email}`;
  return row ?? null;
}

/** True when that is still the hash of a user's password; it stays so until the transaction ends. */
export async function lockCredentials(sql: Executor, userId: string, hash: string): Promise<boolean> {
  const rows = await sql`
    select from identities where user_id = ${userId} and provider_id = 'credential' and password = ${hash} for share`;
  return rows.count > 0;
}
