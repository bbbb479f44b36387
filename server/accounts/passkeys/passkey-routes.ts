import { Hono } from 'hono';
import { registerPasskeySchema, renamePasskeySchema } from '#contract/accounts/passkeys.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { type HttpEnv, requireActor } from '../sessions/authenticate.ts';
import { changePasskey } from './change-passkey.ts';
import { createPasskey } from './create-passkey.ts';
import { deletePasskey } from './delete-passkey.ts';
import { listPasskeys } from './list-passkeys.ts';
import { startPasskeyRegistration } from './start-passkey-registration.ts';

/** The caller's passkeys. */
export function passkeyRoutes(deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'bus'>) {
  return new Hono<HttpEnv>()
    .get('/api/me/passkeys', async (c) =>
      c.json({ passkeys: await listPasskeys(deps, requireActor(c).userId) }),
    )
    .post('/api/me/passkeys/options', async (c) =>
      c.json(await startPasskeyRegistration(deps, requireActor(c))),
    )
    .post('/api/me/passkeys', async (c) => {
      const actor = requireActor(c);
      return c.json(await createPasskey(deps, actor, await parseBody(c, registerPasskeySchema)), 201);
    })
    .patch('/api/me/passkeys/:id', async (c) => {
      const { userId } = requireActor(c);
      const { name } = await parseBody(c, renamePasskeySchema);
      await changePasskey(deps, userId, parseId(c), name);
      return c.body(null, 204);
    })
    .delete('/api/me/passkeys/:id', async (c) => {
      await deletePasskey(deps, requireActor(c), parseId(c));
      return c.body(null, 204);
    });
}
