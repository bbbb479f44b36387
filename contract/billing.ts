import { z } from 'zod';
import { PLAN_KEYS, PROVIDERS } from './choices.ts';

export const planKeySchema = z.enum(PLAN_KEYS);
export type PlanKey = z.infer<typeof planKeySchema>;

export const cycleSchema = z.enum(['monthly', 'annual']);
export type Cycle = z.infer<typeof cycleSchema>;

export const providerSchema = z.enum(PROVIDERS);

/** The subscription of the specification, section 3. Times are epoch milliseconds. */
export const subscriptionSchema = z.object({
  planKey: planKeySchema,
  active: z.boolean(),
  cycle: cycleSchema,
  provider: providerSchema,
  includesComputerUse: z.boolean(),
  expiresAt: z.int().nullable(),
  updatedAt: z.int(),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

/** `pending`: paid for as it seems, not confirmed. `past_due`: its period is over and its renewal is late, within the grace. */
export const subscriptionStateSchema = z.enum([
  'pending',
  'active',
  'scheduled_cancel',
  'past_due',
  'expired',
  'refunded',
  'disputed',
]);
export type SubscriptionState = z.infer<typeof subscriptionStateSchema>;

/** A subscription with where it stands in its life. */
export const billedSubscriptionSchema = subscriptionSchema.extend({
  state: subscriptionStateSchema,
  /** Usable, and not renewed when the paid period ends. */
  cancelAtPeriodEnd: z.boolean(),
  currentPeriodStart: z.int().nullable(),
});
export type BilledSubscription = z.infer<typeof billedSubscriptionSchema>;

/** `POST /api/createCheckout`. The signed-in session decides whose order it is; another `userId` is refused. */
export const checkoutSchema = z.strictObject({
  provider: providerSchema,
  planKey: planKeySchema,
  cycle: cycleSchema,
  userId: z.string().max(100).optional(),
  userEmail: z.string().max(320).nullable().optional(),
  /** The user knows that a lower plan is charged today, although what runs is paid for longer. */
  chargeNow: z.boolean().optional(),
});
export type Checkout = z.infer<typeof checkoutSchema>;

/** Where to send the browser, and the order that comes back in the return page's address. */
export const checkoutAnswerSchema = z.object({ redirectUrl: z.url(), orderId: z.uuid() });
export type CheckoutAnswer = z.infer<typeof checkoutAnswerSchema>;

export const orderStatusSchema = z.enum(['open', 'paid', 'failed', 'abandoned', 'refunded', 'disputed']);
export type OrderStatus = z.infer<typeof orderStatusSchema>;

/** One purchase as it was offered. Times are epoch milliseconds, `credits` is what each paid period grants. */
export const orderSchema = z.object({
  id: z.uuid(),
  planKey: planKeySchema,
  cycle: cycleSchema,
  provider: providerSchema,
  priceUSD: z.number(),
  credits: z.int(),
  status: orderStatusSchema,
  createdAt: z.int(),
  paidAt: z.int().nullable(),
  /** Paid at the provider as it seems, and not confirmed to us yet. */
  confirming: z.boolean(),
  /** A charge for it was paid and is not credited: the provider's id of it, which names it to support. Null: there is none. */
  uncredited: z.string().nullable(),
});
export type Order = z.infer<typeof orderSchema>;

/** `GET /api/orders`: newest first; `nextCursor` is what to pass as `cursor` for older ones. */
export const orderPageSchema = z.object({ orders: z.array(orderSchema), nextCursor: z.string().nullable() });
export type OrderPage = z.infer<typeof orderPageSchema>;

/**
 * One charge of an order, as the provider reported it: what a receipt shows. Amounts are minor units (cents). `credits`: what it granted,
 * 0 where another charge had paid its period.
 */
export const chargeSchema = z.object({
  transactionId: z.string(),
  paidAt: z.int(),
  amountMinor: z.int(),
  currency: z.string(),
  refundedMinor: z.int(),
  disputed: z.boolean(),
  periodStart: z.int(),
  periodEnd: z.int(),
  credits: z.int(),
});
export type Charge = z.infer<typeof chargeSchema>;

/** `GET /api/orders/{id}`. Asking for an order that is open asks its provider, at most every few seconds. */
export const receiptSchema = z.object({ order: orderSchema, charges: z.array(chargeSchema) });
export type Receipt = z.infer<typeof receiptSchema>;

/** One subscription at a provider with what its owner can do about it. */
export const heldSubscriptionSchema = billedSubscriptionSchema.extend({
  orderId: z.uuid(),
  /** The provider's id; null until it reported one. */
  subscriptionId: z.string().nullable(),
  /** True when it will be charged again. False as soon as its end was asked for. */
  renews: z.boolean(),
  /** What its next charge takes as far as we know, in minor units (cents). Servers of the last release do not say it. */
  renewal: z.object({ amountMinor: z.int(), currency: z.string() }).optional(),
  /** Its end was asked for, and its provider has not confirmed it yet: we go on asking. */
  cancelling: z.boolean(),
  canCancel: z.boolean(),
  canResume: z.boolean(),
  /** Whether its provider lets a subscription go on whose end it has confirmed. */
  offersResume: z.boolean(),
});
export type HeldSubscription = z.infer<typeof heldSubscriptionSchema>;

/** `POST /api/subscription/downgrade`: what the user wants from the end of the paid period on. Nothing is charged. */
export const downgradeSchema = z.strictObject({ planKey: planKeySchema, cycle: cycleSchema });
export type Downgrade = z.infer<typeof downgradeSchema>;

/**
 * `GET /api/subscription`: the shown subscription's fields (null or false for a person who never had one), and what can be done.
 * Cancel and resume answer the same. `subscriptions` lists every one that is usable or renews, the shown one first: several that
 * renew are to be shown to the user.
 */
export const billingStatusSchema = z.object({
  planKey: planKeySchema.nullable(),
  active: z.boolean(),
  cycle: cycleSchema.nullable(),
  provider: providerSchema.nullable(),
  includesComputerUse: z.boolean(),
  expiresAt: z.int().nullable(),
  updatedAt: z.int().nullable(),
  state: subscriptionStateSchema.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  currentPeriodStart: z.int().nullable(),
  subscriptions: z.array(heldSubscriptionSchema),
  /**
   * `provider`: its own page; `unproved`: the same, once the address of the purchase is verified; `in_app`: our order list; null:
   * nothing to manage.
   */
  portal: z.enum(['provider', 'unproved', 'in_app']).nullable(),
  /** Why nothing can be bought now. */
  checkoutBlocked: z.enum(['disputed']).nullable(),
  /** The lower plan that follows what runs: it can be paid for from `from` on, and what runs ends at `until`. */
  wish: downgradeSchema
    .extend({ orderId: z.uuid(), from: z.int(), until: z.int(), open: z.boolean() })
    .nullable(),
  /** What was paid and is not credited, the newest first: the operator knows of it. `reference` names it to support. */
  uncredited: z.array(
    z.object({
      reference: z.string(),
      provider: providerSchema,
      orderId: z.uuid().nullable(),
      amountMinor: z.int().nullable(),
      currency: z.string().nullable(),
      paidAt: z.int().nullable(),
    }),
  ),
  /** The providers that can be paid with. */
  providers: z.array(providerSchema),
});
export type BillingStatus = z.infer<typeof billingStatusSchema>;

/** `POST /api/subscription/cancel` and `/resume`: which one, where there are several; the shown one without it. */
export const subscriptionChoiceSchema = z.strictObject({ orderId: z.uuid().optional() });
export type SubscriptionChoice = z.infer<typeof subscriptionChoiceSchema>;

/** `POST /api/subscription/portal`: the provider's own page, to be opened at once and kept nowhere. Null: manage it here. */
export const portalAnswerSchema = z.object({ redirectUrl: z.url().nullable() });
export type PortalAnswer = z.infer<typeof portalAnswerSchema>;
