import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { computerActSchema } from '#contract/message/computer.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { changeRun } from './control/change-run.ts';
import { readRun } from './control/read-run.ts';
import { keptRoutes } from './kept-files/kept-routes.ts';
import { admitWatcher, followScreen } from './screen/follow-screen.ts';

/** Routes of a browser run: its state, what its user does with it, its live picture, its kept files. */
export function computerRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .route('/', keptRoutes(deps))
    .get('/api/messages/:id/computer', async (c) => {
      const { userId } = requireActor(c);
      return c.json(await readRun(deps, userId, parseId(c)));
    })
    .post('/api/messages/:id/computer', async (c) => {
      const { userId } = requireActor(c);
      const messageId = parseId(c);
      await readRun(deps, userId, messageId);
      const act = await parseBody(c, computerActSchema);
      return c.json(await changeRun(deps, userId, messageId, act));
    })
    .get('/api/messages/:id/screen', async (c) => {
      const actor = requireActor(c);
      const messageId = parseId(c);
      const { outgoing } = c.env;
      await readRun(deps, actor.userId, messageId);
      if (c.req.method === 'HEAD' || !outgoing)
        return c.body(null, 200, { 'content-type': 'text/event-stream' });
      admitWatcher(deps, actor.userId, outgoing);
      followScreen(deps, messageId, (handlers) => deps.sessions.openStream(actor, outgoing, handlers));
      return RESPONSE_ALREADY_SENT;
    });
}
