import type { Executor } from '#server/platform/database/database.ts';

/** Whose browser is asked about. */
export type BrowserOwner = { email: string } | { userId: string };

/** Browsers that are trusted for one user; the one not used for longest is forgotten. */
const MAX_KEPT = 20;

/** How a browser is trusted for a user: did it sign in, or only open a link of a mail; null: it is not. */
export async function findTrustedBrowser(
  sql: Executor,
  owner: BrowserOwner,
  hash: string,
): Promise<{ signedIn: boolean } | null> {
  const isOwner = 'email' in owner ? sql`u.email = ${owner.email}` : sql`u.id = ${owner.userId}`;
  const [row] = await sql<{ signedIn: boolean }[]>`
    select b.signed_in as "signedIn" from trusted_browsers b join users u on u.id = b.user_id
     where b.hash = ${hash} and ${isOwner}`;
  return row ?? null;
}

/** Trusts a browser for a user; one that has signed in stays so. */
export async function saveTrustedBrowser(
  sql: Executor,
  { userId, hash, signedIn, at }: { userId: string; hash: string; signedIn: boolean; at: Date },
): Promise<void> {
  await sql`
    insert into trusted_browsers as b (user_id, hash, signed_in, used_at) values (${userId}, ${hash}, ${signedIn}, ${at})
    on conflict (user_id, hash) do update set
      signed_in = b.signed_in or excluded.signed_in, used_at = greatest(b.used_at, excluded.used_at)`;
  await sql`
    delete from trusted_browsers where user_id = ${userId} and hash in (
      select hash from trusted_browsers where user_id = ${userId} order by used_at desc, hash offset ${MAX_KEPT}
         for update skip locked)`;
}

/** Trusts no browser for a user any more. */
export async function deleteTrustedBrowsers(sql: Executor, userId: string): Promise<void> {
  await sql`delete from trusted_browsers where user_id = ${userId}`;
}

/** Deletes browsers without a sign-in since `before`. */
export async function deleteOldTrustedBrowsers(sql: Executor, before: Date): Promise<void> {
  await sql`delete from trusted_browsers where used_at < ${before}`;
}
