import { checkoutSchema, downgradeSchema, subscriptionChoiceSchema } from '#contract/billing.ts';
import { ordersQuery } from '#server/billing/routes.ts';
import { noBodySchema } from '#server/billing/subscriptions/subscription-routes.ts';
import { asks, type RouteInput, takes } from '../routes/route-input.ts';

/** What the routes of billing read. */
export const BILLING_INPUTS: Readonly<Record<string, RouteInput>> = {
  'POST /api/createCheckout': takes(checkoutSchema),
  'GET /api/orders': asks(ordersQuery),
  'POST /api/subscription/cancel': takes(subscriptionChoiceSchema),
  'POST /api/subscription/resume': takes(subscriptionChoiceSchema),
  'POST /api/subscription/downgrade': takes(downgradeSchema),
  'POST /api/subscription/portal': takes(noBodySchema),
  'POST /webhooks/creem': { body: 'bytes' },
  'POST /webhooks/bagelpay': { body: 'bytes' },
};
