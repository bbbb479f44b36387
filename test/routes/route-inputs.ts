import { sendMessageSchema, updateConversationSchema } from '#contract/chat.ts';
import { quoteRequestSchema } from '#contract/message/quotes.ts';
import { deleteAccountSchema } from '#contract/personal-data.ts';
import { conversationsQuery } from '#server/chat/conversations/conversation-routes.ts';
import { exportQuery } from '#server/chat/conversations/export-routes.ts';
import { eventsQuery } from '#server/chat/messages/answer-routes.ts';
import { messagesQuery } from '#server/chat/messages/message-routes.ts';
import { searchQuery } from '#server/chat/search/search-routes.ts';
import { entriesQuery, noQuery } from '#server/credits/routes.ts';
import { modelsQuery } from '#server/openai-api/routes.ts';
import { ACCOUNT_INPUTS } from '../accounts/inputs.ts';
import { BILLING_INPUTS } from '../billing/inputs.ts';
import { FILE_INPUTS } from '../files/inputs.ts';
import { API_INPUTS } from './api-inputs.ts';
import { asks, NOTHING, type RouteInput, takes } from './route-input.ts';

/** Every route that changes something, and every other one that reads a query. A new one fails `server/fuzz.test.ts` until it is here. */
export const ROUTE_INPUTS: Readonly<Record<string, RouteInput>> = {
  ...ACCOUNT_INPUTS,
  ...BILLING_INPUTS,
  ...FILE_INPUTS,
  ...API_INPUTS,
  'POST /api/me/delete': takes(deleteAccountSchema),
  'GET /api/credits/entries': asks(entriesQuery),
  'GET /api/credits/entries.csv': asks(noQuery),
  'GET /api/credits/spending': asks(noQuery),
  'GET /v1/models': asks(modelsQuery),
  'GET /api/messages': asks(messagesQuery),
  'POST /api/quotes': takes(quoteRequestSchema),
  'POST /api/messages': takes(sendMessageSchema),
  'GET /api/messages/:id/events': asks(eventsQuery),
  'POST /api/messages/:id/stop': NOTHING,
  'GET /api/conversations': asks(conversationsQuery),
  'GET /api/conversations/search': asks(searchQuery),
  'GET /api/conversations/:id/export': asks(exportQuery),
  'PATCH /api/conversations/:id': takes(updateConversationSchema),
  'DELETE /api/conversations/:id': NOTHING,
  'POST /api/conversations/:id/restore': NOTHING,
};
