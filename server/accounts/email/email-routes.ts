import type { Context } from 'hono';
import { Hono } from 'hono';
import { changeEmailSchema, linkTokenSchema, openedLinkSchema } from '#contract/email.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { readProofCookie } from '../secrets/proof-cookie.ts';
import { type HttpEnv, requireActor } from '../sessions/authenticate.ts';
import { setCookies } from '../sessions/read-browser.ts';
import { cancelEmailChange, stopEmailChange } from './cancel-email-change.ts';
import { confirmEmailChange } from './confirm-email-change.ts';
import { readEmailState } from './read-email-state.ts';
import { requestEmailChange } from './request-email-change.ts';
import { requestVerification } from './request-verification.ts';
import { disownAccount, verifyEmail } from './verify-email.ts';

/** Whether mail reaches an address, and which address it is. `publishBalance`: credits may have come, so open tabs get the balance. */
export function emailRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>,
  ipOf: (c: Context<HttpEnv>) => string,
  publishBalance: (userId: string) => Promise<void>,
) {
  return new Hono<HttpEnv>()
    .post('/api/auth/verify-email', async (c) => {
      const link = await parseBody(c, openedLinkSchema);
      const { userId, email } = await verifyEmail(deps, link, c.get('actor'));
      await publishBalance(userId);
      return c.json({ email });
    })
    .post('/api/auth/disown-account', async (c) => {
      const { email } = await disownAccount(deps, (await parseBody(c, linkTokenSchema)).token);
      return c.json({ email });
    })
    .post('/api/auth/confirm-email-change', async (c) => {
      const link = await parseBody(c, openedLinkSchema);
      const deviceToken = readProofCookie(deps.config, 'device', c.req.header('cookie'));
      const { cookie, ...change } = await confirmEmailChange(deps, link, c.get('actor'), deviceToken);
      if (cookie !== null) setCookies(c, [cookie]);
      return c.json(change);
    })
    .post('/api/auth/stop-email-change', async (c) => {
      await stopEmailChange(deps, (await parseBody(c, linkTokenSchema)).token);
      return c.body(null, 204);
    })
    .get('/api/me/email', async (c) => c.json(await readEmailState(deps, requireActor(c))))
    .post('/api/me/email', async (c) => {
      const actor = requireActor(c);
      await requestEmailChange(deps, actor, await parseBody(c, changeEmailSchema), ipOf(c));
      return c.json(await readEmailState(deps, actor), 202);
    })
    .delete('/api/me/email/change', async (c) => {
      await cancelEmailChange(deps, requireActor(c));
      return c.body(null, 204);
    })
    .post('/api/me/email/verification', async (c) => {
      await requestVerification(deps, requireActor(c), ipOf(c));
      return c.body(null, 204);
    });
}
