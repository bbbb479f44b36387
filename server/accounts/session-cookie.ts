import { createHmac, timingSafeEqual } from 'node:crypto';

/** Name of the session cookie. On https the `__Host-` prefix binds it to this very host and to secure connections. */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-parley.session_token' : 'parley.session_token';
}

/** The cookie's value for a session token, as better-auth signs it: `token.base64(HMAC-SHA256)`. */
export function signSessionToken(token: string, secret: string): string {
  return `${token}.${createHmac('sha256', secret).update(token).digest('base64')}`;
}

/** The session token of a `Cookie` header; null when there is none or its signature is not ours. */
export function readSessionToken(header: string | undefined, name: string, secret: string): string | null {
  const value = findCookie(header, name);
  if (value === null) return null;
  const token = value.slice(0, Math.max(0, value.lastIndexOf('.')));
  if (token === '') return null;
  const given = Buffer.from(value);
  const expected = Buffer.from(signSessionToken(token, secret));
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

function findCookie(header: string | undefined, name: string): string | null {
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
