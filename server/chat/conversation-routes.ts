import { Hono } from 'hono';
import { z } from 'zod';
import { type HttpEnv, requireActor } from '#server/accounts/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { parseQuery } from '#server/platform/parse-body.ts';
import { listConversations } from './list-conversations.ts';
import { limitSchema, parseId } from './parse-id.ts';
import { presentConversation } from './present.ts';
import { readConversation } from './read-conversation.ts';

const conversationsQuery = z.strictObject({
  cursor: z.string().max(100).nullable().default(null),
  limit: limitSchema,
});

/** `GET /api/conversations` and `GET /api/conversations/{id}`. */
export function conversationRoutes(deps: Pick<Deps, 'database'>) {
  return new Hono<HttpEnv>()
    .get('/api/conversations', async (c) => {
      const { userId } = requireActor(c);
      const page = await listConversations(deps, userId, parseQuery(c, conversationsQuery));
      return c.json({ ...page, conversations: page.conversations.map(presentConversation) });
    })
    .get('/api/conversations/:id', async (c) => {
      const { userId } = requireActor(c);
      return c.json(presentConversation(await readConversation(deps, userId, parseId(c))));
    });
}
