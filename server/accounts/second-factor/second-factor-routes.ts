import { Hono } from 'hono';
import { finishEnrolmentSchema } from '#contract/accounts/second-factor.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { readProofCookie } from '../secrets/proof-cookie.ts';
import { type HttpEnv, requireActor } from '../sessions/authenticate.ts';
import { setCookies } from '../sessions/read-browser.ts';
import { finishEnrolment } from './finish-enrolment.ts';
import { readSecondFactor } from './read-second-factor.ts';
import { renewRecoveryCodes } from './renew-recovery-codes.ts';
import { revokeSecondFactor } from './revoke-second-factor.ts';
import { startEnrolment } from './start-enrolment.ts';

/** The caller's second factor: set up, renewed, turned off. */
export function secondFactorRoutes(deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'bus'>) {
  return new Hono<HttpEnv>()
    .get('/api/me/second-factor', async (c) => c.json(await readSecondFactor(deps, requireActor(c).userId)))
    .post('/api/me/second-factor/enrolment', async (c) =>
      c.json(await startEnrolment(deps, requireActor(c)), 201),
    )
    .post('/api/me/second-factor', async (c) => {
      const actor = requireActor(c);
      const { code } = await parseBody(c, finishEnrolmentSchema);
      const deviceToken = readProofCookie(deps.config, 'device', c.req.header('cookie'));
      const { cookie, ...enrolled } = await finishEnrolment(deps, actor, code, deviceToken);
      setCookies(c, [cookie]);
      return c.json(enrolled, 201);
    })
    .post('/api/me/second-factor/recovery-codes', async (c) =>
      c.json(await renewRecoveryCodes(deps, requireActor(c)), 201),
    )
    .delete('/api/me/second-factor', async (c) => {
      await revokeSecondFactor(deps, requireActor(c));
      return c.body(null, 204);
    });
}
