import { Hono } from 'hono';
import type { Deps } from '#server/deps.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { type HttpEnv, requireActor } from '../sessions/authenticate.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { deleteSignIn } from './delete-sign-in.ts';
import { listSignIns } from './list-sign-ins.ts';

/** The caller's ways in. */
export function signInMethodRoutes(deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>) {
  return (
    new Hono<HttpEnv>()
      .get('/api/me/sign-ins', async (c) =>
        c.json({ signIns: await listSignIns(deps, requireActor(c).userId) }),
      )
      // Asked before a popup opens: there, the page could not ask for a proof.
      .post('/api/me/sign-ins', async (c) => {
        await requireConfirmed(deps, requireActor(c));
        return c.body(null, 204);
      })
      .delete('/api/me/sign-ins/:id', async (c) => {
        const actor = requireActor(c);
        await deleteSignIn(deps, actor, parseId(c));
        return c.body(null, 204);
      })
  );
}
