import { Hono } from 'hono';
import type { Operator } from '#contract/admin/screens.ts';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { actRoutes } from './acts/act-routes.ts';
import { modelRoutes } from './models/model-routes.ts';
import { readOperator } from './operators/require-operator.ts';
import { failureRoutes } from './screens/failure-routes.ts';
import { moneyRoutes } from './screens/money-routes.ts';
import { orderRoutes } from './screens/order-routes.ts';
import { peopleRoutes } from './screens/people-routes.ts';

/** The operator's console. To any other user there is nothing here. */
export function consoleRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .use('/api/admin/*', async (c, next) => {
      await next();
      c.header('cache-control', 'no-store');
    })
    .get('/api/admin', async (c) => {
      const { email, hasSecondFactor } = await readOperator(deps, c);
      return c.json({ name: email, needsSecondFactor: !hasSecondFactor } satisfies Operator);
    })
    .route('/', peopleRoutes(deps))
    .route('/', failureRoutes(deps))
    .route('/', moneyRoutes(deps))
    .route('/', orderRoutes(deps))
    .route('/', modelRoutes(deps))
    .route('/', actRoutes(deps));
}
