import type { Provider } from '#contract/choices.ts';
import type { Executor } from '#server/platform/database/database.ts';

/** How much of a provider's lists is read: rows that are new, charges of the last two weeks, all of them. */
export type ReviewScope = 'new' | 'recent' | 'all';

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
    on conflict (provider, scope) do update set due_at = excluded.due_at where r.due_at <= ${at}
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
