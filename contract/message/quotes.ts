import { z } from 'zod';
import { MAX_STEPS } from '../limits.ts';

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

/** How much a model thinks before it answers. */
export const effortSchema = z.enum(['low', 'medium', 'high']);
export type Effort = z.infer<typeof effortSchema>;

/** Width to height. */
export const pictureRatioSchema = z.enum([
  '1:1',
  '3:4',
  '4:3',
  '9:16',
  '16:9',
  '2:3',
  '3:2',
  '4:5',
  '5:4',
  '21:9',
]);
export type PictureRatio = z.infer<typeof pictureRatioSchema>;
/** The longer side, roughly: 1,024, 2,048 or 4,096 pixels. */
export const pictureSizeSchema = z.enum(['1K', '2K', '4K']);
export type PictureSize = z.infer<typeof pictureSizeSchema>;
export const pictureOptionsSchema = z.strictObject({
  ratio: pictureRatioSchema.optional(),
  size: pictureSizeSchema.optional(),
});
export type PictureOptions = z.infer<typeof pictureOptionsSchema>;

/** What a message may do besides being answered. A model that lacks it: `invalid_request` with the field. */
export const sendOptionsSchema = z.strictObject({
  /** Search the web: not at all, when the model finds that it needs to, or in any case. */
  search: z.enum(['off', 'auto', 'always']).optional(),
  /** Run Python of its own at the provider. */
  code: z.boolean().optional(),
  /** One of the model's `efforts`; absent: as it thinks by itself. */
  effort: effortSchema.optional(),
  /**
   * Of a model that drives a browser: how many steps are allowed beforehand, rounded up to what whole prices cover. Without it: what the
   * price of the message covers; for more the user is asked.
   */
  computer: z.strictObject({ steps: z.int().min(1).max(MAX_STEPS) }).optional(),
  /** Of a model that makes pictures: which picture. Without a ratio the model chooses, an edit keeps that of its picture; the size is 1K. */
  picture: pictureOptionsSchema.optional(),
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
