import { z } from 'zod';

/** What a price is made of; a message without extras has the line `message` alone. */
const priceKindSchema = z.enum(['message', 'files', 'search', 'picture', 'computer']);

/**
 * What a message may cost, in Credits, worked out before it is sent: no more than `max` is held or charged, and what does not run
 * is not charged. `params` are the numbers that a line comes from: `tokens`, `each`, `most`, `steps`.
 */
export const quoteSchema = z.object({
  max: z.int(),
  lines: z.array(z.object({ kind: priceKindSchema, max: z.int(), params: z.record(z.string(), z.number()) })),
});
export type Quote = z.infer<typeof quoteSchema>;

/** What a message did cost, in Credits, line by line as quoted; a line that cost nothing is left out. */
export const chargeSchema = z.object({
  total: z.int(),
  lines: z.array(z.object({ kind: priceKindSchema, credits: z.int() })),
});
export type Charge = z.infer<typeof chargeSchema>;

/** What a message may do besides being answered. */
export const sendOptionsSchema = z.strictObject({
  /** Search the web: not at all, when the model finds that it needs to, or in any case. */
  search: z.enum(['off', 'auto', 'always']).optional(),
});
export type SendOptions = z.infer<typeof sendOptionsSchema>;

/** `POST /api/quotes`: what a message of this kind may cost, answered with a `Quote`. Nothing is held or kept. */
export const quoteRequestSchema = z.strictObject({
  conversationId: z.uuid().optional(),
  parentId: z.uuid().nullable().optional(),
  model: z.string().min(1).max(100),
  content: z.string().optional(),
  options: sendOptionsSchema.optional(),
  /** Files of this message; those of the branch above that are read in every turn are added by the server. */
  files: z.array(z.uuid()).max(100).optional(),
});
