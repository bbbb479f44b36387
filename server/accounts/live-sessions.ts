import type { Deps } from '#server/deps.ts';
import type { Bus } from '#server/platform/bus.ts';
import { userTopic } from '#server/platform/bus.ts';
import { touchSession } from './session-store.ts';
import { findLiveSession, type LiveSession } from './store.ts';

/** Longest life of a session, however it is used. */
export const SESSION_DAYS = 30;

const TOPIC = 'sessions';
/** How long an answer of the database counts: an end that no notice told us of is noticed within this time. */
const FRESH_MS = 5_000;
const MOST_REMEMBERED = 10_000;
/** How exactly the last use of a session is noted. */
const TOUCH_MS = 5 * 60_000;

/**
 * Tells every process that a session of the user is over, all of them where `sessionId` is null: its tabs are signed out, and
 * nobody is let in by it any more. To be called after the session's row is gone.
 */
export function publishSignedOut(bus: Bus, userId: string, sessionId: string | null) {
  bus.publish(TOPIC, { userId, sessionId });
  bus.publish(userTopic(userId), { type: 'signed_out', sessionId });
}

/** Looks up who a session token belongs to. A page asks several things at once, and each would ask the database. */
export class LiveSessions {
  private readonly deps: Pick<Deps, 'database' | 'bus' | 'clock' | 'log'>;
  private readonly known = new Map<string, { session: LiveSession; until: number }>();
  /** Grows with every end of a session: what was asked before is not remembered after. */
  private ends = 0;

  constructor(deps: Pick<Deps, 'database' | 'bus' | 'clock' | 'log'>) {
    this.deps = deps;
    deps.bus.subscribe(TOPIC, ({ userId, sessionId }) =>
      this.forget(
        (session) => session.userId === userId && (sessionId ?? session.sessionId) === session.sessionId,
      ),
    );
    deps.bus.onGap(() => this.forget(() => true));
  }

  /** The live session of a token; null for one that is over or never was. */
  async find(token: string): Promise<LiveSession | null> {
    const known = this.known.get(token);
    if (known && known.until > performance.now()) return known.session;
    const { ends } = this;
    const { database, clock } = this.deps;
    const at = clock.databaseTime();
    const session = await database.warm((sql) => findLiveSession(sql, token, SESSION_DAYS, at));
    this.known.delete(token);
    if (!session) return null;
    if (ends === this.ends) this.remember(token, session);
    this.touch(session);
    return session;
  }

  /** Nobody waits for it: what is shown may be a little old. */
  private touch({ sessionId, usedAt }: LiveSession) {
    const { database, clock, log } = this.deps;
    const now = clock.now();
    if (now.getTime() - usedAt.getTime() < TOUCH_MS) return;
    touchSession(database.sql, sessionId, now, TOUCH_MS).catch((err) =>
      log.debug({ err }, 'the use of a session was not noted'),
    );
  }

  private remember(token: string, session: LiveSession) {
    const now = performance.now();
    for (const [oldest, { until }] of this.known) {
      if (until > now && this.known.size < MOST_REMEMBERED) break;
      this.known.delete(oldest);
    }
    this.known.set(token, { session, until: now + FRESH_MS });
  }

  private forget(isOver: (session: LiveSession) => boolean) {
    this.ends += 1;
    for (const [token, { session }] of this.known) if (isOver(session)) this.known.delete(token);
  }
}
