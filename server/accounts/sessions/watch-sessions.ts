import type { ServerResponse } from 'node:http';
import type { BaseDeps } from '#server/base-deps.ts';
import type { FirstFrame, SseHandlers, SseStream } from '#server/platform/sse.ts';
import { runApart } from '#server/platform/telemetry/request-context.ts';
import type { Actor } from './authenticate.ts';
import { onSignedOut } from './live-sessions.ts';
import { sessionLife } from './session-rules.ts';
import { findLiveSessionIds } from './session-store.ts';

/** A session that ended without a notice to this process, as by its time, is found within this time. */
const CHECK_MS = 5_000;

/** What goes on in the name of a session, and ends with it. */
export interface SessionWatch {
  /**
   * Calls `onEnd` once when the session of `actor` is over, with whether somebody ended it: else it ran out, or that was missed. The
   * returned function forgets it.
   */
  follow(actor: Actor, onEnd: (isTold: boolean) => void): () => void;
  /** As `SseHub.open`; the stream ends when the session of `actor` does. */
  openStream(actor: Actor, outgoing: ServerResponse, handlers: SseHandlers, first?: FirstFrame): SseStream;
}

interface Follower extends Actor {
  onEnd: (isTold: boolean) => void;
}

type WatchDeps = Pick<BaseDeps, 'config' | 'database' | 'clock' | 'bus' | 'log' | 'sse'>;

/** Makes the watch of this process: it learns of ended sessions by the bus, and asks the database for what it missed. */
export function watchSessions(deps: WatchDeps): SessionWatch {
  const followers = new Map<string, Set<Follower>>();
  let timer: NodeJS.Timeout | undefined;

  function forget(follower: Follower) {
    const own = followers.get(follower.sessionId);
    own?.delete(follower);
    if (own?.size === 0) followers.delete(follower.sessionId);
    if (followers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function end(sessionId: string, isTold: boolean) {
    for (const follower of followers.get(sessionId) ?? []) {
      forget(follower);
      follower.onEnd(isTold);
    }
  }

  async function check() {
    try {
      const ids = [...followers.keys()];
      const life = sessionLife(deps.config);
      const live = new Set(await findLiveSessionIds(deps.database.sql, ids, life, deps.clock.databaseTime()));
      // Not those that came meanwhile: they were not asked for.
      for (const sessionId of ids) if (!live.has(sessionId)) end(sessionId, false);
    } catch (err) {
      deps.log.warn({ err }, 'the sessions of open streams could not be checked; trying again');
    }
  }

  onSignedOut(deps.bus, (userId, sessionId) => {
    if (sessionId !== null) return end(sessionId, true);
    for (const [id, own] of followers) if ([...own].some((one) => one.userId === userId)) end(id, true);
  });
  deps.bus.onGap(() => void check());

  const watch: SessionWatch = {
    follow(actor, onEnd) {
      const follower = { ...actor, onEnd };
      const own = followers.get(actor.sessionId) ?? new Set();
      followers.set(actor.sessionId, own.add(follower));
      timer ??= runApart(() => setInterval(() => void check(), CHECK_MS).unref());
      return () => forget(follower);
    },
    openStream(actor, outgoing, handlers, first) {
      const onClose = () => {
        unfollow();
        handlers.onClose?.();
      };
      const unfollow = watch.follow(actor, () => stream.end());
      const stream = deps.sse.open(outgoing, { ...handlers, onClose }, first);
      return stream;
    },
  };
  return watch;
}
