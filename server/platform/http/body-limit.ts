import type { Context } from 'hono';

/** What the body of a request may have. */
export interface BodyLimit {
  bytes: number;
  /** Values of the JSON in it: objects, arrays and all that stands in them. */
  nodes: number;
  /** What it is sent as; JSON unless said otherwise. */
  type?: 'json' | 'picture' | 'piece';
}

/** Limits of routes that take more than a form, by path; the first that fits counts. */
export type BodyLimits = readonly (BodyLimit & { path: RegExp })[];

/** What every other route takes, so that a new one is bounded without saying so. */
const FORM_LIMIT: BodyLimit = { bytes: 4_096, nodes: 500 };

/** What the body of a request to `path` may have. */
export function findBodyLimit(limits: BodyLimits, path: string): BodyLimit {
  return limits.find((one) => one.path.test(path)) ?? FORM_LIMIT;
}

/** Keeps the limit of a request for the route that reads its body. */
export function keepBodyLimit(c: Context, limit: BodyLimit): void {
  c.set('bodyLimit', limit);
}

/** The limit that `keepBodyLimit` kept; the limit of a form where none was kept. */
export function bodyLimitOf(c: Context): BodyLimit {
  return (c.get('bodyLimit') as BodyLimit | undefined) ?? FORM_LIMIT;
}
