import type { Deps } from '#server/deps.ts';
import { claimFiles } from '#server/files/message-files/claim-files.ts';
import { Uncommitted } from '#server/platform/database/database.ts';
import { isConflict, isConnectionLost } from '#server/platform/database/database-errors.ts';
import { retryStatement } from '#server/platform/database/retry-statement.ts';
import { callSendMessage, insertMessage, type NewMessage, type SendOutcome } from '../message-store/store.ts';

type RecordDeps = Pick<Deps, 'config' | 'database' | 'log'>;

/**
 * A connection that broke may have broken after the commit, so the same ids are sent again: the answer is then `duplicate`.
 * Two users who pick one id at the same moment meet at a constraint; the second look finds whose it is.
 */
export async function recordMessage(
  deps: RecordDeps,
  draft: NewMessage,
): Promise<{ stored: Uncommitted<SendOutcome>; isRepeated: boolean }> {
  let isRepeated = false;
  const stored = await retryStatement(
    () => insert(deps, draft),
    (error, attempt) => {
      const isLost = isConnectionLost(error);
      isRepeated ||= isLost;
      if (!isLost && !isConflict(error)) return false;
      deps.log.warn({ err: error, messageId: draft.id, attempt }, 'a message could not be stored');
      return true;
    },
  );
  return { stored, isRepeated };
}

/** Text alone is one statement; files that the message names become its conversation's in the same transaction, or nothing is done. */
async function insert(
  { database, config }: RecordDeps,
  draft: NewMessage,
): Promise<Uncommitted<SendOutcome>> {
  const named = draft.input?.parts?.flatMap((part) => (part.kind === 'text' ? [] : [part.fileId])) ?? [];
  if (named.length === 0) return database.pinned((sql) => insertMessage(sql, draft));
  const { userId, conversationId } = draft;
  const outcome = await database.sql.begin(async (tx) => {
    const sent = await callSendMessage(tx, draft);
    if (sent.result === 'sent' && sent.sentAt) {
      const terms = { perMessage: config.files.perMessage, at: sent.sentAt };
      await claimFiles(tx, userId, conversationId, named, terms);
    }
    return sent;
  });
  return new Uncommitted(outcome);
}
