import { z } from 'zod';

/** Ranges of days that are chosen by their number; today is the last one of each. */
export const MARGIN_DAYS = ['1', '7', '30', '90'] as const;
/** Longest range of days that is read at once. */
export const MAX_MARGIN_DAYS = 366;

const day = z.iso.date();

/**
 * `GET /api/admin/margin`, and `margin.csv`: days in UTC, as `YYYY-MM-DD`. `days`: so many up to `to`, where `from` is not given.
 * `users=paid`: of users who had a plan, alone.
 */
export const marginQuery = z.strictObject({
  days: z.enum(MARGIN_DAYS).optional(),
  from: day.optional(),
  to: day.optional(),
  users: z.enum(['paid']).optional(),
});
export type MarginQuery = z.infer<typeof marginQuery>;

/** One line; money in millionths of a US dollar. */
export const marginLineSchema = z.object({
  /** The model, the plan (`free` without one) or the features (`files+search`) that the line is about; null: all. */
  name: z.string().nullable(),
  answers: z.int(),
  credits: z.int(),
  /** What the spent credits were worth. */
  revenue: z.int(),
  cost: z.int(),
  margin: z.int(),
  /** The margin in percent of the revenue, to a tenth; null: there was no revenue. */
  percent: z.number().nullable(),
  /** What of the cost is estimated. */
  estimated: z.int(),
  /** Answers, titles and follow-ups whose cost is not known, and not in it. */
  unknown: z.int(),
  /** Sold for less than it cost. */
  isBelowCost: z.boolean(),
});
export type MarginLine = z.infer<typeof marginLineSchema>;

/** What answers earned and cost: each list adds up to `total`, what sold below cost first. */
export const marginSchema = z.object({
  /** The first and the last day. */
  from: day,
  to: day,
  total: marginLineSchema,
  byModel: z.array(marginLineSchema),
  byPlan: z.array(marginLineSchema),
  byFeature: z.array(marginLineSchema),
  /** Currencies in which plans were sold and which are not in the revenue. */
  otherCurrencies: z.array(z.string()),
});
export type MarginScreen = z.infer<typeof marginSchema>;
