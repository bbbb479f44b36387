import type { Provider } from '#contract/choices.ts';
import type { Executor, Fragment } from '#server/platform/database/database.ts';

/** Has a provider asked about the user at `at`, unless it is to be asked sooner; a new series of questions begins. */
export async function askSoon(tx: Executor, userId: string, provider: Provider, at: Date): Promise<void> {
  await tx`
    insert into billing.polls as a (provider, user_id, ask_at) values (${provider}, ${userId}, ${at})
    on conflict (provider, user_id) do update set ask_at = least(a.ask_at, excluded.ask_at), asked_times = 0`;
}

/** Has these providers asked at `at`. It brings the first question of a series forward, but none that was asked already. */
export async function askAbout(
  tx: Executor,
  userId: string,
  providers: readonly Provider[],
  at: Date,
): Promise<void> {
  if (providers.length === 0) return;
  await tx`
    insert into billing.polls as a (provider, user_id, ask_at)
    select distinct provider, ${userId}::uuid, ${at}::timestamptz from unnest(${[...providers]}::text[]) provider
    on conflict (provider, user_id) do update set ask_at = excluded.ask_at
      where a.asked_times = 0 and a.ask_at > excluded.ask_at`;
}

export interface Poll {
  userId: string;
  /** How many answers in a row brought nothing new. */
  askedTimes: number;
  /** Until when no other process asks. */
  lease: Date;
}

/** Users about whom the provider is to be asked now. */
export function duePolls(sql: Executor, provider: Provider, at: Date): Fragment {
  return sql`from billing.polls where provider = ${provider} and ask_at <= ${at} order by ask_at`;
}

/** Takes at most `limit` users about whom the provider is to be asked; they come again when the lease is over. */
export async function leasePolls(
  sql: Executor,
  provider: Provider,
  at: Date,
  leaseMs: number,
  limit: number,
): Promise<Poll[]> {
  const lease = new Date(at.getTime() + leaseMs);
  const rows = await sql<Omit<Poll, 'lease'>[]>`
    update billing.polls a set ask_at = ${lease}, asked_times = a.asked_times + 1
      from (select user_id, asked_times ${duePolls(sql, provider, at)}
             limit ${limit} for no key update skip locked) due
     where a.provider = ${provider} and a.user_id = due.user_id
    returning a.user_id as "userId", due.asked_times as "askedTimes"`;
  return rows.map((row) => ({ ...row, lease }));
}

/**
 * Sets when the provider is asked about the user next; null where nothing is open. Does nothing where another caller requested a question
 * since the lease began. Without a question that waits, the series ends.
 */
export async function finishPoll(
  sql: Executor,
  provider: Provider,
  { userId, lease }: Pick<Poll, 'userId' | 'lease'>,
  askAt: Date | null,
  hasQuestions: boolean,
): Promise<void> {
  const isOurs = sql`provider = ${provider} and user_id = ${userId} and ask_at = ${lease}`;
  if (askAt === null) await sql`delete from billing.polls where ${isOurs}`;
  else
    await sql`
      update billing.polls set ask_at = ${askAt}, asked_times = case when ${hasQuestions} then asked_times else 0 end
       where ${isOurs}`;
}

/** How many questions are due for more than a minute, at any provider. */
export async function countLatePolls(sql: Executor, at: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from billing.polls where ask_at < ${at}::timestamptz - interval '1 minute'`;
  return row?.count ?? 0;
}
