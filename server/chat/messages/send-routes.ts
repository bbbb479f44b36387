import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { sendMessageSchema } from '#contract/chat.ts';
import { quoteRequestSchema } from '#contract/message/quotes.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { sseFrame } from '#server/platform/sse.ts';
import { noteAbout } from '#server/platform/telemetry/request-context.ts';
import { languageOf } from '#server/platform/translate.ts';
import { presentMessage } from '../message-store/present.ts';
import { admitFollower, followMessage } from './follow-message.ts';
import { quoteMessage, stepsOf } from './quote-message.ts';
import { sendMessage } from './send-message.ts';

/** What a message would cost. */
function quoteRoutes(deps: Deps) {
  return new Hono<HttpEnv>().post('/api/quotes', async (c) => {
    const { userId } = requireActor(c);
    const message = await parseBody(c, quoteRequestSchema);
    const { quote } = await quoteMessage(deps, userId, message, stepsOf(deps, message));
    return c.json(quote);
  });
}

/** Sending a message: answered with the message, or with the message and then its answer as events (decision 28). */
export function sendRoutes(deps: Deps) {
  return quoteRoutes(deps).post('/api/messages', async (c) => {
    const actor = requireActor(c);
    const { userId } = actor;
    const { outgoing } = c.env;
    const follows = outgoing && prefersEvents(c);
    if (follows) admitFollower(deps, userId, outgoing);
    const input = await parseBody(c, sendMessageSchema);
    noteAbout({ messageId: input.id.toLowerCase() });
    const { message, isNew } = await sendMessage(deps, userId, input);
    const language = languageOf(c);
    const shown = presentMessage(message, language);
    const status = isNew ? 201 : 200;
    if (!follows) return c.json(shown, status);
    const first = { frame: sseFrame('message', JSON.stringify({ message: shown })), status };
    await followMessage(deps, userId, message.id, {
      after: null,
      language,
      open: (handlers) => deps.sessions.openStream(actor, outgoing, handlers, first),
    });
    return RESPONSE_ALREADY_SENT;
  });
}

/** What the caller would rather have (RFC 9110, 12.5.1). */
function prefersEvents(c: Context): boolean {
  const supports = ['application/json', 'text/event-stream'];
  return accepts(c, { header: 'Accept', supports, default: 'application/json' }) === 'text/event-stream';
}
