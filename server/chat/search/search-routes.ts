import { Hono } from 'hono';
import { z } from 'zod';
import { MAX_SEARCH } from '#contract/limits.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { cursorSchema, limitSchema, parseQuery } from '#server/platform/http/parse-body.ts';
import { searchConversations } from './search-conversations.ts';

export const searchQuery = z.strictObject({
  q: z.string().trim().min(1).max(MAX_SEARCH),
  cursor: cursorSchema,
  limit: limitSchema,
});

/** `GET /api/conversations/search`. */
export function searchRoutes(deps: Pick<Deps, 'database'>) {
  return new Hono<HttpEnv>().get('/api/conversations/search', async (c) => {
    const { userId } = requireActor(c);
    return c.json(await searchConversations(deps, userId, parseQuery(c, searchQuery)));
  });
}
