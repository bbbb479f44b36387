import type { Context } from 'hono';
import { Hono } from 'hono';
import { everyTurnSchema } from '#contract/message/files.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { attachment } from '#server/platform/http/attachment.ts';
import { byteRange } from '#server/platform/http/byte-range.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { languageOf } from '#server/platform/translate.ts';
import { deleteFile } from './removal/delete-files.ts';
import { presentFile } from './state/present-file.ts';
import { openContent, readThumbnail } from './state/read-content.ts';
import { readOwnFile, readReadyFile } from './state/read-own-file.ts';
import { readText } from './state/read-text.ts';
import { changeEveryTurn } from './turns/change-file.ts';
import { listConversationFiles, readUsage } from './turns/list-files.ts';
import { answerHead, answerTermination, uploadRoutes } from './uploads/upload-routes.ts';

/** Whatever a browser makes of the bytes, it may do nothing. */
const NO_RIGHTS = "default-src 'none'; sandbox";

/** Files of a user: uploads, what is known of each, its bytes as a download and nothing else. */
export function fileRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .route('/', uploadRoutes(deps))
    .get('/api/files/usage', async (c) => c.json(await readUsage(deps, requireActor(c).userId)))
    .get('/api/files/:id', async (c) => {
      const { userId } = requireActor(c);
      const file = await readOwnFile(deps, userId, parseId(c));
      return c.req.method === 'HEAD' ? answerHead(c, file) : c.json(presentFile(file, languageOf(c)));
    })
    .delete('/api/files/:id', async (c) => {
      const { userId } = requireActor(c);
      await deleteFile(deps, userId, parseId(c));
      return answerTermination(c);
    })
    .get('/api/files/:id/content', async (c) => {
      const { userId } = requireActor(c);
      return answerContent(c, deps, userId);
    })
    .get('/api/files/:id/thumbnail', async (c) => {
      const { userId } = requireActor(c);
      const image = await readThumbnail(deps, await readReadyFile(deps, userId, parseId(c)));
      return c.body(new Uint8Array(image), 200, {
        'content-type': 'image/webp',
        'cache-control': 'private, max-age=86400',
        'content-security-policy': NO_RIGHTS,
      });
    })
    .get('/api/files/:id/text', async (c) => {
      const { userId } = requireActor(c);
      return c.json(await readText(deps, await readReadyFile(deps, userId, parseId(c))));
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
      const files = await listConversationFiles(deps, userId, parseId(c));
      return c.json({ files: files.map((file) => presentFile(file, languageOf(c))) });
    });
}

async function answerContent(c: Context<HttpEnv>, deps: Deps, userId: string): Promise<Response> {
  const file = await readReadyFile(deps, userId, parseId(c));
  const range = byteRange(c.req.header('range'), file.bytes);
  if (range === 'unsatisfiable') {
    c.header('content-range', `bytes */${file.bytes}`);
    throw new AppError('range_unsatisfiable');
  }
  const { from, to } = range ?? { from: 0, to: file.bytes };
  if (range) c.header('content-range', `bytes ${from}-${to - 1}/${file.bytes}`);
  const pieces = await openContent(deps, file, { from, to });
  return c.body(ReadableStream.from(pieces) as ReadableStream, range ? 206 : 200, {
    'content-type': 'application/octet-stream',
    'content-length': String(to - from),
    'content-disposition': attachment(file.name, 'file'),
    'content-security-policy': NO_RIGHTS,
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
  });
}
