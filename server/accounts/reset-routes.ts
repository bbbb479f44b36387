import type { Context } from 'hono';
import { Hono } from 'hono';
import { linkTokenSchema } from '#contract/email.ts';
import { requestSignInLinkSchema } from '#contract/sign-in-link.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/parse-body.ts';
import { languageOf } from '#server/platform/translate.ts';
import type { HttpEnv } from './authenticate.ts';
import { openSignInLink } from './open-sign-in-link.ts';
import { readProofCookie } from './proof-cookie.ts';
import { readBrowser, setCookies } from './read-browser.ts';
import { readResetOffer } from './read-reset-offer.ts';
import { requestPasswordReset, requestPasswordResetSchema } from './request-password-reset.ts';
import { requestSignInLink } from './request-sign-in-link.ts';
import { resetPassword, resetPasswordSchema } from './reset-password.ts';
import { trustBrowser } from './trust-browser.ts';
import { captchaOf } from './verify-captcha.ts';

/** The ways back in by mail: for whoever forgot the password, or is kept out by what strangers try. `addressOf` tells where a request comes from. */
export function resetRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'bus' | 'clock'>,
  addressOf: (c: Context<HttpEnv>) => string,
) {
  const browserOf = (c: Context<HttpEnv>) => readBrowser(deps.config, c, addressOf(c));
  const callerOf = (c: Context<HttpEnv>) => ({
    address: addressOf(c),
    language: languageOf(c),
    captcha: captchaOf(c),
  });
  return new Hono<HttpEnv>()
    .post('/api/auth/request-password-reset', async (c) => {
      await requestPasswordReset(deps, await parseBody(c, requestPasswordResetSchema), callerOf(c));
      return c.json({ status: true });
    })
    .post('/api/auth/reset-password/offer', async (c) =>
      c.json(await readResetOffer(deps, (await parseBody(c, linkTokenSchema)).token)),
    )
    .post('/api/auth/reset-password', async (c) => {
      const userId = await resetPassword(deps, await parseBody(c, resetPasswordSchema));
      const { deviceToken } = browserOf(c);
      const trust = { userId, deviceToken, signedIn: false };
      setCookies(c, [await trustBrowser(deps.database.sql, deps, trust)]);
      return c.json({ status: true });
    })
    .post('/api/auth/request-sign-in-link', async (c) => {
      const stepToken = readProofCookie(deps.config, 'second_step', c.req.header('cookie'));
      const input = await parseBody(c, requestSignInLinkSchema);
      await requestSignInLink(deps, input, { ...callerOf(c), stepToken });
      return c.json({ status: true });
    })
    .post('/api/auth/open-sign-in-link', async (c) => {
      const { token } = await parseBody(c, linkTokenSchema);
      const { email, cookie } = await openSignInLink(deps, token, browserOf(c).deviceToken);
      setCookies(c, [cookie]);
      return c.json({ email });
    });
}
