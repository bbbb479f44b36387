import { Hono } from 'hono';
import { z } from 'zod';
import { updateConversationSchema } from '#contract/chat.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { cursorSchema, limitSchema, parseBody, parseQuery } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { presentConversation } from '../message-store/present.ts';
import { searchRoutes } from '../search/search-routes.ts';
import { changeConversation } from './change-conversation.ts';
import { deleteConversation } from './delete-conversation.ts';
import { exportRoutes } from './export-routes.ts';
import { listConversations, listRunning } from './list-conversations.ts';
import { readConversation } from './read-conversation.ts';
import { restoreConversation } from './restore-conversation.ts';

export const conversationsQuery = z.strictObject({
  cursor: cursorSchema,
  limit: limitSchema,
  archived: z
    .enum(['true', 'false'])
    .default('false')
    .transform((archived) => archived === 'true'),
});

/** The list of conversations and each of them, as a file too, and the search in them. */
export function conversationRoutes(deps: Pick<Deps, 'database' | 'clock' | 'bus'>) {
  return new Hono<HttpEnv>()
    .get('/api/conversations', async (c) => {
      const { userId } = requireActor(c);
      const page = await listConversations(deps, userId, parseQuery(c, conversationsQuery));
      return c.json({ ...page, conversations: page.conversations.map(presentConversation) });
    })
    .get('/api/conversations/running', async (c) => c.json(await listRunning(deps, requireActor(c).userId)))
    .route('/', searchRoutes(deps))
    .route('/', exportRoutes(deps))
    .get('/api/conversations/:id', async (c) => {
      const { userId } = requireActor(c);
      return c.json(presentConversation(await readConversation(deps, userId, parseId(c))));
    })
    .patch('/api/conversations/:id', async (c) => {
      const { userId } = requireActor(c);
      const id = parseId(c);
      const wish = await parseBody(c, updateConversationSchema);
      return c.json(presentConversation(await changeConversation(deps, userId, id, wish)));
    })
    .delete('/api/conversations/:id', async (c) => {
      const { userId } = requireActor(c);
      return c.json(await deleteConversation(deps, userId, parseId(c)));
    })
    .post('/api/conversations/:id/restore', async (c) => {
      const { userId } = requireActor(c);
      return c.json(presentConversation(await restoreConversation(deps, userId, parseId(c))));
    });
}
