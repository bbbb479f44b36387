import { z } from 'zod';

export const planKeySchema = z.enum(['gemini_basic', 'gemini_pro']);
export type PlanKey = z.infer<typeof planKeySchema>;

export const cycleSchema = z.enum(['monthly', 'annual']);
export type Cycle = z.infer<typeof cycleSchema>;

export const providerSchema = z.enum(['creem', 'bagelpay']);
export type Provider = z.infer<typeof providerSchema>;

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
