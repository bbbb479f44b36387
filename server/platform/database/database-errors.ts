import { rootCause } from '../log.ts';

/**
 * What postgres.js, PostgreSQL, sockets and name servers say when a statement may or may not have been carried out. 25006: it came to a
 * standby that is not promoted, or to a primary that was made read-only.
 */
const CONNECTION_LOST = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '25006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
]);
/** Our pool is closed, its host unknown, the statement or its lock took too long, or the disk has no room. */
const AWAY = new Set(['CONNECTION_ENDED', 'ENOTFOUND', '57014', '55P03', '53100']);
/** A refusal of PgBouncer, such as of one client too many; PostgreSQL has the same code for a message that is not of its protocol. */
const PROTOCOL_VIOLATION = '08P01';
/** An error of PostgreSQL that has no code of its own. */
const INTERNAL = 'XX000';
const FOREIGN_KEY = '23503';
const UNIQUE = '23505';
const RESTRICT = '23001';
const LOCK_NOT_AVAILABLE = '55P03';
/** The class of errors in the values of a statement (postgresql.org/docs/current/errcodes-appendix.html). */
const DATA_EXCEPTION = '22';
const DEADLOCK = '40P01';

function codeOf(error: unknown): string {
  const cause = rootCause(error);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}

/** Whether the database was away or restarting. A caller that repeats the statement may find that it was done. */
export function isConnectionLost(error: unknown): boolean {
  return CONNECTION_LOST.has(codeOf(error)) || isPoolerRefusal(error) || isStandbyRefusal(error);
}

/** PostgreSQL names the routine that refused; PgBouncer has none to name. */
function isPoolerRefusal(error: unknown): boolean {
  return codeOf(error) === PROTOCOL_VIOLATION && !('routine' in rootCause(error));
}

/** A standby has no transaction ids to give; what writes no table, as `flush`, is refused by that and not with 25006. */
function isStandbyRefusal(error: unknown): boolean {
  const cause = rootCause(error);
  return codeOf(error) === INTERNAL && 'routine' in cause && cause.routine === 'GetNewTransactionId';
}

/** Whether the database could not serve us, so that the same request may succeed a little later. */
export function isDatabaseAway(error: unknown): boolean {
  return isConnectionLost(error) || AWAY.has(codeOf(error));
}

/** Whether another transaction took the same key or deleted what was referred to, after a statement had looked. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === UNIQUE || code === FOREIGN_KEY;
}

/** Whether a value of the statement is one that the database never takes, such as NUL in a text. */
export function isDataRefused(error: unknown): boolean {
  return codeOf(error).startsWith(DATA_EXCEPTION);
}

/** Whether the statement waited for a lock longer than its connection may. Nothing of it was done. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

/** Whether the transaction ended because it and another waited for each other. Nothing of it was done. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === DEADLOCK;
}

/** What a rule of the database is called that refused a change; null for any other error. */
export function refusalOf(error: unknown): string | null {
  const cause = rootCause(error);
  if (codeOf(error) !== RESTRICT || !('constraint_name' in cause)) return null;
  return String(cause.constraint_name);
}
