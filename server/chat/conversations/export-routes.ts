import { Hono } from 'hono';
import { z } from 'zod';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { attachment } from '#server/platform/http/attachment.ts';
import { parseQuery } from '#server/platform/http/parse-body.ts';
import { idSchema, parseId } from '#server/platform/http/parse-id.ts';
import { languageOf } from '#server/platform/translate.ts';
import { exportConversation } from './export-conversation.ts';
import { fileNameOf } from './present-markdown.ts';

export const exportQuery = z.strictObject({
  format: z.enum(['md', 'json']).default('md'),
  branch: idSchema.nullable().default(null),
});
const CONTENT_TYPES = { md: 'text/markdown', json: 'application/json' };

/** `GET /api/conversations/{id}/export`. */
export function exportRoutes(deps: Pick<Deps, 'database' | 'clock'>) {
  return new Hono<HttpEnv>().get('/api/conversations/:id/export', async (c) => {
    const { userId } = requireActor(c);
    const { format, branch } = parseQuery(c, exportQuery);
    const query = { format, branch, language: languageOf(c) };
    const { conversation, pieces } = await exportConversation(deps, userId, parseId(c), query);
    const text = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());
    return c.body(text, 200, {
      'content-type': `${CONTENT_TYPES[format]}; charset=utf-8`,
      'content-disposition': attachment(fileNameOf(conversation.title, format), `conversation.${format}`),
      'cache-control': 'no-store',
    });
  });
}
