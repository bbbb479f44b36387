import type { Conversation, Message } from '#contract/chat.ts';
import type { Language } from '#contract/choices.ts';
import { plainCharge, plainQuote } from '#server/catalogue/quote-rules.ts';
import { findModel } from '#server/catalogue/rules.ts';
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
    ...presentComputer(row),
    cost: row.cost,
    quote: row.input?.quote ?? plainQuote(row.cost),
    charged: row.status === 'running' ? null : (row.output?.charged ?? plainCharge(row.creditsUsed)),
    usage: row.usage,
    finishReason: row.finishReason,
    firstTextMs: row.firstTextMs,
    endedAt: row.endedAt?.getTime() ?? null,
  };
}

function presentComputer({ model, input }: MessageRow): Pick<Message, 'computer'> {
  if (!findModel(model)?.computerUse) return {};
  return { computer: input?.computer ? 'browser' : 'words' };
}

function presentParts({
  input,
  output,
  response,
}: MessageRow): Pick<Message, 'parts' | 'inputParts' | 'options' | 'followUps'> {
  const parts = readParts(output, response);
  return {
    ...(input?.parts ? { inputParts: input.parts } : {}),
    ...(input?.options ? { options: input.options } : {}),
    ...(parts ? { parts } : {}),
    ...(output?.followUps ? { followUps: output.followUps } : {}),
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
