import { Hono } from 'hono';
import { z } from 'zod';
import { orderStatusSchema } from '#contract/billing.ts';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import { orderCursorSchema } from '#server/billing/orders/list-orders.ts';
import type { Deps } from '#server/deps.ts';
import { parseQuery } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { answerProvider } from '../billing-records/answer-provider.ts';
import { requireOperator } from '../operators/require-operator.ts';
import { listDifferences } from './list-differences.ts';
import { listOrderLines } from './list-order-lines.ts';
import { readComparison } from './read-comparison.ts';

export const operatorOrdersQuery = z.strictObject({
  status: orderStatusSchema.optional(),
  cursor: orderCursorSchema.optional(),
});

/** The screens about orders, and about what their providers say of them. */
export function orderRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .get('/api/admin/orders', async (c) => {
      await requireOperator(deps, c);
      const { status = null, cursor = null } = parseQuery(c, operatorOrdersQuery);
      return c.json(await listOrderLines(deps, { status, cursor }));
    })
    .get('/api/admin/orders/differences', async (c) => {
      await requireOperator(deps, c);
      return c.json(await listDifferences(deps, c.req.raw.signal));
    })
    .get('/api/admin/orders/:id/comparison', async (c) => {
      await requireOperator(deps, c);
      return answerProvider(c, () => readComparison(deps, parseId(c)));
    });
}
