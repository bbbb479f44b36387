import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

export const messageStatusSchema = z.enum(['running', 'completed', 'stopped', 'failed', 'interrupted']);
export type MessageStatus = z.infer<typeof messageStatusSchema>;

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
  /** Were older turns left out of what the model saw. */
  contextTrimmed: z.boolean(),
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
});
export type SendMessage = z.infer<typeof sendMessageSchema>;

export const conversationSchema = z.object({
  id: z.uuid(),
  title: z.string(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** `GET /api/messages`: oldest first; `nextCursor` is what to pass as `before` for the page of older ones, null at the beginning. */
export const messagePageSchema = z.object({
  messages: z.array(messageSchema),
  nextCursor: z.uuid().nullable(),
});
export type MessagePage = z.infer<typeof messagePageSchema>;

/** `GET /api/conversations`: newest first; `nextCursor` is what to pass as `cursor` for the page of older ones. */
export const conversationPageSchema = z.object({
  conversations: z.array(conversationSchema),
  nextCursor: z.string().nullable(),
});
export type ConversationPage = z.infer<typeof conversationPageSchema>;

/** What a follower of an answer receives, each with an SSE `id` that grows by one from 1. */
export type AnswerEvent =
  | { type: 'text'; data: { text: string } }
  | { type: 'reasoning'; data: { text: string } }
  | { type: 'notice'; data: { code: NoticeCode } }
  | { type: 'end'; data: { message: Message } };

/** `context_trimmed`: older turns were left out. `upstream_switched`: another model of the chain answers. */
export type NoticeCode = 'context_trimmed' | 'upstream_switched';
