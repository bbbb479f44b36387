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
