import { createHash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';

const YEAR_SECONDS = 31_536_000;

/** Headers of every answer (OWASP ASVS 5.0, 3.4), for a product whose users see `publicUrl`. Pages have a CSP of their own. */
function securityHeaders(publicUrl: string): Record<string, string> {
  const always = {
    'content-security-policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'cache-control': 'no-store',
  };
  if (!publicUrl.startsWith('https:')) return always;
  return { ...always, 'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains` };
}

/** Puts them on every answer, also on those that are written straight to the connection. An answer's own value wins. */
export function sendSecurityHeaders(
  publicUrl: string,
): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  const headers = Object.entries(securityHeaders(publicUrl));
  return async (c, next) => {
    const outgoing = c.env?.outgoing;
    if (outgoing) for (const [name, value] of headers) outgoing.setHeader(name, value);
    await next();
    if (outgoing) return;
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  };
}

/**
 * The CSP of one HTML page: our own files, and the inline scripts that it was built with, by their hashes; data is no script.
 * `others`: sources of one outside service whose script and frame a page may show.
 */
export function pageSecurityPolicy(html: string, others: readonly string[] = []): string {
  const hashes = inlineScripts(html).map((text) => `'sha256-${sha256(text)}'`);
  return [
    "default-src 'self'",
    directive('script-src', [...new Set(hashes), ...others]),
    directive('style-src', others),
    ...(others.length > 0 ? [directive('frame-src', others), directive('connect-src', others)] : []),
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function directive(name: string, others: readonly string[]): string {
  return [name, "'self'", ...others].join(' ');
}

/** What a sandboxed document may do beyond running our own scripts: it has no origin, so none of our rights. */
interface Sandboxed {
  sources: string;
  /** Links of it may open other tabs, which are as free as any. */
  opensTabs?: true;
}

/** By its path. */
const SANDBOXED: Record<string, Sandboxed> = {
  'sandbox/picture/index.html': { sources: 'img-src https:' },
  'sandbox/diagram/index.html': { sources: "style-src 'unsafe-inline'; img-src data:" },
  // A worker of a document without an origin is started from a blob; it is bound by the same policy.
  'sandbox/pdf/index.html': { sources: "worker-src 'self' blob:" },
  'sandbox/suggestions/index.html': { sources: "style-src 'unsafe-inline'; img-src data:", opensTabs: true },
};

/**
 * Headers of a built file under `sandbox/`, by its path: the documents that show what answers bring from outside, which only our
 * own pages may frame, and their scripts, which a document without an origin must be allowed to read.
 */
export function sandboxHeaders(path: string): Record<string, string> {
  const allowed = SANDBOXED[path];
  if (allowed === undefined) {
    return { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
  }
  const tabs = allowed.opensTabs ? ' allow-popups allow-popups-to-escape-sandbox' : '';
  return {
    'content-security-policy': `default-src 'none'; script-src 'self'; ${allowed.sources}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts${tabs}`,
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
  };
}

/** The CSP of a script, which binds it where it runs as a worker: it may load its own parts and connect nowhere. */
export const SCRIPT_POLICY = "default-src 'none'; script-src 'self'";

/** The same for the service worker, which fetches our own pages and their files. */
export const SERVICE_WORKER_POLICY = `${SCRIPT_POLICY}; connect-src 'self'`;

function inlineScripts(html: string): string[] {
  const scripts = html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi);
  return [...scripts]
    .filter(([, attributes]) => !/\ssrc=|\stype="application\/ld\+json"/i.test(attributes ?? ''))
    .map(([, , text]) => text ?? '');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
