import type { Language } from '#contract/choices.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { findEmail } from './email-store.ts';

/** Where and in which language a user is written to; null when the account is gone. */
export async function readRecipient(
  sql: Executor,
  userId: string,
): Promise<{ email: string; language: Language } | null> {
  return findEmail(sql, userId);
}
