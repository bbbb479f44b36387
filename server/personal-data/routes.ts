import { Hono } from 'hono';
import { deleteAccountSchema } from '#contract/personal-data.ts';
import { dayOf } from '#contract/time.ts';
import { clearSessionCookies } from '#server/accounts/secrets/session-cookie.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { languageOf } from '#server/platform/translate.ts';
import { deleteAccount } from './delete-account.ts';
import { listExports } from './list-exports.ts';
import { readExport } from './read-export.ts';
import { requestExport } from './request-export.ts';

/** What users may do with all that is kept of them: take it along, and have it deleted. */
export function personalDataRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .post('/api/me/delete', async (c) => {
      const actor = requireActor(c);
      const deletion = await deleteAccount(deps, actor, await parseBody(c, deleteAccountSchema));
      for (const cookie of clearSessionCookies(deps.config.publicUrl))
        c.header('set-cookie', cookie, { append: true });
      return c.json(deletion);
    })
    .post('/api/me/export', async (c) =>
      c.json(await requestExport(deps, requireActor(c), languageOf(c)), 202),
    )
    .get('/api/me/exports', async (c) => c.json({ exports: await listExports(deps, requireActor(c).userId) }))
    .get('/api/me/export/:id', async (c) => {
      const actor = requireActor(c);
      const { pieces, size, requestedAt } = await readExport(deps, actor, parseId(c));
      const name = `parley-${dayOf(requestedAt)}.zip`;
      return c.body(ReadableStream.from(pieces) as ReadableStream, 200, {
        'content-type': 'application/zip',
        'content-length': String(size),
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      });
    });
}
