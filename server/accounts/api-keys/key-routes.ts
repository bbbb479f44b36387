import { Hono } from 'hono';
import { changeKeySchema, createKeySchema } from '#contract/keys.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { type HttpEnv, requireActor } from '../sessions/authenticate.ts';
import { changeKey } from './change-key.ts';
import { createKey } from './create-key.ts';
import { listKeys } from './list-keys.ts';
import { revokeKey } from './revoke-key.ts';

/** `/api/keys`: the signed-in user's keys for the API. */
export function keyRoutes(
  deps: Pick<Deps, 'database' | 'clock' | 'config'>,
  act: { stopRequests(userId: string, keyId: string): Promise<void> },
) {
  return new Hono<HttpEnv>()
    .get('/api/keys', async (c) => c.json({ keys: await listKeys(deps, requireActor(c).userId) }))
    .post('/api/keys', async (c) => {
      const actor = requireActor(c);
      return c.json(await createKey(deps, actor, await parseBody(c, createKeySchema)), 201);
    })
    .patch('/api/keys/:id', async (c) => {
      const actor = requireActor(c);
      const id = parseId(c);
      return c.json(await changeKey(deps, actor, id, await parseBody(c, changeKeySchema)));
    })
    .delete('/api/keys/:id', async (c) => {
      const { userId } = requireActor(c);
      await revokeKey(deps, userId, parseId(c), act.stopRequests);
      return c.body(null, 204);
    });
}
