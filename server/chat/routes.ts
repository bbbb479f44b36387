import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { sendMessageSchema } from '#contract/chat.ts';
import { type HttpEnv, requireActor } from '#server/accounts/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { parseBody, parseQuery } from '#server/platform/parse-body.ts';
import { languageOf } from '#server/platform/translate.ts';
import { followMessage } from './follow-message.ts';
import { followFeed } from './generation/follow-feed.ts';
import { listConversations } from './list-conversations.ts';
import { listMessages } from './list-messages.ts';
import { presentConversation, presentMessage } from './present.ts';
import { readConversation } from './read-conversation.ts';
import { sendMessage } from './send-message.ts';
import { stopMessage } from './stop-message.ts';

const limit = z
  .string()
  .regex(/^\d{1,3}$/)
  .default('50')
  .transform(Number)
  .pipe(z.int().min(1).max(100));
const id = z.uuid().toLowerCase();
const messagesQuery = z.strictObject({ conversationId: id, before: id.nullable().default(null), limit });
const conversationsQuery = z.strictObject({ cursor: z.string().max(100).nullable().default(null), limit });
const eventsQuery = z.strictObject({ lastEventId: z.string().optional() });

/** Messages, their answers as events, and conversations. */
export function chatRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .post('/api/messages', async (c) => {
      const { userId } = requireActor(c);
      const { message, isNew } = await sendMessage(deps, userId, await parseBody(c, sendMessageSchema));
      return c.json(presentMessage(message, languageOf(c)), isNew ? 201 : 200);
    })
    .get('/api/messages', async (c) => {
      const { userId } = requireActor(c);
      const { messages, nextCursor } = await listMessages(deps, userId, parseQuery(c, messagesQuery));
      const language = languageOf(c);
      return c.json({ messages: messages.map((one) => presentMessage(one, language)), nextCursor });
    })
    .get('/api/messages/:id/events', async (c) => {
      const { userId } = requireActor(c);
      const after = readLastEventId(c);
      const feed = await followMessage(deps, userId, idOf(c));
      const { outgoing } = c.env;
      if (c.req.method === 'HEAD' || !outgoing)
        return c.body(null, 200, { 'content-type': 'text/event-stream' });
      const headers = { 'x-request-id': c.get('requestId') };
      followFeed(feed, after, languageOf(c), (handlers) => deps.sse.open(outgoing, handlers, headers));
      return RESPONSE_ALREADY_SENT;
    })
    .post('/api/messages/:id/stop', async (c) => {
      const { userId } = requireActor(c);
      const message = await stopMessage(deps, userId, idOf(c));
      return c.json(presentMessage(message, languageOf(c)), message.status === 'running' ? 202 : 200);
    })
    .get('/api/conversations', async (c) => {
      const { userId } = requireActor(c);
      const page = await listConversations(deps, userId, parseQuery(c, conversationsQuery));
      return c.json({ ...page, conversations: page.conversations.map(presentConversation) });
    })
    .get('/api/conversations/:id', async (c) => {
      const { userId } = requireActor(c);
      return c.json(presentConversation(await readConversation(deps, userId, idOf(c))));
    });
}

/** The id in the path; what is no id names nothing. */
function idOf(c: Context<HttpEnv>): string {
  const parsed = id.safeParse(c.req.param('id'));
  if (!parsed.success) throw new AppError('not_found');
  return parsed.data;
}

/** The number of the last event that the reader has, by header (https://html.spec.whatwg.org, 9.2.3) or query; null at first. */
function readLastEventId(c: Context<HttpEnv>): number | null {
  const { lastEventId } = parseQuery(c, eventsQuery);
  const given = c.req.header('last-event-id') ?? lastEventId ?? '';
  if (given === '') return null;
  if (!/^\d{1,9}$/.test(given)) throw new AppError('invalid_request', { field: 'Last-Event-ID' });
  return Number(given);
}
