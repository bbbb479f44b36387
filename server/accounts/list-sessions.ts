import type { Session } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import type { Actor } from './authenticate.ts';
import { SESSION_DAYS } from './live-sessions.ts';
import { selectSessions } from './session-store.ts';

const AGENT_LENGTH = 300;

/** Where the caller is signed in, the last used first. */
export async function listSessions(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { userId, sessionId }: Actor,
): Promise<Session[]> {
  const rows = await selectSessions(database.sql, userId, SESSION_DAYS, clock.databaseTime());
  return rows.map(({ id, userAgent, address, createdAt, usedAt }) => ({
    id,
    userAgent: (userAgent ?? '').slice(0, AGENT_LENGTH),
    address: address ?? '',
    createdAt: createdAt.getTime(),
    usedAt: usedAt.getTime(),
    current: id === sessionId,
  }));
}
