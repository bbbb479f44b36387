import type { Context } from 'hono';
import { Hono } from 'hono';
import type { Deps } from '#server/deps.ts';
import { clientAddress } from '#server/platform/client-address.ts';
import { parseBody } from '#server/platform/parse-body.ts';
import { languageOf } from '#server/platform/translate.ts';
import type { HttpEnv } from './authenticate.ts';
import { createAuth } from './create-auth.ts';
import { profileRoutes } from './profile-routes.ts';
import type { UserFacts } from './read-user-record.ts';
import { requestPasswordReset, requestPasswordResetSchema } from './request-password-reset.ts';
import { resetPassword, resetPasswordSchema } from './reset-password.ts';
import { type AuthCall, sendToAuth } from './send-to-auth.ts';
import { signIn, signInSchema } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { signUp, signUpSchema } from './sign-up.ts';

/** `/api/auth/*`: those of better-auth's routes that this product offers; and what users see of their own accounts. */
export function accountRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'bus' | 'clock'>,
  facts: UserFacts,
) {
  const auth = createAuth(deps);
  const addressOf = (c: Context<HttpEnv>) =>
    clientAddress(
      c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1',
      c.req.header('x-forwarded-for'),
      deps.config.trustProxy,
    );
  const callOf = (c: Context<HttpEnv>): AuthCall => ({ request: c.req.raw, address: addressOf(c) });
  return new Hono<HttpEnv>()
    .post('/api/auth/sign-up/email', async (c) =>
      answer(c, await signUp(deps, auth, callOf(c), await parseBody(c, signUpSchema), languageOf(c))),
    )
    .post('/api/auth/sign-in/email', async (c) =>
      answer(c, await signIn(deps, auth, callOf(c), await parseBody(c, signInSchema))),
    )
    .post('/api/auth/request-password-reset', async (c) => {
      const input = await parseBody(c, requestPasswordResetSchema);
      await requestPasswordReset(deps, input, { address: addressOf(c), language: languageOf(c) });
      return c.json({ status: true });
    })
    .post('/api/auth/reset-password', async (c) => {
      await resetPassword(deps, await parseBody(c, resetPasswordSchema));
      return c.json({ status: true });
    })
    .post('/api/auth/sign-out', async (c) => answer(c, await signOut(deps, auth, callOf(c), c.get('actor'))))
    .get('/api/auth/get-session', async (c) => answer(c, await sendToAuth(auth, callOf(c))))
    .route('/', profileRoutes(deps, facts, addressOf));
}

/**
 * Through the context, so that the headers of every answer are on this one too. The session's token stays in the cookie, where no
 * script can read it.
 */
async function answer(c: Context<HttpEnv>, response: Response) {
  for (const cookie of response.headers.getSetCookie()) c.header('set-cookie', cookie, { append: true });
  const body = JSON.stringify(await response.json(), (key, value) => (key === 'token' ? undefined : value));
  return c.body(body, 200, { 'content-type': 'application/json' });
}
