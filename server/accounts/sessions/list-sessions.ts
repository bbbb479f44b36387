import type { Session } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import type { Actor } from './authenticate.ts';
import { sessionLife } from './session-rules.ts';
import { selectSessions } from './session-store.ts';

const AGENT_LENGTH = 300;

/** Where the caller is signed in, the last used first. */
export async function listSessions(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId, sessionId }: Actor,
): Promise<Session[]> {
  const rows = await selectSessions(database.sql, userId, sessionLife(config), clock.databaseTime());
  return rows.map(({ id, userAgent, ip, createdAt, usedAt }) => ({
    id,
    userAgent: (userAgent ?? '').slice(0, AGENT_LENGTH),
    address: ip ?? '',
    createdAt: createdAt.getTime(),
    usedAt: usedAt.getTime(),
    current: id === sessionId,
  }));
}
