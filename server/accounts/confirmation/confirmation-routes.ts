import { Hono } from 'hono';
import { confirmIdentitySchema } from '#contract/accounts/confirmation.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { startPasskeyAuthentication } from '../passkeys/start-passkey-authentication.ts';
import { type HttpEnv, requireActor } from '../sessions/authenticate.ts';
import { confirmIdentity } from './confirm-identity.ts';
import { listConfirmationMethods } from './list-confirmation-methods.ts';

/** Fresh proofs that the caller is the user. */
export function confirmationRoutes(deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'bus'>) {
  return new Hono<HttpEnv>()
    .get('/api/me/confirm', async (c) =>
      c.json({ methods: await listConfirmationMethods(deps, requireActor(c).userId) }),
    )
    .post('/api/me/confirm/passkey', async (c) => {
      const { userId, sessionId } = requireActor(c);
      const use = { purpose: 'confirm', boundTo: sessionId } as const;
      return c.json(await startPasskeyAuthentication(deps, use, userId));
    })
    .post('/api/me/confirm', async (c) => {
      const actor = requireActor(c);
      const proof = await parseBody(c, confirmIdentitySchema);
      c.header('set-cookie', await confirmIdentity(deps, actor, proof), { append: true });
      return c.body(null, 204);
    });
}
