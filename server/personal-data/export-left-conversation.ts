import type { Language } from '#contract/choices.ts';
import { exportConversation } from '#server/chat/conversations/export-conversation.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';

/** A conversation as a file; one that was deleted since the list was read is empty. */
export async function* exportLeftConversation(
  deps: Pick<Deps, 'database' | 'clock'>,
  userId: string,
  id: string,
  query: { format: 'md' | 'json'; language: Language },
): AsyncGenerator<string> {
  try {
    yield* (await exportConversation(deps, userId, id, { ...query, branch: null })).pieces;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  }
}
