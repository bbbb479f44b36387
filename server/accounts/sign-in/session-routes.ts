import type { Context } from 'hono';
import { Hono } from 'hono';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { languageOf } from '#server/platform/translate.ts';
import { captchaOf } from '../abuse/verify-captcha.ts';
import type { HttpEnv } from '../sessions/authenticate.ts';
import { readBrowser, setCookies } from '../sessions/read-browser.ts';
import { readSession, readSessionUser } from '../sessions/read-session.ts';
import { signOut } from '../sessions/sign-out.ts';
import { type SignedIn, signIn, signInSchema } from './sign-in.ts';
import { signUp, signUpSchema } from './sign-up.ts';

/** Ways in by a password, the way out, and who is in. `ipOf` says where a request comes from. */
export function sessionRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'bus' | 'clock'>,
  ipOf: (c: Context<HttpEnv>) => string,
) {
  const browserOf = (c: Context<HttpEnv>) => readBrowser(deps.config, c, ipOf(c));
  const callerOf = (c: Context<HttpEnv>) => ({ ...browserOf(c), captcha: captchaOf(c) });
  const welcome = async (c: Context<HttpEnv>, { userId, cookies }: SignedIn) => {
    setCookies(c, cookies);
    return readSessionUser(deps, userId);
  };
  return new Hono<HttpEnv>()
    .post('/api/auth/sign-up/email', async (c) => {
      const input = await parseBody(c, signUpSchema);
      const signedIn = await signUp(deps, input, { ...callerOf(c), language: languageOf(c) });
      return c.json({ user: await welcome(c, signedIn) });
    })
    .post('/api/auth/sign-in/email', async (c) => {
      const outcome = await signIn(deps, await parseBody(c, signInSchema), callerOf(c));
      if ('userId' in outcome) return c.json({ redirect: false, user: await welcome(c, outcome) });
      setCookies(c, [outcome.cookie]);
      return c.json(outcome.answer);
    })
    .post('/api/auth/sign-out', async (c) => {
      for (const cookie of await signOut(deps, c.get('actor')))
        c.header('set-cookie', cookie, { append: true });
      return c.json({ success: true });
    })
    .get('/api/auth/get-session', async (c) => c.json(await readSession(deps, c.get('actor'))));
}
