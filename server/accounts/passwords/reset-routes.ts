import { type Context, Hono } from 'hono';
import { type ResetDone, resetPasswordSchema } from '#contract/accounts.ts';
import { linkTokenSchema } from '#contract/email.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { languageOf } from '#server/platform/translate.ts';
import { captchaOf } from '../abuse/verify-captcha.ts';
import type { HttpEnv } from '../sessions/authenticate.ts';
import { readBrowser, setCookies } from '../sessions/read-browser.ts';
import { readResetOffer } from './read-reset-offer.ts';
import { requestPasswordReset, requestPasswordResetSchema } from './request-password-reset.ts';
import { resetPassword } from './reset-password.ts';

/** The way back in for a user who forgot the password. `ipOf` returns where a request comes from. */
export function resetRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'bus' | 'clock'>,
  ipOf: (c: Context<HttpEnv>) => string,
) {
  return new Hono<HttpEnv>()
    .post('/api/auth/request-password-reset', async (c) => {
      await requestPasswordReset(deps, await parseBody(c, requestPasswordResetSchema), {
        ip: ipOf(c),
        language: languageOf(c),
        captcha: captchaOf(c),
      });
      return c.json({ status: true });
    })
    .post('/api/auth/reset-password/offer', async (c) =>
      c.json(await readResetOffer(deps, (await parseBody(c, linkTokenSchema)).token)),
    )
    .post('/api/auth/reset-password', async (c) => {
      const input = await parseBody(c, resetPasswordSchema);
      const { deviceToken } = readBrowser(deps.config, c, ipOf(c));
      const { voided, cookie } = await resetPassword(deps, input, deviceToken);
      setCookies(c, [cookie]);
      return c.json({ status: true, voided } satisfies ResetDone);
    });
}
