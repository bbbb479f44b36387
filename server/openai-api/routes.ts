import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { parseQuery } from '#server/platform/http/parse-body.ts';
import { refuseUnknown } from '#server/platform/http/refuse-unknown.ts';
import { setHeader } from '#server/platform/http/set-header.ts';
import { answerCompletion } from './answer-completion.ts';
import { answerFault, languageOfCaller } from './answer-fault.ts';
import { listApiModels } from './list-api-models.ts';

import { presentOpenapi } from './present-openapi.ts';
import { receiveCompletion } from './question/receive-completion.ts';
import { quoteCompletion } from './verify-completion.ts';
import { verifyKey } from './verify-key.ts';

const SHOWN_HEADERS = [
  'x-request-id',
  'x-credits-quoted',
  'x-credits-charged',
  'x-credits-remaining',
  'x-ignored-parameters',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'retry-after',
].join(', ');

export const modelsQuery = z.looseObject({ all: z.enum(['true', 'false']).optional() });

/**
 * `/v1`: the API in OpenAI's shape. Only the key in `Authorization` says who calls; cookies are not looked at, so that any
 * page may call it by CORS and no page can call it in its reader's name.
 */
export function openaiRoutes(deps: Deps, { limit, bodies }: Record<'limit' | 'bodies', MiddlewareHandler>) {
  const app = new Hono<HttpEnv>();
  const openapi = presentOpenapi(deps.config);
  app.onError((error, c) => answerFault(deps, c, error));
  app.use('/v1/*', allowEveryOrigin, limit, bodies);
  app.get('/v1/openapi.json', (c) => c.json(openapi));
  app.get('/v1/models', async (c) => {
    const actor = await verifyKey(deps, c);
    const { all } = parseQuery(c, modelsQuery);
    const models = await listApiModels(deps, actor);
    return c.json({ object: 'list', data: models.filter(({ allowed }) => allowed || all === 'true') });
  });
  app.get('/v1/models/:id', async (c) => {
    const actor = await verifyKey(deps, c);
    const id = c.req.param('id');
    const model = (await listApiModels(deps, actor)).find((one) => one.id === id);
    if (!model) throw new AppError('unknown_model', { model: id.slice(0, 100) });
    return c.json(model);
  });
  app.post('/v1/chat/completions', async (c) =>
    answerCompletion(deps, c, await verifyKey(deps, c), languageOfCaller(c)),
  );
  app.post('/v1/quotes', async (c) => {
    const caller = await verifyKey(deps, c);
    const { completion, signal, leave } = await receiveCompletion(deps, c, caller.userId);
    try {
      return c.json(await quoteCompletion(deps, { ...caller, signal }, completion));
    } finally {
      leave();
    }
  });
  app.all('/v1', (c) => refuseUnknown(app, c));
  app.all('/v1/*', (c) => refuseUnknown(app, c));
  return app;
}

async function allowEveryOrigin(c: Context<HttpEnv>, next: () => Promise<void>) {
  setHeader(c, 'access-control-allow-origin', '*');
  setHeader(c, 'access-control-expose-headers', SHOWN_HEADERS);
  if (c.req.method !== 'OPTIONS') return next();
  setHeader(c, 'access-control-allow-methods', 'GET, POST');
  setHeader(c, 'access-control-allow-headers', c.req.header('access-control-request-headers') ?? '*');
  setHeader(c, 'access-control-max-age', '86400');
  return c.body(null, 204);
}
