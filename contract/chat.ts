import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { type AnswerPart, answerPartSchema, inputPartSchema } from './message/parts.ts';
import { chargeSchema, quoteSchema, sendOptionsSchema } from './message/quotes.ts';

export const messageStatusSchema = z.enum(['running', 'completed', 'stopped', 'failed', 'interrupted']);
export type MessageStatus = z.infer<typeof messageStatusSchema>;

/** Tokens of one answer as the provider counted them; `outputTokens` includes `reasoningTokens`. */
export const tokenUsageSchema = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  reasoningTokens: z.int(),
  cachedInputTokens: z.int(),
});
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

/** Why the model stopped writing: it was done, the answer reached its limit of tokens, or the provider's filter cut it off. */
export const finishReasonSchema = z.enum(['stop', 'length', 'content_filter']);
export type FinishReason = z.infer<typeof finishReasonSchema>;

/** One exchange: a prompt (`content`) and its answer (`response`). `creditsUsed` is what was finally charged. */
export const messageSchema = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  conversationId: z.uuid(),
  parentId: z.uuid().nullable(),
  content: z.string(),
  response: z.string(),
  modelType: z.string(),
  creditsUsed: z.int(),
  timestamp: z.int(),
  status: messageStatusSchema,
  error: z.object({ code: z.custom<ErrorCode>(), message: z.string() }).nullable(),
  /** The upstream's own name of the model that answered. */
  modelVersion: z.string().nullable(),
  /** True when older turns were left out of what the model saw. */
  contextTrimmed: z.boolean(),
  /** True when another route of the chain answered than the first. */
  upstreamSwitched: z.boolean(),
  /** The prompt in its parts; absent where it is text alone, which `content` is. */
  inputParts: z.array(inputPartSchema).optional(),
  /** What it was sent with, where that is more than an answer alone: what the next message of the conversation begins with. */
  options: sendOptionsSchema.optional(),
  /** The answer in its parts; absent where it is text alone, which `response` is: the text of all its text parts. */
  parts: z.array(answerPartSchema).optional(),
  /** Of a model for Computer Use: whether it drives a browser, or answers in words because none is to be had. */
  computer: z.enum(['browser', 'words']).optional(),
  /** Questions that may come next, at most three; they come some time after the answer, if at all, as a change of the message. */
  followUps: z.array(z.string()).optional(),
  /** Credits that the send set aside: the most that it was quoted to cost. */
  cost: z.int(),
  /** What those are made of. */
  quote: quoteSchema,
  /** What was charged in the end, `total` being `creditsUsed`; null while it runs. */
  charged: chargeSchema.nullable(),
  /** Null while it runs, or when the provider did not say. */
  usage: tokenUsageSchema.nullable(),
  /** Null while it runs, when it was stopped, or when the provider did not say. */
  finishReason: finishReasonSchema.nullable(),
  /** Milliseconds from the send to the first text; null while there is none. */
  firstTextMs: z.int().nullable(),
  endedAt: z.int().nullable(),
});
export type Message = z.infer<typeof messageSchema>;

export const sendMessageSchema = z.strictObject({
  /** Made by the client; the same id is the same message and one charge, for good. */
  id: z.uuid(),
  /** Made by the client; the first message of an unknown id starts the conversation. */
  conversationId: z.uuid(),
  parentId: z.uuid().nullable(),
  model: z.string().min(1).max(100),
  content: z.string(),
  /** For the message that starts a conversation: it is kept out of list and search and removed by itself. */
  temporary: z.boolean().optional(),
  options: sendOptionsSchema.optional(),
  /** Ids of files that the message gives the model to read, in their order; each ready, and of this conversation or of none yet. */
  files: z.array(z.uuid()).max(100).optional(),
  /** The most that the sender was shown that it costs. Where it would be more now, nothing is sent: `quote_changed`. */
  maxCredits: z.int().min(0).max(1_000_000).optional(),
});
export type SendMessage = z.infer<typeof sendMessageSchema>;

export const conversationSchema = z.object({
  id: z.uuid(),
  title: z.string(),
  createdAt: z.int(),
  /** When its newest message was sent. */
  updatedAt: z.int(),
  /** Null unless pinned. What is archived is not pinned. */
  pinnedAt: z.int().nullable(),
  archivedAt: z.int().nullable(),
  /** In no list and no search; removed a day after its newest message, or when it is deleted. */
  temporary: z.boolean(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** `GET /api/conversations/running`: the answers being written for the user, by conversation. */
export const runningAnswersSchema = z.object({
  running: z.array(z.object({ id: z.uuid(), conversationId: z.uuid() })),
});
export type RunningAnswers = z.infer<typeof runningAnswersSchema>;

/**
 * `PATCH /api/conversations/{id}` answers the conversation. Pinning takes it out of the archive, archiving unpins it, sending
 * into it takes it out of the archive too. `temporary: false` keeps a temporary one.
 */
export const updateConversationSchema = z.strictObject({
  /** Trimmed and made one line; 1 to `MAX_TITLE` characters. */
  title: z.string().optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  temporary: z.literal(false).optional(),
});
export type UpdateConversation = z.infer<typeof updateConversationSchema>;

/**
 * `DELETE /api/conversations/{id}`: gone from everywhere and its running answers stopped. Until `restorableUntil`
 * `POST /api/conversations/{id}/restore` brings it back and answers the conversation.
 */
export const deletedConversationSchema = z.object({ id: z.uuid(), restorableUntil: z.int() });
export type DeletedConversation = z.infer<typeof deletedConversationSchema>;

/** `GET /api/messages`: oldest first; `nextCursor` is what to pass as `before` for the page of older ones, null at the beginning. */
export const messagePageSchema = z.object({
  messages: z.array(messageSchema),
  nextCursor: z.uuid().nullable(),
});
export type MessagePage = z.infer<typeof messagePageSchema>;

/**
 * `GET /api/messages?conversationId=&branch=&before=&after=&limit=`: one branch, from its first message down to a leaf.
 * `branch=newest` is the one with the newest message; `branch={message id}` runs through that message and on to the newest
 * leaf below it. Without `before` and `after` the page is the end of the newest branch, or what stands around the message.
 */
export const branchPageSchema = z.object({
  /** Each is the parent of the one after it. */
  messages: z.array(messageSchema),
  /** What to pass as `before` for the page above; null when this one begins with the first message. */
  olderCursor: z.uuid().nullable(),
  /** What to pass as `after`, with `branch={leafId}`, for the page below; null when this one ends with the leaf. */
  newerCursor: z.uuid().nullable(),
  /** The end of this branch; null in a conversation without messages. */
  leafId: z.uuid().nullable(),
  /** For each message of the page that has siblings: the ids of them and its own, oldest first; of many the 200 around it. */
  siblings: z.record(z.uuid(), z.array(z.uuid())),
  /** Where that is not all of them: how many are older and how many newer than those. */
  siblingsBeyond: z.record(z.uuid(), z.object({ older: z.int().min(0), newer: z.int().min(0) })),
});
export type BranchPage = z.infer<typeof branchPageSchema>;

/**
 * `GET /api/conversations?archived=&cursor=&limit=`: the pinned ones, last pinned first, then the others, newest first;
 * `nextCursor` is what to pass as `cursor` for the next page.
 */
export const conversationPageSchema = z.object({
  conversations: z.array(conversationSchema),
  nextCursor: z.string().nullable(),
});
export type ConversationPage = z.infer<typeof conversationPageSchema>;

/** One place where the words were found. */
export const searchHitSchema = z.object({
  conversation: conversationSchema,
  where: z.enum(['title', 'prompt', 'answer']),
  /** The message to scroll to, and the `branch` to read it in; null for a title. */
  messageId: z.uuid().nullable(),
  /** Text around the first place, on one line. */
  snippet: z.string(),
  /** The places in `snippet`: [from, to) in UTF-16 code units, in order, none overlapping. */
  ranges: z.array(z.tuple([z.int(), z.int()])),
  /** When the message was sent; for a title, the newest of its conversation. */
  timestamp: z.int(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

/**
 * `GET /api/conversations/search?q=&cursor=&limit=`: every word of `q` (separated by blanks) occurs, in any case and width.
 * Titles first, then messages, newest first. Archived conversations are searched too.
 */
export const searchPageSchema = z.object({
  hits: z.array(searchHitSchema),
  nextCursor: z.string().nullable(),
});
export type SearchPage = z.infer<typeof searchPageSchema>;

/** What a follower of an answer receives, each with an SSE `id` that grows by one from 1. */
export type AnswerEvent =
  | { type: 'text'; data: { text: string } }
  | { type: 'reasoning'; data: { text: string } }
  | { type: 'part'; data: { part: Exclude<AnswerPart, { kind: 'text' | 'reasoning' }> } }
  | { type: 'notice'; data: { code: NoticeCode } }
  | { type: 'end'; data: { message: Message } };

/** The first event of a send that asks for the answer at once (`Accept: text/event-stream`), without an `id`; `AnswerEvent`s follow. */
export interface SentEvent {
  type: 'message';
  data: { message: Message };
}

/**
 * `context_trimmed`: older turns were left out. `upstream_switched`: another route of the chain answers. `computer_words`: no browser
 * is to be had, and the model answers in words. `computer_queued`: the run waits until a browser is free.
 */
export type NoticeCode = 'context_trimmed' | 'upstream_switched' | 'computer_words' | 'computer_queued';
