import { Hono } from 'hono';
import { z } from 'zod';
import { checkoutSchema } from '#contract/billing.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { parseBody, parseQuery } from '#server/platform/http/parse-body.ts';
import { languageOf } from '#server/platform/translate.ts';
import { listOrders, orderCursorSchema } from './orders/list-orders.ts';
import { readReceipt } from './orders/read-receipt.ts';
import { startCheckout } from './orders/start-checkout.ts';
import { answer, subscriptionRoutes } from './subscriptions/subscription-routes.ts';

/** `GET /api/orders`. */
export const ordersQuery = z.strictObject({
  cursor: orderCursorSchema.optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .default('20')
    .transform(Number)
    .pipe(z.int().min(1).max(100)),
});

/** Checkout, orders and what an owner can do with a subscription. Answers are for this user only and are not cached. */
export function billingRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .post('/api/createCheckout', async (c) => {
      const { userId } = requireActor(c);
      const wanted = await parseBody(c, checkoutSchema);
      return answer(c, await startCheckout(deps, userId, wanted, languageOf(c)));
    })
    .get('/api/orders', async (c) => {
      const { userId } = requireActor(c);
      const { cursor = null, limit } = parseQuery(c, ordersQuery);
      return answer(c, await listOrders(deps, userId, { cursor, limit }));
    })
    .get('/api/orders/:id', async (c) => {
      const { userId } = requireActor(c);
      const id = z.uuid().safeParse(c.req.param('id'));
      if (!id.success) throw new AppError('not_found');
      return answer(c, await readReceipt(deps, userId, id.data.toLowerCase()));
    })
    .route('/', subscriptionRoutes(deps));
}
