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
