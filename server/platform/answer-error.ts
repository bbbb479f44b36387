import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AppError } from '#server/errors.ts';
import type { Log } from './log.ts';
import { rootCause } from './root-cause.ts';
import { errorBody, readLanguage } from './translate.ts';

/** What postgres.js, PostgreSQL and sockets say when the database is away or too busy. */
const UNAVAILABLE = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  '53300',
  '57014',
  '57P01',
  '57P02',
  '57P03',
]);

/**
 * The answer to a request that threw: an `AppError` in the caller's language; anything else is logged in full and told as
 * `internal`, or as `unavailable` when the database could not be reached.
 */
export function answerError(error: unknown, c: Context, log: Log): Response {
  const fault = error instanceof AppError ? error : new AppError(hiddenCode(error));
  if (!(error instanceof AppError)) {
    log.error({ err: rootCause(error), requestId: c.get('requestId'), path: c.req.path }, 'a request failed');
  }
  const language = readLanguage({
    cookie: c.req.header('cookie'),
    acceptLanguage: c.req.header('accept-language'),
  });
  if (fault.status === 413) c.header('connection', 'close');
  if (typeof fault.params.seconds === 'number') c.header('retry-after', String(fault.params.seconds));
  else if (fault.status === 503) c.header('retry-after', '2');
  c.header('content-language', language);
  return c.json(errorBody(fault, language), fault.status as ContentfulStatusCode);
}

function hiddenCode(error: unknown) {
  const cause = rootCause(error);
  const isAway = 'code' in cause && typeof cause.code === 'string' && UNAVAILABLE.has(cause.code);
  return isAway ? 'unavailable' : 'internal';
}
