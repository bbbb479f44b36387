import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database.ts';
import { SESSION_DAYS } from './live-sessions.ts';
import { recordDevice } from './record-device.ts';
import { createSessionToken } from './renew-session.ts';
import { writeSessionCookie } from './session-cookie.ts';
import { insertSession } from './session-store.ts';

/** Where somebody signs in from. */
export interface Browser {
  address: string;
  userAgent: string | null;
}

export interface Opening extends Browser {
  userId: string;
  /** False: the session ends with the browser, and after a day. */
  rememberMe: boolean;
}

export interface OpenedSession {
  /** The value of `Set-Cookie`. */
  cookie: string;
  sessionId: string;
}

const DAY_SECONDS = 86_400;
const AGENT_MAX = 1000;

/**
 * Signs a user in by a session with a token of its own, which only the cookie tells; it counts as confirmed now. Whoever calls has
 * made sure who it is, under `lockUser`.
 */
export async function openSession(
  sql: Executor,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { userId, rememberMe, address, userAgent }: Opening,
): Promise<OpenedSession> {
  const token = createSessionToken();
  const seconds = rememberMe ? SESSION_DAYS * DAY_SECONDS : DAY_SECONDS;
  const agent = userAgent?.slice(0, AGENT_MAX) ?? null;
  const session = { userId, token, seconds, address, userAgent: agent };
  const sessionId = await insertSession(sql, session, clock.databaseTime());
  await recordDevice(sql, { config, clock }, { userId, sessionId, address, userAgent: agent });
  return { cookie: writeSessionCookie(config, token, rememberMe ? seconds : null), sessionId };
}
