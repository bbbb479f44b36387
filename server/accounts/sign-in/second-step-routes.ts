import type { Context } from 'hono';
import { Hono } from 'hono';
import { secondFactorProofSchema } from '#contract/accounts/confirmation.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { clearProofCookie, readProofCookie } from '../secrets/proof-cookie.ts';
import type { HttpEnv } from '../sessions/authenticate.ts';
import { readBrowser, setCookies } from '../sessions/read-browser.ts';
import { readSessionUser } from '../sessions/read-session.ts';
import { finishSecondStep, readSecondStep, requestSecondStepPasskey } from './finish-second-step.ts';

/** The second step of a sign-in. `ipOf` says where a request comes from. */
export function secondStepRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'clock'>,
  ipOf: (c: Context<HttpEnv>) => string,
) {
  const browserOf = (c: Context<HttpEnv>) => readBrowser(deps.config, c, ipOf(c));
  const stepOf = (c: Context<HttpEnv>) => readProofCookie(deps.config, 'second_step', c.req.header('cookie'));
  return new Hono<HttpEnv>()
    .get('/api/auth/second-factor', async (c) => c.json(await readSecondStep(deps, stepOf(c))))
    .post('/api/auth/second-factor', async (c) => {
      const proof = await parseBody(c, secondFactorProofSchema);
      const { userId, cookies } = await finishSecondStep(deps, stepOf(c), proof, browserOf(c));
      setCookies(c, [...cookies, clearProofCookie(deps.config, 'second_step')]);
      return c.json({ user: await readSessionUser(deps, userId) });
    })
    .post('/api/auth/second-factor/passkey', async (c) =>
      c.json(await requestSecondStepPasskey(deps, stepOf(c))),
    );
}
