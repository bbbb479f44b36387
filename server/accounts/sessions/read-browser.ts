import type { Context } from 'hono';
import type { Config } from '#server/config.ts';
import { readProofCookie } from '../secrets/proof-cookie.ts';
import { readSessionToken, sessionCookieName } from '../secrets/session-cookie.ts';
import type { Browser } from './open-session.ts';

/** Which browser sent a request that comes from `address`. */
export function readBrowser(
  config: Pick<Config, 'publicUrl' | 'authSecret'>,
  c: Context,
  ip: string,
): Browser {
  const cookies = c.req.header('cookie');
  return {
    ip,
    userAgent: c.req.header('user-agent') ?? null,
    deviceToken: readProofCookie(config, 'device', cookies),
    sessionToken: readSessionToken(cookies, sessionCookieName(config.publicUrl), config.authSecret),
  };
}

/** Adds `Set-Cookie` values to an answer. */
export function setCookies(c: Context, cookies: readonly string[]): void {
  for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
}
