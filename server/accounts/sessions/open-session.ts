import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { recordDevice } from '../devices/record-device.ts';
import { recordTrustedBrowser } from '../devices/record-trusted-browser.ts';
import { createSessionToken, writeOfflineKeyCookie, writeSessionCookie } from '../secrets/session-cookie.ts';
import { SESSION_DAYS, UNREMEMBERED_DAYS } from './session-rules.ts';
import { deleteOldestSessions, deleteSessionOfToken, insertSession } from './session-store.ts';

/** Where a user signs in from. */
export interface Browser {
  ip: string;
  userAgent: string | null;
  /** The token of its device cookie; null: it has none of ours. */
  deviceToken: string | null;
  /** The token of its session cookie, whoever is signed in by it; null: it has none of ours. */
  sessionToken: string | null;
}

export interface Opening extends Browser {
  userId: string;
  /** False: the session ends with the browser, and after UNREMEMBERED_DAYS. */
  rememberMe: boolean;
}

export interface OpenedSession {
  /** Values of `Set-Cookie`. */
  cookies: string[];
  sessionId: string;
}

const DAY_SECONDS = 86_400;
const MAX_AGENT = 1000;

/**
 * Signs a user in by a session with a token of its own, which only the cookie holds; it counts as confirmed now, and the browser is
 * trusted from here on. The session that this browser had ends (ASVS 7.2.4), and where the user has too many, those not used for
 * longest, which every process finds out within seconds. The caller has made sure who it is, under `lockUser`.
 */
export async function openSession(
  sql: Executor,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { userId, rememberMe, ip, userAgent, deviceToken, sessionToken }: Opening,
): Promise<OpenedSession> {
  const token = createSessionToken();
  const seconds = (rememberMe ? SESSION_DAYS : UNREMEMBERED_DAYS) * DAY_SECONDS;
  const agent = userAgent?.slice(0, MAX_AGENT) ?? null;
  const session = { userId, token, seconds, ip, userAgent: agent };
  if (sessionToken !== null) await deleteSessionOfToken(sql, sessionToken);
  const sessionId = await insertSession(sql, session, clock.databaseTime());
  await deleteOldestSessions(sql, userId, sessionId);
  await recordDevice(sql, { config, clock }, { userId, sessionId, ip, userAgent: agent });
  const deviceCookie = await recordTrustedBrowser(
    sql,
    { config, clock },
    { userId, deviceToken, signedIn: true },
  );
  const maxAge = rememberMe ? seconds : null;
  return {
    cookies: [writeSessionCookie(config, token, maxAge), deviceCookie, writeOfflineKeyCookie(config, maxAge)],
    sessionId,
  };
}
