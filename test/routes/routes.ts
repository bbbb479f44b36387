import type { App } from '#server/app.ts';
import { newId } from '#server/platform/ids.ts';

export interface ServedRoute {
  method: string;
  /** As the router knows it, such as `/api/messages/:id`. */
  pattern: string;
  /** What its body is sent as. */
  contentType: string;
  /** With an id in each place for one: a new one unless given. */
  path(id?: string): string;
}

/** Routes that take no JSON. */
const TYPES: Record<string, string> = {
  '/api/me/picture': 'image/png',
  '/api/files/:id': 'application/offset+octet-stream',
};

/** Every route that is no page, as the router itself lists them: a new one is in every test that goes through all. */
export function everyRoute(app: App): ServedRoute[] {
  const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && !path.endsWith('*'));
  const unique = new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }]));
  return [...unique.values()].map(({ method, path }) => ({
    method,
    pattern: path,
    contentType: TYPES[path] ?? 'application/json',
    path: (id = newId()) => path.replace(/:\w+(\{[^}]*\})?/g, id),
  }));
}

/** Those under `/api/`. */
export function apiRoutes(app: App): ServedRoute[] {
  return everyRoute(app).filter(({ pattern }) => pattern.startsWith('/api/'));
}

/** Those of them that change something. */
export function changingRoutes(app: App): ServedRoute[] {
  return apiRoutes(app).filter(({ method }) => !['GET', 'OPTIONS'].includes(method));
}
