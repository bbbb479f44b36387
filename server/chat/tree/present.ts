import type { Conversation, Message } from '#contract/chat.ts';
import type { Language } from '#contract/choices.ts';
import { translate } from '#server/platform/translate.ts';
import type { ConversationRow } from './conversation-store.ts';
import type { MessageRow } from './store.ts';

/** A message as it leaves the server, its error in the reader's language. */
export function presentMessage(row: MessageRow, language: Language): Message {
  return {
    id: row.id,
    userId: row.userId,
    conversationId: row.conversationId,
    parentId: row.parentId,
    content: row.content,
    response: row.response,
    modelType: row.model,
    creditsUsed: row.creditsUsed,
    timestamp: row.createdAt.getTime(),
    status: row.status,
    error: row.errorCode && { code: row.errorCode, message: translate(language, `errors.${row.errorCode}`) },
    modelVersion: row.modelVersion,
    contextTrimmed: row.contextTrimmed,
    upstreamSwitched: row.upstreamSwitched,
    cost: row.cost,
    usage: row.usage,
    finishReason: row.finishReason,
    firstTextMs: row.firstTextMs,
    endedAt: row.endedAt?.getTime() ?? null,
  };
}

/** A conversation as it leaves the server. */
export function presentConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    title: row.title,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
    pinnedAt: row.pinnedAt?.getTime() ?? null,
    archivedAt: row.archivedAt?.getTime() ?? null,
    temporary: row.isTemporary,
  };
}
