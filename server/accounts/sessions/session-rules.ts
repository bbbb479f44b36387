import type { Config } from '#server/config.ts';

/** How long a session lasts whatever its expiry says, in days: at most, and without being used. */
export interface SessionLife {
  maxDays: number;
  idleDays: number;
}

/** Longest life of a session, however it is used. How long one lasts unused is a setting, SESSION_IDLE_DAYS in `config.ts`. */
export const SESSION_DAYS = 30;

/** The same without "remember me"; its cookie ends with the browser. */
export const UNREMEMBERED_DAYS = 1;

/** Most sessions of a user. */
export const MAX_SESSIONS = 100;

/** How long sessions last: at most, and without being used. */
export function sessionLife({ sessionIdleDays }: Pick<Config, 'sessionIdleDays'>): SessionLife {
  return { maxDays: SESSION_DAYS, idleDays: sessionIdleDays };
}
