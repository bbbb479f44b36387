import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { OFFLINE_KEY_COOKIE } from '#contract/choices.ts';
import type { Config } from '#server/config.ts';

/** Name of the session cookie. On https the `__Host-` prefix binds it to this very host and to secure connections. */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-parley.session_token' : 'parley.session_token';
}

/** The token of a new session: 256 bits of chance. */
export function createSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The cookie's value for a session token: `token.base64(HMAC-SHA256)`. */
export function signSessionToken(token: string, secret: string): string {
  return `${token}.${createHmac('sha256', secret).update(token).digest('base64')}`;
}

/** The session token of a `Cookie` header; null when there is none or its signature is not ours. */
export function readSessionToken(header: string | undefined, name: string, secret: string): string | null {
  const signed = findCookie(header, name);
  return signed === null ? null : verifySessionToken(signed, secret);
}

/** The token of a cookie's value; null when its signature is not ours. */
export function verifySessionToken(signed: string, secret: string): string | null {
  const token = signed.slice(0, Math.max(0, signed.lastIndexOf('.')));
  if (token === '') return null;
  const given = Buffer.from(signed);
  const expected = Buffer.from(signSessionToken(token, secret));
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

/**
 * The `Set-Cookie` value that gives a browser its session, for `maxAge` seconds or, where that is null, until it closes. Scripts
 * never see it, and other sites' pages send it with links alone.
 */
export function writeSessionCookie(
  { publicUrl, authSecret }: Pick<Config, 'publicUrl' | 'authSecret'>,
  token: string,
  maxAge: number | null,
): string {
  return cookieOf(publicUrl, encodeURIComponent(signSessionToken(token, authSecret)), maxAge);
}

/**
 * The `Set-Cookie` value of half the key to what a browser keeps for reading without a network: it comes with a session, lasts as
 * long, and is read by our own scripts. By itself it opens nothing (decision 62).
 */
export function writeOfflineKeyCookie(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  maxAge: number | null,
): string {
  return offlineKeyCookieOf(publicUrl, randomBytes(32).toString('base64url'), maxAge);
}

/** The `Set-Cookie` values that take the session from a browser, and with it what is kept there to read offline. */
export function clearSessionCookies(publicUrl: string): string[] {
  return [cookieOf(publicUrl, '', 0), offlineKeyCookieOf(publicUrl, '', 0)];
}

function offlineKeyCookieOf(publicUrl: string, value: string, maxAge: number | null): string {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? `__Host-${OFFLINE_KEY_COOKIE}` : OFFLINE_KEY_COOKIE;
  const age = maxAge === null ? [] : [`Max-Age=${maxAge}`];
  return [`${name}=${value}`, ...age, 'Path=/', ...(isSecure ? ['Secure'] : []), 'SameSite=Strict'].join(
    '; ',
  );
}

function cookieOf(publicUrl: string, value: string, maxAge: number | null): string {
  const age = maxAge === null ? [] : [`Max-Age=${maxAge}`];
  const secure = publicUrl.startsWith('https:') ? ['Secure'] : [];
  const attributes = [...age, 'Path=/', 'HttpOnly', ...secure, 'SameSite=Lax'];
  return [`${sessionCookieName(publicUrl)}=${value}`, ...attributes].join('; ');
}

/** The value of a cookie in a `Cookie` header; null when there is none. */
export function findCookie(header: string | undefined, name: string): string | null {
  if (!header?.includes(name)) return null;
  for (const pair of header.split(';')) {
    const split = pair.indexOf('=');
    if (split > 0 && pair.slice(0, split).trim() === name) return decode(pair.slice(split + 1).trim());
  }
  return null;
}

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
