import { sendMessageSchema, updateConversationSchema } from '#contract/chat.ts';
import { computerActSchema, keepSchema } from '#contract/message/computer.ts';
import { quoteRequestSchema } from '#contract/message/quotes.ts';
import { conversationsQuery } from '#server/chat/conversations/conversation-routes.ts';
import { exportQuery } from '#server/chat/conversations/export-routes.ts';
import { eventsQuery } from '#server/chat/messages/answer-routes.ts';
import { messagesQuery } from '#server/chat/messages/message-routes.ts';
import { searchQuery } from '#server/chat/search/search-routes.ts';
import { asks, NOTHING, type RouteInput, takes } from '../routes/route-input.ts';

/** What the routes of messages and conversations read. */
export const CHAT_INPUTS: Readonly<Record<string, RouteInput>> = {
  'GET /api/messages': asks(messagesQuery),
  'POST /api/quotes': takes(quoteRequestSchema),
  'POST /api/messages': takes(sendMessageSchema),
  'GET /api/messages/:id/events': asks(eventsQuery),
  'POST /api/messages/:id/stop': NOTHING,
  'POST /api/messages/:id/computer': takes(computerActSchema),
  'POST /api/messages/:id/kept': takes(keepSchema),
  'GET /api/conversations': asks(conversationsQuery),
  'GET /api/conversations/search': asks(searchQuery),
  'GET /api/conversations/:id/export': asks(exportQuery),
  'PATCH /api/conversations/:id': takes(updateConversationSchema),
  'DELETE /api/conversations/:id': NOTHING,
  'POST /api/conversations/:id/restore': NOTHING,
};
