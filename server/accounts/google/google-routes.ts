import { type Context, Hono } from 'hono';
import { googleStartSchema, type SignInOptions } from '#contract/accounts/google.ts';
import { returnPath } from '#contract/return-path.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { rootCause } from '#server/platform/log.ts';
import { languageOf } from '#server/platform/translate.ts';
import { readProofCookie } from '../secrets/proof-cookie.ts';
import type { HttpEnv } from '../sessions/authenticate.ts';
import { readBrowser, setCookies } from '../sessions/read-browser.ts';
import { finishGoogle } from './finish-google.ts';
import { GoogleClient } from './google-client.ts';
import { presentLanding } from './present-landing.ts';
import { keepOpener, presentPopup } from './present-popup.ts';
import { startGoogle } from './start-google.ts';

/** Signing in with Google: the way there and back. `ipOf` says where a request comes from. */
export function googleRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'bus' | 'clock'>,
  ipOf: (c: Context<HttpEnv>) => string,
) {
  const { config, log } = deps;
  const google = config.google && new GoogleClient(config.google);
  const browserOf = (c: Context<HttpEnv>) => readBrowser(config, c, ipOf(c));
  const personOf = (c: Context<HttpEnv>) => ({
    actor: c.get('actor'),
    browserToken: readProofCookie(config, 'google', c.req.header('cookie')),
    ...browserOf(c),
    language: languageOf(c),
  });
  return new Hono<HttpEnv>()
    .get('/api/auth/options', (c) => {
      const options: SignInOptions = { google: google !== null, creditsWait: config.verifiedEmailRequired };
      return c.json(options);
    })
    .get('/api/auth/google/start', async (c) => {
      keepOpener(c);
      if (!google) throw new AppError('not_found');
      refuseForeignPage(c, config.publicUrl);
      const input = googleStartSchema.safeParse(c.req.query());
      if (!input.success) throw new AppError('invalid_request', { field: 'query' });
      const returnTo = returnPath(input.data.returnTo, `/${languageOf(c)}/chat`);
      try {
        const leaving = { ...personOf(c), origin: originOf(c, deps) };
        const { location, cookie } = await startGoogle(deps, google, { ...input.data, returnTo }, leaving);
        setCookies(c, [cookie]);
        return c.redirect(location);
      } catch (error) {
        log.warn({ err: rootCause(error) }, 'the browser could not be sent to Google');
        return presentLanding(c, { ...input.data, returnTo }, { outcome: 'failed', cookies: [] });
      }
    })
    .get('/api/auth/google/callback', async (c) => {
      keepOpener(c);
      if (!google) throw new AppError('not_found');
      const query = new URL(c.req.url).searchParams;
      const { flow, ending } = await finishGoogle(deps, google, query, personOf(c));
      if (flow) return presentLanding(c, flow, ending);
      const home = `/${languageOf(c)}/chat`;
      if (c.get('actor')) return c.redirect(home);
      return presentLanding(c, { purpose: 'sign-in', mode: 'redirect', returnTo: home, flow: '' }, ending);
    })
    .get('/api/auth/google/done', (c) => {
      keepOpener(c);
      return presentPopup(c);
    });
}

/** The page of another site must not start a flow: its visitors would be signed in here against their will. */
function refuseForeignPage(c: Context<HttpEnv>, publicUrl: string) {
  const site = c.req.header('sec-fetch-site') ?? 'none';
  if (site !== 'none' && site !== 'same-origin')
    throw new AppError('cross_site_request', { origin: publicUrl });
}

/** Our origin under the name that this browser uses, where it is one of ours. */
function originOf(c: Context<HttpEnv>, { config }: Pick<Deps, 'config'>): string {
  const { protocol } = new URL(config.publicUrl);
  const asked = `${protocol}//${c.req.header('host')}`;
  return config.trustedOrigins.includes(asked) ? asked : config.publicUrl;
}
