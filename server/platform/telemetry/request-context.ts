import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './tracing.ts';

/** What a line of the log is about, besides what it says itself. */
export interface RequestContext {
  requestId?: string;
  /** The id of the signed-in user, or of the owner of the API key. */
  userId?: string;
  messageId?: string;
  /** The root of the trace under way; none where traces are off. */
  span?: Span;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** What is being worked on now; undefined for what belongs to no request and no message. */
export function requestContext(): Readonly<RequestContext> | undefined {
  return storage.getStore();
}

/** What each line of the log says of it, by the names that it has there. */
export function logContext(): Record<string, string | undefined> {
  const { span, ...ids } = storage.getStore() ?? {};
  return span ? { ...ids, trace_id: span.traceId } : ids;
}

/** Runs `act`, and all that comes of it, as work about `about` and what is being worked on already. */
export function runAbout<T>(about: RequestContext, act: () => T): T {
  return storage.run({ ...storage.getStore(), ...about }, act);
}

/** Says more of what is being worked on, once it is known; nothing happens outside of `runAbout`. */
export function noteAbout(about: RequestContext): void {
  const present = storage.getStore();
  if (present) Object.assign(present, about);
}

/** Runs `act` as work about nothing: what serves several requests is no business of the one that began it. */
export function runApart<T>(act: () => T): T {
  return storage.exit(act);
}

/** Marks the trace under way as failed, where the error is not thrown on. */
export function failTrace(error: unknown): void {
  storage.getStore()?.span?.fail(error);
}
