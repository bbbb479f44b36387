import { Hono } from 'hono';
import { z } from 'zod';
import { entryKindSchema } from '#contract/credits.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { parseQuery } from '#server/platform/http/parse-body.ts';
import { languageOf } from '#server/platform/translate.ts';
import { exportEntries } from './export-entries.ts';
import { readSpending } from './read-spending.ts';
import { readStatement, type StatementReads } from './read-statement.ts';

export const entriesQuery = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{1,18}$/)
    .default(''),
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .default('50')
    .transform(Number)
    .pipe(z.int().min(1).max(100)),
  kind: entryKindSchema.nullable().default(null),
});
export const noQuery = z.strictObject({});

/** `GET /api/credits/entries`, `GET /api/credits/entries.csv` and `GET /api/credits/spending`: the ledger as its user sees it. */
export function creditRoutes(deps: Pick<Deps, 'database' | 'clock'>, reads: StatementReads) {
  return new Hono<HttpEnv>()
    .get('/api/credits/entries', async (c) => {
      const { userId } = requireActor(c);
      const { cursor, ...page } = parseQuery(c, entriesQuery);
      return c.json(await readStatement(deps, reads, userId, { cursor: cursor || null, ...page }));
    })
    .get('/api/credits/spending', async (c) => {
      const { userId } = requireActor(c);
      parseQuery(c, noQuery);
      return c.json(await readSpending(deps, userId));
    })
    .get('/api/credits/entries.csv', async (c) => {
      const { userId } = requireActor(c);
      parseQuery(c, noQuery);
      const language = languageOf(c);
      const text = ReadableStream.from(exportEntries(deps, reads, userId, language));
      return c.body(text.pipeThrough(new TextEncoderStream()), 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="credits.csv"',
        'cache-control': 'no-store',
      });
    });
}
