import { hkdfSync } from 'node:crypto';
import type { Config } from '#server/config.ts';
import { readSessionToken, signSessionToken } from './session-cookie.ts';

/**
 * What a browser holds beside a session: a sign-in that waits for its second step, a passkey that was asked for, a way to Google, or
 * the token by which it is trusted (`recordTrustedBrowser`).
 */
export type ProofCookie = 'second_step' | 'passkey' | 'google' | 'device';

type CookieConfig = Pick<Config, 'publicUrl' | 'authSecret'>;

/** The `Set-Cookie` value that gives a browser the token of a proof for `maxAge` seconds. No script sees it. */
export function writeProofCookie(
  config: CookieConfig,
  kind: ProofCookie,
  token: string,
  maxAge: number,
): string {
  return cookieOf(config, kind, encodeURIComponent(signSessionToken(token, keyOf(config, kind))), maxAge);
}

/** The `Set-Cookie` value that takes it away again. */
export function clearProofCookie(config: CookieConfig, kind: ProofCookie): string {
  return cookieOf(config, kind, '', 0);
}

/** The token in a `Cookie` header; null when there is none or its signature is not ours. */
export function readProofCookie(
  config: CookieConfig,
  kind: ProofCookie,
  header: string | undefined,
): string | null {
  return readSessionToken(header, nameOf(config, kind), keyOf(config, kind));
}

function cookieOf(config: CookieConfig, kind: ProofCookie, value: string, maxAge: number): string {
  const secure = config.publicUrl.startsWith('https:') ? ['Secure'] : [];
  const attributes = [`Max-Age=${maxAge}`, 'Path=/', 'HttpOnly', ...secure, 'SameSite=Lax'];
  return [`${nameOf(config, kind)}=${value}`, ...attributes].join('; ');
}

function nameOf({ publicUrl }: CookieConfig, kind: ProofCookie): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}parley.${kind}`;
}

/** A key for each kind, so that no cookie of one can stand for another. */
function keyOf({ authSecret }: CookieConfig, kind: ProofCookie): string {
  return Buffer.from(hkdfSync('sha256', authSecret, '', `parley cookie ${kind}`, 32)).toString('base64url');
}
