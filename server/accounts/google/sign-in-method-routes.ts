import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type HttpEnv, requireActor } from '../sessions/authenticate.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { deleteSignIn } from './delete-sign-in.ts';
import { listSignIns } from './list-sign-ins.ts';

const idSchema = z.uuid().toLowerCase();

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
        const id = idSchema.safeParse(c.req.param('id'));
        if (!id.success) throw new AppError('not_found');
        await deleteSignIn(deps, actor, id.data);
        return c.body(null, 204);
      })
  );
}
