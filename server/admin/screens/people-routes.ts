import { Hono } from 'hono';
import { z } from 'zod';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { cleanText } from '#server/platform/clean-text.ts';
import { parseQuery } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { readAbuse } from '../abuse/read-abuse.ts';
import { requireOperator } from '../operators/require-operator.ts';
import { auditCursorSchema, exportAudit, listAudit } from './list-audit.ts';
import { listPersonalData } from './list-personal-data.ts';
import { readToday } from './read-today.ts';
import { readUserScreen } from './read-user-screen.ts';
import { searchUsers } from './search-users.ts';

const text = (most: number) => z.string().transform(cleanText).pipe(z.string().trim().min(1).max(most));

export const usersQuery = z.strictObject({ find: text(254) });

export const auditQuery = z.strictObject({
  actor: text(254).optional(),
  act: text(40).optional(),
  userId: z.uuid().toLowerCase().optional(),
  cursor: auditCursorSchema.optional(),
});

/** The screens about users and the product's work, and what operators did. They hold nothing that a user wrote. */
export function peopleRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .get('/api/admin/today', async (c) => {
      await requireOperator(deps, c);
      return c.json(await readToday(deps));
    })
    .get('/api/admin/users', async (c) => {
      await requireOperator(deps, c);
      return c.json({ users: await searchUsers(deps, parseQuery(c, usersQuery).find) });
    })
    .get('/api/admin/users/:id', async (c) => {
      await requireOperator(deps, c);
      return c.json(await readUserScreen(deps, parseId(c)));
    })
    .get('/api/admin/abuse', async (c) => {
      await requireOperator(deps, c);
      return c.json(await readAbuse(deps));
    })
    .get('/api/admin/personal-data', async (c) => {
      await requireOperator(deps, c);
      return c.json(await listPersonalData(deps));
    })
    .get('/api/admin/audit', async (c) => {
      await requireOperator(deps, c);
      const { actor = null, act = null, userId = null, cursor = null } = parseQuery(c, auditQuery);
      return c.json(await listAudit(deps, { actor, act, userId }, cursor));
    })
    .get('/api/admin/audit.csv', async (c) => {
      await requireOperator(deps, c);
      return c.body(ReadableStream.from(exportAudit(deps)).pipeThrough(new TextEncoderStream()), 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="audit.csv"',
      });
    });
}
