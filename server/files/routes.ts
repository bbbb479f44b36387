import { Hono } from 'hono';
import { deletionQuery, everyTurnSchema, type FilePage } from '#contract/message/files.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody, parseQuery } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { languageOf } from '#server/platform/translate.ts';
import { changeEveryTurn } from './message-files/change-every-turn.ts';
import { filesQuery, listConversationFiles } from './message-files/list-conversation-files.ts';
import { deleteFile } from './removal/delete-file.ts';
import { contentRoutes } from './state/content-routes.ts';
import { presentFile } from './state/present-file.ts';
import { readOwnFile } from './state/read-own-file.ts';
import { readUsage } from './uploads/read-usage.ts';
import { answerHead, answerTermination, uploadRoutes } from './uploads/upload-routes.ts';

/** Files of a user: uploads, what is known of each, what is in it. */
export function fileRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .route('/', uploadRoutes(deps))
    .route('/', contentRoutes(deps))
    .get('/api/files/usage', async (c) => c.json(await readUsage(deps, requireActor(c).userId)))
    .get('/api/files/:id', async (c) => {
      const { userId } = requireActor(c);
      const file = await readOwnFile(deps, userId, parseId(c));
      return c.req.method === 'HEAD' ? answerHead(c, file) : c.json(presentFile(file, languageOf(c)));
    })
    .delete('/api/files/:id', async (c) => {
      const { userId } = requireActor(c);
      const { unnamed } = parseQuery(c, deletionQuery);
      await deleteFile(deps, userId, parseId(c), unnamed === 'true');
      return answerTermination(c);
    })
    .put('/api/files/:id/every-turn', async (c) => {
      const { userId } = requireActor(c);
      const id = parseId(c);
      await readOwnFile(deps, userId, id);
      const { everyTurn } = await parseBody(c, everyTurnSchema);
      return c.json(presentFile(await changeEveryTurn(deps, userId, id, everyTurn), languageOf(c)));
    })
    .get('/api/conversations/:id/files', async (c) => {
      const { userId } = requireActor(c);
      const { cursor = null } = parseQuery(c, filesQuery);
      const { files, nextCursor } = await listConversationFiles(deps, userId, parseId(c), cursor);
      const page: FilePage = { files: files.map((file) => presentFile(file, languageOf(c))), nextCursor };
      return c.json(page);
    });
}
