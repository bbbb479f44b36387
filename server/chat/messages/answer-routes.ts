import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { parseQuery } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { languageOf } from '#server/platform/translate.ts';
import { presentMessage } from '../message-store/present.ts';
import { admitFollower, followMessage } from './follow-message.ts';
import { stopMessage } from './stop-message.ts';

export const eventsQuery = z.strictObject({ lastEventId: z.string().optional() });

/** The answer of a message as events, and its stop. */
export function answerRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .get('/api/messages/:id/events', async (c) => {
      const actor = requireActor(c);
      const { userId } = actor;
      const after = readLastEventId(c);
      const messageId = parseId(c);
      const { outgoing } = c.env;
      if (c.req.method === 'HEAD' || !outgoing) {
        await followMessage(deps, userId, messageId, null);
        return c.body(null, 200, { 'content-type': 'text/event-stream' });
      }
      admitFollower(deps, userId, outgoing);
      await followMessage(deps, userId, messageId, {
        after,
        language: languageOf(c),
        open: (handlers) => deps.sessions.openStream(actor, outgoing, handlers),
      });
      return RESPONSE_ALREADY_SENT;
    })
    .post('/api/messages/:id/stop', async (c) => {
      const { userId } = requireActor(c);
      const message = await stopMessage(deps, userId, parseId(c));
      return c.json(presentMessage(message, languageOf(c)), message.status === 'running' ? 202 : 200);
    });
}

/** The number of the last event that the reader has, by header (https://html.spec.whatwg.org, 9.2.3) or query; null at first. */
function readLastEventId(c: Context<HttpEnv>): number | null {
  const { lastEventId } = parseQuery(c, eventsQuery);
  const given = c.req.header('last-event-id') ?? lastEventId ?? '';
  if (given === '') return null;
  if (!/^\d{1,9}$/.test(given)) throw new AppError('invalid_request', { field: 'Last-Event-ID' });
  return Number(given);
}
