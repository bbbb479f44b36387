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
