import type { Context } from 'hono';
import { Hono } from 'hono';
import { signInByPasskeySchema } from '#contract/accounts/passkeys.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { clearProofCookie } from '../secrets/proof-cookie.ts';
import type { HttpEnv } from '../sessions/authenticate.ts';
import { readBrowser, setCookies } from '../sessions/read-browser.ts';
import { readSessionUser } from '../sessions/read-session.ts';
import { signInByPasskey, startSignInByPasskey } from './sign-in-by-passkey.ts';

/** The sign-in by a passkey. `ipOf` says where a request comes from. */
export function passkeySignInRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'clock'>,
  ipOf: (c: Context<HttpEnv>) => string,
) {
  return new Hono<HttpEnv>()
    .post('/api/auth/passkey/options', async (c) => {
      const started = await startSignInByPasskey(deps, c.req.header('cookie'), ipOf(c));
      setCookies(c, [started.cookie]);
      return c.json(started.options);
    })
    .post('/api/auth/passkey', async (c) => {
      const input = await parseBody(c, signInByPasskeySchema);
      const signedIn = await signInByPasskey(
        deps,
        input,
        c.req.header('cookie'),
        readBrowser(deps.config, c, ipOf(c)),
      );
      setCookies(c, [...signedIn.cookies, clearProofCookie(deps.config, 'passkey')]);
      return c.json({ user: await readSessionUser(deps, signedIn.userId) });
    });
}
