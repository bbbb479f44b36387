import pino, { type Logger } from 'pino';

export type Log = Logger;

/** A JSON logger on standard output that never prints a secret; `level` is a pino level or `silent`. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    redact: {
      paths: [
        'password',
        '*.password',
        'apiKey',
        '*.apiKey',
        'req.headers.cookie',
        'req.headers.authorization',
      ],
      censor: '[redacted]',
    },
  });
}

/**
 * What of an error may be logged: the innermost cause of a failed statement, since the outer message holds its parameters,
 * and none of the details in which PostgreSQL quotes values.
 */
export function rootCause(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error.message.startsWith('Failed query') && error.cause instanceof Error) return rootCause(error.cause);
  if ('detail' in error) delete error.detail;
  return error;
}
