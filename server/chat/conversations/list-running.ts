import type { RunningAnswers } from '#contract/chat.ts';
import type { Deps } from '#server/deps.ts';
import { selectRunning } from '../tree/store.ts';

/** The answers being written for a user, with the conversations they are in; those of API keys are in none. */
export async function listRunning(
  { database: { sql } }: Pick<Deps, 'database'>,
  userId: string,
): Promise<RunningAnswers> {
  return { running: await selectRunning(sql, userId) };
}
