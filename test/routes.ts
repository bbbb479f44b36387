import type { App } from '#server/app.ts';
import { newId } from '#server/platform/ids.ts';

export interface ApiRoute {
  method: string;
  /** As the router knows it, such as `/api/messages/:id`. */
  pattern: string;
  /** What its body is sent as. */
  contentType: string;
  /** With an id in each place for one: a new one unless given. */
  path(id?: string): string;
}

/** Routes that take no JSON. */
const TYPES: Record<string, string> = { '/api/me/picture': 'image/png' };

/** Every route under `/api/`, as the router itself lists them: a new one is in every test that goes through all. */
export function apiRoutes(app: App): ApiRoute[] {
  const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'));
  const unique = new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }]));
  return [...unique.values()].map(({ method, path }) => ({
    method,
    pattern: path,
    contentType: TYPES[path] ?? 'application/json',
    path: (id = newId()) => path.replace(/:\w+(\{[^}]*\})?/g, id),
  }));
}

/** Those that change something. */
export function changingRoutes(app: App): ApiRoute[] {
  return apiRoutes(app).filter(({ method }) => method !== 'GET');
}
