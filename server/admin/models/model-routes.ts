import { Hono } from 'hono';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { requireOperator } from '../operators/require-operator.ts';
import { listModels } from './list-models.ts';

/** The screen about models. */
export function modelRoutes(deps: Deps) {
  return new Hono<HttpEnv>().get('/api/admin/models', async (c) => {
    await requireOperator(deps, c);
    return c.json(await listModels(deps));
  });
}
