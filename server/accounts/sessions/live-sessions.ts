import { MINUTE_MS } from '#contract/time.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import type { Bus } from '#server/platform/database/bus.ts';
import { verifySessionToken } from '../secrets/session-cookie.ts';
import { sessionLife } from './session-rules.ts';
import { findLiveSession, type LiveSession, touchSession } from './session-store.ts';

const TOPIC = 'sessions';
/** How long an answer of the database counts: an end without a notice is seen within this time. */
const FRESH_MS = 5_000;
const MAX_REMEMBERED = 10_000;
/** How exactly the last use of a session is noted. */
const TOUCH_MS = 5 * MINUTE_MS;

/**
 * Informs every process that a session of the user is over, all of them where `sessionId` is null: its streams end, and no one is let
 * in by it any more. To be called after the session's row is gone.
 */
export function publishSignedOut(bus: Bus, userId: string, sessionId: string | null) {
  bus.publish(TOPIC, { userId, sessionId, over: true });
}

/** Informs every process that a session has another token: the former one is not accepted any more. Its streams go on. */
export function publishNewToken(bus: Bus, userId: string, sessionId: string) {
  bus.publish(TOPIC, { userId, sessionId, over: false });
}

/** Calls back when a session of a user is over, all of them where it is null. */
export function onSignedOut(bus: Bus, listener: (userId: string, sessionId: string | null) => void) {
  return bus.subscribe(TOPIC, ({ userId, sessionId, over }) => {
    if (over) listener(String(userId), sessionId === null ? null : String(sessionId));
  });
}

type LiveDeps = Pick<BaseDeps, 'config' | 'database' | 'bus' | 'clock' | 'log'>;

/** Looks up who a session cookie belongs to. A page asks several things at once, and each would ask the database. */
export class LiveSessions {
  private readonly deps: LiveDeps;
  /** The sessions by the value of their cookie, so that a signature is checked once. */
  private readonly known = new Map<string, { session: LiveSession; until: number }>();
  /** Grows with every end of a session: what was asked before is not remembered after. */
  private ends = 0;

  constructor(deps: LiveDeps) {
    this.deps = deps;
    deps.bus.subscribe(TOPIC, ({ userId, sessionId }) =>
      this.forget(
        (session) => session.userId === userId && (sessionId ?? session.sessionId) === session.sessionId,
      ),
    );
    deps.bus.onGap(() => this.forget(() => true));
  }

  /** The live session of a cookie's value; null for one that is over or never was. */
  async find(signed: string): Promise<LiveSession | null> {
    const known = this.known.get(signed);
    if (known && known.until > performance.now()) return known.session;
    const { ends } = this;
    const { database, clock, config } = this.deps;
    const token = verifySessionToken(signed, config.authSecret);
    if (token === null) return null;
    const at = clock.databaseTime();
    const session = await database.pinned((sql) => findLiveSession(sql, token, sessionLife(config), at));
    this.known.delete(signed);
    if (!session) return null;
    if (ends === this.ends) this.remember(signed, session);
    this.touch(session);
    return session;
  }

  /** No request waits for it: what is shown may be a little old. */
  private touch({ sessionId, usedAt }: LiveSession) {
    const { database, clock, log } = this.deps;
    const now = clock.now();
    if (now.getTime() - usedAt.getTime() < TOUCH_MS) return;
    touchSession(database.sql, sessionId, now, TOUCH_MS).catch((err) =>
      log.debug({ err }, 'the use of a session was not noted'),
    );
  }

  private remember(signed: string, session: LiveSession) {
    const now = performance.now();
    for (const [oldest, { until }] of this.known) {
      if (until > now && this.known.size < MAX_REMEMBERED) break;
      this.known.delete(oldest);
    }
    this.known.set(signed, { session, until: now + FRESH_MS });
  }

  private forget(isOver: (session: LiveSession) => boolean) {
    this.ends += 1;
    for (const [signed, { session }] of this.known) if (isOver(session)) this.known.delete(signed);
  }
}
