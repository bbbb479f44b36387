import { Hono } from 'hono';
import { z } from 'zod';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { parseQuery } from '#server/platform/http/parse-body.ts';
import { requireOperator } from '../operators/require-operator.ts';
import { failureCursorSchema, listFailures } from './list-failures.ts';

export const failuresQuery = z.strictObject({ cursor: failureCursorSchema.optional() });

/** The screen about answers that failed. */
export function failureRoutes(deps: Deps) {
  return new Hono<HttpEnv>().get('/api/admin/failures', async (c) => {
    await requireOperator(deps, c);
    return c.json(await listFailures(deps, parseQuery(c, failuresQuery).cursor ?? null));
  });
}
