import type { Context } from 'hono';
import { Hono } from 'hono';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import { AppError } from '#server/errors.ts';
import { attachment } from '#server/platform/http/attachment.ts';
import { byteRange } from '#server/platform/http/byte-range.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { type ContentDeps, openContent, readThumbnail } from './read-content.ts';
import { readReadyFile } from './read-own-file.ts';
import { readTextPreview } from './read-text-preview.ts';

/** Whatever a browser makes of the bytes, it may do nothing. */
const NO_RIGHTS = "default-src 'none'; sandbox";

/** What is in a file: its bytes, as a download and nothing else; its small picture and its text, which are our own. */
export function contentRoutes(deps: ContentDeps) {
  return new Hono<HttpEnv>()
    .get('/api/files/:id/content', (c) => answerContent(c, deps))
    .get('/api/files/:id/thumbnail', async (c) => {
      const { userId } = requireActor(c);
      const file = await readReadyFile(deps, userId, parseId(c));
      // It never changes, but it may be deleted: a browser keeps it and asks each time.
      const kept = { etag: `"${file.id}"`, 'cache-control': 'private, no-cache' };
      if (c.req.header('if-none-match') === kept.etag) return c.body(null, 304, kept);
      const image = await readThumbnail(deps, file);
      return c.body(new Uint8Array(image), 200, {
        ...kept,
        'content-type': 'image/webp',
        'content-security-policy': NO_RIGHTS,
      });
    })
    .get('/api/files/:id/text', async (c) => {
      const { userId } = requireActor(c);
      return c.json(await readTextPreview(deps, await readReadyFile(deps, userId, parseId(c))));
    });
}

async function answerContent(c: Context<HttpEnv>, deps: ContentDeps): Promise<Response> {
  const { userId } = requireActor(c);
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
