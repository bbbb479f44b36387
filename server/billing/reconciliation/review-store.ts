import type { Provider } from '#contract/choices.ts';
import type { Executor, Fragment } from '#server/platform/database/database.ts';

/** How much of a provider's lists is read: rows that are new, charges of the last two weeks, all of them. */
export type ReviewScope = 'new' | 'recent' | 'all';

/** One row when the review is due: its time has come, or it never began. */
export function dueReview(sql: Executor, provider: Provider, scope: ReviewScope, at: Date): Fragment {
  return sql`
    from (values (${provider}, ${scope})) as wanted (provider, scope)
         left join billing.reviews r using (provider, scope) where coalesce(${isDue(sql, at)}, true)`;
}

const isDue = (sql: Executor, at: Date) => sql`r.due_at <= ${at}`;

/**
 * Takes a review that is due, for `leaseMs`. `readTo`: when the last one began that came to its end, null without one. Null: it is
 * not due, or another process is at it.
 */
export async function leaseReview(
  sql: Executor,
  provider: Provider,
  scope: ReviewScope,
  at: Date,
  leaseMs: number,
): Promise<{ readTo: Date | null } | null> {
  const until = new Date(at.getTime() + leaseMs);
  const [row] = await sql<{ readTo: Date | null }[]>`
    insert into billing.reviews as r (provider, scope, due_at) values (${provider}, ${scope}, ${until})
    on conflict (provider, scope) do update set due_at = excluded.due_at where ${isDue(sql, at)}
    returning read_to as "readTo"`;
  return row ?? null;
}

/** Says when a review comes next, or until when it is still under way; with `readTo`, that it came to its end. */
export async function setReviewDue(
  sql: Executor,
  provider: Provider,
  scope: ReviewScope,
  dueAt: Date,
  readTo: Date | null = null,
): Promise<void> {
  await sql`
    update billing.reviews set due_at = ${dueAt}, read_to = coalesce(${readTo}::timestamptz, read_to)
     where provider = ${provider} and scope = ${scope}`;
}

/** How many reviews are due for more than their lease, because they fail or take too long. */
export async function countLateReviews(sql: Executor, at: Date, leaseMs: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from billing.reviews where due_at < ${new Date(at.getTime() - leaseMs)}`;
  return row?.count ?? 0;
}
