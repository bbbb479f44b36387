import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import { AppError } from '#server/errors.ts';
import { isDatabaseAway, refusalOf } from '../database/database-errors.ts';
import type { Log } from '../log.ts';
import { rootCause } from '../log.ts';
import { errorBody, languageOf } from '../translate.ts';
import { drainBody } from './read-body.ts';

/**
 * The answer to a request that threw: an `AppError` in the caller's language; anything else is logged in full and answered as
 * `internal`, or as `unavailable` when the database could not be reached.
 */
export async function answerError(error: unknown, c: Context, log: Log): Promise<Response> {
  const fault = faultOfError(error, c, log);
  const language = languageOf(c);
  if (fault.status === 413 && !(await drainBody(c))) c.header('connection', 'close');
  if (typeof fault.params.seconds === 'number') c.header('retry-after', String(fault.params.seconds));
  else if (fault.code === 'unavailable') c.header('retry-after', '2');
  c.header('content-language', language);
  return c.json(errorBody(fault, language), fault.status as ContentfulStatusCode);
}

/** What the caller receives for an error. An error that is no `AppError` is logged. */
export function faultOfError(error: unknown, c: Context, log: Log): AppError {
  if (error instanceof AppError) return error;
  const refusal = refusalOf(error);
  if (refusal !== null && refusal in ERROR_STATUS) return new AppError(refusal as ErrorCode);
  log.error({ err: rootCause(error), path: c.req.path }, 'a request failed');
  return new AppError(isDatabaseAway(error) ? 'unavailable' : 'internal');
}
