import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { BaseDeps } from '#server/base-deps.ts';
import { AppError } from '#server/errors.ts';
import { noteAbout } from '#server/platform/telemetry/request-context.ts';
import { findCookie, sessionCookieName } from '../secrets/session-cookie.ts';
import { LiveSessions } from './live-sessions.ts';

/** Who sends a request. */
export interface Actor {
  userId: string;
  sessionId: string;
}

/** What a request carries for its route. `Bindings` are missing when a test calls `app.fetch` without a connection. */
export interface HttpEnv {
  Bindings: Partial<HttpBindings>;
  Variables: { actor: Actor | null };
}

/** Middleware that turns the session cookie into `actor`, null for a visitor: nothing is asked without a cookie of ours. */
export function authenticate(
  deps: Pick<BaseDeps, 'config' | 'database' | 'bus' | 'clock' | 'log'>,
): MiddlewareHandler<HttpEnv> {
  const name = sessionCookieName(deps.config.publicUrl);
  const sessions = new LiveSessions(deps);
  return async (c, next) => {
    const signed = findCookie(c.req.header('cookie'), name);
    const actor = signed === null ? null : await sessions.find(signed);
    c.set('actor', actor);
    if (actor) noteAbout({ userId: actor.userId });
    await next();
  };
}

/** The signed-in caller. Throws `unauthenticated` for a visitor. */
export function requireActor(c: Context<HttpEnv>): Actor {
  const actor = c.get('actor');
  if (!actor) throw new AppError('unauthenticated');
  return actor;
}
