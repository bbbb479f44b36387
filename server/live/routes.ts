import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { languageOf } from '#server/platform/translate.ts';
import { Tabs } from './tabs.ts';

/** `GET /api/live`: one stream for each tab, with the user's message, conversation and credits changes. */
export function liveRoutes(deps: Deps) {
  const tabs = new Tabs(deps);
  return new Hono<HttpEnv>().get('/api/live', (c) => {
    const actor = requireActor(c);
    const { outgoing } = c.env;
    if (c.req.method === 'HEAD' || !outgoing)
      return c.body(null, 200, { 'content-type': 'text/event-stream' });
    tabs.open(actor, languageOf(c), outgoing);
    return RESPONSE_ALREADY_SENT;
  });
}
