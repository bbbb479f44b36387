import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { AppError } from '#server/errors.ts';
import { refuseAnnounced } from './read-body.ts';

export interface RequestRules {
  /** Origins that may send changes. */
  trustedOrigins: readonly string[];
  /** Bytes that no body may exceed. */
  bodyLimit: number;
  /** Paths that take the bytes of a picture instead of JSON, and how many. */
  pictures?: Readonly<Record<string, number>>;
}

type Env = { Bindings: Partial<HttpBindings> };

/**
 * Refuses what no route may receive: a change that another site's page sends, a body that is too large, compressed or not
 * JSON (OWASP ASVS 5.0, 3.5.1 to 3.5.3). A caller without any sign of a browser is no cross-site request.
 */
export function guardRequest(rules: RequestRules): MiddlewareHandler<Env> {
  return async (c, next) => {
    const header = (name: string) => c.req.header(name);
    if (isChange(c.req.method)) {
      refuseCrossSite(header, rules.trustedOrigins);
      const most = rules.pictures?.[c.req.path];
      if (most === undefined) refuseBody(header, rules.bodyLimit);
      else refuseOtherThanPicture(header, most);
    }
    await next();
  };
}

/** A form of another site cannot send these types, and no script without asking first. */
function refuseOtherThanPicture(header: Header, most: number) {
  refuseAnnounced(header('content-length'), most);
  if (hasBody(header) && !/^image\/[a-z+.-]+$/i.test(header('content-type') ?? ''))
    throw new AppError('unsupported_media_type');
}

/** The same for bodies alone, where no cookie says who calls and so every origin may. */
export function guardBody(bodyLimit: number): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (isChange(c.req.method)) refuseBody((name) => c.req.header(name), bodyLimit);
    await next();
  };
}

function isChange(method: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method);
}

type Header = (name: string) => string | undefined;

function refuseCrossSite(header: Header, trusted: readonly string[]) {
  const site = header('sec-fetch-site');
  const origin = header('origin') ?? originOf(header('referer'));
  const isForeignOrigin = origin !== undefined && !trusted.includes(origin);
  if (isForeignOrigin || (site !== undefined && site !== 'same-origin')) {
    throw new AppError('cross_site_request', { origin: trusted[0] ?? '' });
  }
}

function originOf(referer: string | undefined): string | undefined {
  return referer === undefined ? undefined : (URL.parse(referer)?.origin ?? 'null');
}

function refuseBody(header: Header, bodyLimit: number) {
  refuseAnnounced(header('content-length'), bodyLimit);
  if (hasBody(header)) refuseOtherThanJson(header);
}

function hasBody(header: Header): boolean {
  return Number(header('content-length') ?? 0) > 0 || header('transfer-encoding') !== undefined;
}

function refuseOtherThanJson(header: Header) {
  const type = header('content-type')?.split(';')[0]?.trim().toLowerCase();
  const encoding = header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (type !== 'application/json' || encoding !== 'identity') throw new AppError('unsupported_media_type');
}
