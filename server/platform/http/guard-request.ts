import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { AppError } from '#server/errors.ts';
import { type BodyLimit, type BodyLimits, findBodyLimit, keepBodyLimit } from './body-limit.ts';
import { refuseAnnounced } from './read-body.ts';

export interface RequestRules {
  /** Origins that may send changes. */
  trustedOrigins: readonly string[];
  bodyLimits: BodyLimits;
}

type Env = { Bindings: Partial<HttpBindings> };

/**
 * Refuses what no route may receive: a change that another site's page sends, a body that is too large, compressed or not
 * JSON (OWASP ASVS 5.0, 3.5.1 to 3.5.3). A caller without any sign of a browser is no cross-site request.
 */
export function guardRequest({ trustedOrigins, bodyLimits }: RequestRules): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (isChange(c.req.method)) {
      refuseCrossSite((name) => c.req.header(name), trustedOrigins);
      refuseBody(c, bodyLimits);
    }
    await next();
  };
}

/** Checks bodies alone: for paths that ignore cookies, where every origin may call. */
export function limitBodies(bodyLimits: BodyLimits): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (isChange(c.req.method)) refuseBody(c, bodyLimits);
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

function refuseBody(c: Context<Env>, bodyLimits: BodyLimits) {
  const header: Header = (name) => c.req.header(name);
  const limit = findBodyLimit(bodyLimits, c.req.path);
  refuseAnnounced(header('content-length'), limit.bytes);
  if (hasBody(header)) TYPES[limit.type ?? 'json'](header);
  keepBodyLimit(c, limit);
}

const TYPES: Record<NonNullable<BodyLimit['type']>, (header: Header) => void> = {
  json: refuseOtherThanJson,
  picture: refuseOtherThanPicture,
  piece: refuseOtherThanPiece,
};

function hasBody(header: Header): boolean {
  return Number(header('content-length') ?? 0) > 0 || header('transfer-encoding') !== undefined;
}

function refuseOtherThanJson(header: Header) {
  const type = header('content-type')?.split(';')[0]?.trim().toLowerCase();
  const encoding = header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (type !== 'application/json' || encoding !== 'identity') throw new AppError('unsupported_media_type');
}

/** A form of another site cannot send these types, and no script without asking first. */
function refuseOtherThanPicture(header: Header) {
  if (!/^image\/[a-z+.-]+$/i.test(header('content-type') ?? '')) throw new AppError('unsupported_media_type');
}

/** What tus says of a piece of a file (https://tus.io/protocols/resumable-upload#patch). */
function refuseOtherThanPiece(header: Header) {
  const encoding = header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (header('content-type') !== 'application/offset+octet-stream' || encoding !== 'identity')
    throw new AppError('unsupported_media_type');
}
