import { type Context, Hono } from 'hono';
import { linkTokenSchema, requestSignInLinkSchema } from '#contract/email.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { languageOf } from '#server/platform/translate.ts';
import { captchaOf } from '../abuse/verify-captcha.ts';
import { readProofCookie } from '../secrets/proof-cookie.ts';
import type { HttpEnv } from '../sessions/authenticate.ts';
import { readBrowser, setCookies } from '../sessions/read-browser.ts';
import { openSignInLink } from './open-sign-in-link.ts';
import { requestSignInLink } from './request-sign-in-link.ts';

/** For an owner locked out by strangers' tries: a mailed link. `ipOf` returns where a request comes from. */
export function signInLinkRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'clock'>,
  ipOf: (c: Context<HttpEnv>) => string,
) {
  return new Hono<HttpEnv>()
    .post('/api/auth/request-sign-in-link', async (c) => {
      const stepToken = readProofCookie(deps.config, 'second_step', c.req.header('cookie'));
      const input = await parseBody(c, requestSignInLinkSchema);
      await requestSignInLink(deps, input, {
        ip: ipOf(c),
        language: languageOf(c),
        captcha: captchaOf(c),
        stepToken,
      });
      return c.json({ status: true });
    })
    .post('/api/auth/open-sign-in-link', async (c) => {
      const { token } = await parseBody(c, linkTokenSchema);
      const { email, cookie } = await openSignInLink(
        deps,
        token,
        readBrowser(deps.config, c, ipOf(c)).deviceToken,
      );
      setCookies(c, [cookie]);
      return c.json({ email });
    });
}
