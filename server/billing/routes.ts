import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { checkoutSchema, downgradeSchema, subscriptionChoiceSchema } from '#contract/billing.ts';
import { type HttpEnv, requireActor } from '#server/accounts/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { parseBody, parseOptionalBody, parseQuery } from '#server/platform/parse-body.ts';
import { languageOf } from '#server/platform/translate.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { listOrders } from './list-orders.ts';
import { openPortal } from './open-portal.ts';
import { readBillingStatus } from './read-billing-status.ts';
import { readReceipt } from './read-receipt.ts';
import { requestDowngrade } from './request-downgrade.ts';
import { resumeSubscription } from './resume-subscription.ts';
import { startCheckout } from './start-checkout.ts';

const ordersQuery = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{1,15}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .transform((text) => {
      const [time = '', id = ''] = text.split('_');
      return { createdAt: new Date(Number(time)), id };
    })
    .optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .default('20')
    .transform(Number)
    .pipe(z.int().min(1).max(100)),
});
const nothing = z.strictObject({});

/** Checkout, orders and what an owner can do with a subscription. Answers are for nobody else and are kept nowhere. */
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
    .get('/api/subscription', async (c) => answer(c, await readBillingStatus(deps, requireActor(c).userId)))
    .post('/api/subscription/cancel', async (c) => {
      const { userId } = requireActor(c);
      return answer(
        c,
        await cancelSubscription(deps, userId, await parseOptionalBody(c, subscriptionChoiceSchema)),
      );
    })
    .post('/api/subscription/resume', async (c) => {
      const { userId } = requireActor(c);
      const choice = await parseOptionalBody(c, subscriptionChoiceSchema);
      return answer(c, await resumeSubscription(deps, userId, choice, languageOf(c)));
    })
    .post('/api/subscription/downgrade', async (c) => {
      const { userId } = requireActor(c);
      return answer(c, await requestDowngrade(deps, userId, await parseBody(c, downgradeSchema)));
    })
    .post('/api/subscription/portal', async (c) => {
      const { userId } = requireActor(c);
      await parseOptionalBody(c, nothing);
      return answer(c, await openPortal(deps, userId, languageOf(c)));
    });
}

function answer<T extends object>(c: Context<HttpEnv>, body: T): Response {
  c.header('cache-control', 'no-store');
  return c.json(body);
}
