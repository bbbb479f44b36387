import { Hono } from 'hono';
import { changeProfileSchema } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { confirmationRoutes } from './confirmation/confirmation-routes.ts';
import { passkeyRoutes } from './passkeys/passkey-routes.ts';
import { changeProfile } from './profile/change-profile.ts';
import { type PictureFacts, pictureRoutes } from './profile/picture-routes.ts';
import { secondFactorRoutes } from './second-factor/second-factor-routes.ts';
import { type HttpEnv, requireActor } from './sessions/authenticate.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { revokeOtherSessions, revokeSession } from './sessions/revoke-session.ts';
import { readUserRecord } from './users/read-user-record.ts';

/** What users see and change of their own accounts. */
export function profileRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus' | 'log'>,
  facts: PictureFacts,
) {
  return new Hono<HttpEnv>()
    .route('/', confirmationRoutes(deps))
    .route('/', secondFactorRoutes(deps))
    .route('/', passkeyRoutes(deps))
    .route('/', pictureRoutes(deps, facts))
    .get('/api/me', async (c) => c.json(await readUserRecord(deps, requireActor(c).userId, facts)))
    .patch('/api/me', async (c) => {
      const { userId } = requireActor(c);
      await changeProfile(deps, userId, await parseBody(c, changeProfileSchema));
      return c.json(await readUserRecord(deps, userId, facts));
    })
    .get('/api/sessions', async (c) => c.json({ sessions: await listSessions(deps, requireActor(c)) }))
    .delete('/api/sessions', async (c) => {
      await revokeOtherSessions(deps, requireActor(c));
      return c.body(null, 204);
    })
    .delete('/api/sessions/:id', async (c) => {
      const actor = requireActor(c);
      await revokeSession(deps, actor, parseId(c));
      return c.body(null, 204);
    });
}
