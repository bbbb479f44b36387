import { Hono } from 'hono';
import { type CheckedPassword, changePasswordSchema, checkPasswordSchema } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { readProofCookie } from '../secrets/proof-cookie.ts';
import { type HttpEnv, requireActor } from '../sessions/authenticate.ts';
import { setCookies } from '../sessions/read-browser.ts';
import { changePassword } from './change-password.ts';
import { recogniseCommonPassword } from './recognise-common-password.ts';

/** A password of one's own: what a form asks about it before it is sent as one, and another one. */
export function passwordRoutes(deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>) {
  return (
    new Hono<HttpEnv>()
      // The second address is that of the version before: pages that are open ask there. It goes with the next release.
      .on('POST', ['/api/auth/check-password', '/api/auth/weigh-password'], async (c) => {
        const common = await recogniseCommonPassword(deps, await parseBody(c, checkPasswordSchema));
        return c.json({ common } satisfies CheckedPassword);
      })
      .post('/api/me/password', async (c) => {
        const actor = requireActor(c);
        const input = await parseBody(c, changePasswordSchema);
        const deviceToken = readProofCookie(deps.config, 'device', c.req.header('cookie'));
        setCookies(c, [await changePassword(deps, actor, input, deviceToken)]);
        return c.body(null, 204);
      })
  );
}
