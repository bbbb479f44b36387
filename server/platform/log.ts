import pino, { type DestinationStream, type Logger } from 'pino';
import { logContext } from './telemetry/request-context.ts';

export type Log = Logger;

/**
 * A JSON logger on standard output, or on `destination`, that never prints a secret; `level` is a pino level or `silent`. Each line
 * has the ids of the request, the user and the message that it is about, and of its trace where there is one.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    mixin: logContext,
    serializers: { err: serializeError },
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
  };
  return destination ? pino(options, destination) : pino(options);
}

/** What is logged of an error. Others quote: PostgreSQL the row that it refused, a mail server its recipients, a model its words. */
const ERROR_FIELDS = [
  ...['type', 'code', 'errno', 'syscall', 'severity', 'schema_name', 'table_name', 'column_name'],
  ...['constraint_name', 'kind', 'status', 'phase', 'vendorCode', 'command', 'responseCode'],
];
/** Parts as long as RFC 5321 allows: without a bound, a long text without a blank is read again from each of its letters. */
const ADDRESS = /[^\s<>"'()/@]{1,64}@[^\s<>"'()/@]{1,255}/g;

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack, ...fields } = pino.stdSerializers.err(rootCause(error));
  const allowed = Object.entries(fields).filter(([name]) => ERROR_FIELDS.includes(name));
  const written = { message: withoutAddresses(message), stack: withoutAddresses(stack) };
  return { ...Object.fromEntries(allowed), ...written };
}

/** A mail server quotes the address that it refuses in its sentence. */
function withoutAddresses(text: string): string {
  return text.replaceAll(ADDRESS, '[address]');
}

/** The innermost cause of a failed statement: the message of the outer one holds its parameters. What of it is logged, `createLog` says. */
export function rootCause(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const isWrapped = error.message.startsWith('Failed query') && error.cause instanceof Error;
  return isWrapped ? rootCause(error.cause) : error;
}
