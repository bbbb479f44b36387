import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { limitSchema, parseQuery } from '#server/platform/http/parse-body.ts';
import { idSchema, parseId } from '#server/platform/http/parse-id.ts';
import { noteAbout } from '#server/platform/telemetry/request-context.ts';
import { languageOf } from '#server/platform/translate.ts';
import { presentMessage } from '../message-store/present.ts';
import { answerRoutes } from './answer-routes.ts';
import { listBranch } from './list-branch.ts';
import { listMessages, readMessage } from './list-messages.ts';
import { sendRoutes } from './send-routes.ts';

export const messagesQuery = z.strictObject({
  conversationId: idSchema,
  before: idSchema.nullable().default(null),
  after: idSchema.nullable().default(null),
  /** Without it messages come as they were sent, whatever their branch. */
  branch: z.union([z.literal('newest'), idSchema]).optional(),
  limit: limitSchema,
});

/** Has the lines of the log name the message of a request, whichever domain answers it. */
async function noteMessage(c: Context<HttpEnv>, next: () => Promise<void>): Promise<void> {
  const { success, data } = idSchema.safeParse(c.req.param('id'));
  if (success) noteAbout({ messageId: data });
  await next();
}

/** Messages: sent, read, and their answers as events. */
export function messageRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .use('/api/messages/:id/*', noteMessage)
    .get('/api/messages', async (c) => {
      const { userId } = requireActor(c);
      const { branch, ...query } = parseQuery(c, messagesQuery);
      const language = languageOf(c);
      if (branch !== undefined) {
        const through = branch === 'newest' ? null : branch;
        const page = await listBranch(deps, userId, { ...query, branch: through });
        return c.json({ ...page, messages: page.messages.map((one) => presentMessage(one, language)) });
      }
      if (query.after !== null) throw new AppError('invalid_request', { field: 'after' });
      const { messages, nextCursor } = await listMessages(deps, userId, query);
      return c.json({ messages: messages.map((one) => presentMessage(one, language)), nextCursor });
    })
    .get('/api/messages/:id', async (c) => {
      const { userId } = requireActor(c);
      const message = await readMessage(deps, userId, parseId(c));
      if (!message) throw new AppError('not_found');
      return c.json(presentMessage(message, languageOf(c)));
    })
    .route('/', sendRoutes(deps))
    .route('/', answerRoutes(deps));
}
