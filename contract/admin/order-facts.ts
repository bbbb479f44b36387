import { z } from 'zod';
import { orderStatusSchema, subscriptionStateSchema } from '../billing.ts';

const maybeTime = z.int().nullable();

export const FACT_KINDS = ['checkout', 'payment', 'subscription', 'refund', 'dispute', 'unknown'] as const;

/** Where a provider says that a checkout, a subscription or a refund stands. */
export const FACT_STATUSES = [
  ...['open', 'completed', 'failed', 'abandoned', 'expired'],
  ...['unknown', 'trialing', 'active', 'scheduled_cancel', 'past_due', 'unpaid', 'paused', 'canceled'],
  ...['pending', 'succeeded'],
] as const;

/** Why something that a provider said was not understood. */
export const FACT_PROBLEMS = [
  'no_object',
  'unknown_type',
  'nothing_known',
  'no_id',
  'unknown_status',
  'no_charge',
  'id_too_long',
  'other',
] as const;
export type FactProblem = (typeof FACT_PROBLEMS)[number];

/** One thing that a provider said, in codes: what distinguishes it from others. Money in minor units. */
export const factLineSchema = z.object({
  kind: z.enum(FACT_KINDS),
  status: z.enum(FACT_STATUSES).nullable(),
  /** What was paid; null: it is not about that, or the provider did not say. */
  paid: z.object({ minor: z.int(), currency: z.string().nullable() }).nullable(),
  /** The refund of a charge, and what had been paid; null: it is not about that. */
  refunded: z.object({ minor: z.int().nullable(), of: z.int().nullable() }).nullable(),
  email: z.string().nullable(),
  /** The provider did not say of which order: it is a guess. */
  isInferred: z.boolean(),
  orderId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  at: maybeTime,
  /** What the provider calls it, and why it was not understood; null: it was. */
  problem: z.object({ type: z.string(), code: z.enum(FACT_PROBLEMS) }).nullable(),
});
export type FactLine = z.infer<typeof factLineSchema>;

const change = z.enum(['gone', 'new']);

/** One thing that would change if what the provider says were taken over; `gone`: we have it, and would not. */
export const differenceSchema = z.discriminatedUnion('what', [
  z.object({ what: z.literal('order'), change, orderId: z.uuid(), status: orderStatusSchema }),
  z.object({
    what: z.literal('subscription'),
    change,
    subscriptionId: z.string().nullable(),
    state: subscriptionStateSchema,
    renews: z.boolean(),
    paidUntil: maybeTime,
  }),
  z.object({
    what: z.literal('grant'),
    change,
    paymentKey: z.string(),
    credits: z.int(),
    endsAt: z.int(),
  }),
  z.object({
    what: z.literal('revocation'),
    change,
    paymentKey: z.string(),
    credits: z.int(),
    reason: z.string(),
  }),
  z.object({ what: z.literal('set_aside'), change, subject: z.string(), reason: z.string() }),
]);
export type Difference = z.infer<typeof differenceSchema>;
