import type { Conversation, Message } from '#contract/chat.ts';
import type { Language } from '#contract/choices.ts';
import { plainCharge, plainQuote } from '#server/catalogue/quote-rules.ts';
import { translate } from '#server/platform/translate.ts';
import type { ConversationRow } from './conversation-store.ts';
import { readParts } from './message-parts.ts';
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
    ...presentParts(row),
    modelType: row.model,
    creditsUsed: row.creditsUsed,
    timestamp: row.createdAt.getTime(),
    status: row.status,
    error: row.errorCode && { code: row.errorCode, message: translate(language, `errors.${row.errorCode}`) },
    modelVersion: row.modelVersion,
    contextTrimmed: row.contextTrimmed,
    upstreamSwitched: row.upstreamSwitched,
    cost: row.cost,
    quote: row.input?.quote ?? plainQuote(row.cost),
    charged: row.status === 'running' ? null : (row.output?.charged ?? plainCharge(row.creditsUsed)),
    usage: row.usage,
    finishReason: row.finishReason,
    firstTextMs: row.firstTextMs,
    endedAt: row.endedAt?.getTime() ?? null,
  };
}

function presentParts({ input, output, response }: MessageRow): Pick<Message, 'parts' | 'inputParts'> {
  const parts = readParts(output, response);
  return { ...(input?.parts ? { inputParts: input.parts } : {}), ...(parts ? { parts } : {}) };
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
