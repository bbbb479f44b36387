import { sendMessageSchema, updateConversationSchema } from '#contract/chat.ts';
import { changeKeySchema, createKeySchema } from '#contract/keys.ts';
import { everyTurnSchema, TUS_VERSION } from '#contract/message/files.ts';
import { quoteRequestSchema } from '#contract/message/quotes.ts';
import { completionRequestSchema } from '#contract/openai.ts';
import { deleteAccountSchema } from '#contract/personal-data.ts';
import { conversationsQuery } from '#server/chat/conversations/conversation-routes.ts';
import { exportQuery } from '#server/chat/conversations/export-routes.ts';
import { eventsQuery } from '#server/chat/messages/answer-routes.ts';
import { messagesQuery } from '#server/chat/messages/message-routes.ts';
import { searchQuery } from '#server/chat/search/search-routes.ts';
import { entriesQuery, noQuery } from '#server/credits/routes.ts';
import { daysQuery } from '#server/openai-api/page-routes.ts';
import { ACCOUNT_INPUTS } from '../accounts/inputs.ts';
import { BILLING_INPUTS } from '../billing/inputs.ts';
import { asks, NOTHING, type RouteInput, takes } from './route-input.ts';

const NUMBERS = ['0', '5', '1000', '1048577', '99999999', '-1', '1e3', '', '9'.repeat(30)];
const TUS = [TUS_VERSION, TUS_VERSION, TUS_VERSION, '0.2.2', ''];
const METADATA = ['filename bm90ZXMudHh0', 'filename', 'filename ====', ', ,', 'a b c,filename AAAA4oCu', ''];

/** Every route that changes something, and every other one that reads a query. A new one fails `server/fuzz.test.ts` until it is here. */
export const ROUTE_INPUTS: Readonly<Record<string, RouteInput>> = {
  ...ACCOUNT_INPUTS,
  ...BILLING_INPUTS,
  'POST /api/me/delete': takes(deleteAccountSchema),
  'GET /api/credits/entries': asks(entriesQuery),
  'GET /api/credits/entries.csv': asks(noQuery),
  'GET /api/credits/spending': asks(noQuery),
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
  'OPTIONS /api/files': NOTHING,
  'POST /api/files': {
    body: null,
    headers: { 'tus-resumable': TUS, 'upload-length': NUMBERS, 'upload-metadata': METADATA },
  },
  'PATCH /api/files/:id': { body: 'bytes', headers: { 'tus-resumable': TUS, 'upload-offset': NUMBERS } },
  'DELETE /api/files/:id': NOTHING,
  'GET /api/files/:id/content': { body: null, headers: { range: ['bytes=0-1', 'bytes=-1', 'bytes=9-', 'x'] } },
  'PUT /api/files/:id/every-turn': takes(everyTurnSchema),
  'POST /api/keys': takes(createKeySchema),
  'PATCH /api/keys/:id': takes(changeKeySchema),
  'DELETE /api/keys/:id': NOTHING,
  'GET /api/keys/usage': asks(daysQuery),
  'GET /api/keys/usage.csv': asks(daysQuery),
  'POST /api/completions': takes(completionRequestSchema),
  'POST /v1/chat/completions': takes(completionRequestSchema),
  'POST /v1/quotes': takes(completionRequestSchema),
};
