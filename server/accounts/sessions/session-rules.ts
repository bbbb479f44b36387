import type { Config } from '#server/config.ts';

/** How long a session lasts whatever its expiry says, in days: at most, and without being used. */
export interface SessionLife {
  maxDays: number;
  idleDays: number;
}

/** Longest life of a session, however it is used. */
export const SESSION_DAYS = 30;

/** How long sessions last: at most, and without being used. */
export function sessionLife({ sessionIdleDays }: Pick<Config, 'sessionIdleDays'>): SessionLife {
  return { maxDays: SESSION_DAYS, idleDays: sessionIdleDays };
}
