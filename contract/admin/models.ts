import { z } from 'zod';
import { bilingualSchema, laterCostSchema, tierSchema } from '../catalogue.ts';
import { pictureSizeSchema } from '../message/quotes.ts';
import { marginLineSchema } from './margin.ts';

/** What a provider charges from a day on, in US dollars; tokens by the million. Null: that is not known, or not sold. */
const upstreamPriceSchema = z.object({
  /** The first day, UTC; null: what its route in `MODELS_FILE` says, for all days. */
  from: z.iso.date().nullable(),
  /** Whether it is the price of today. */
  isCurrent: z.boolean(),
  input: z.number(),
  cachedInput: z.number().nullable(),
  output: z.number(),
  searchQuery: z.number().nullable(),
  searchedRequest: z.number().nullable(),
  pictures: z.array(z.object({ size: pictureSizeSchema, price: z.number() })),
});
export type ShownUpstreamPrice = z.infer<typeof upstreamPriceSchema>;

/** When an upstream is asked: at first; when one before it fails; when the model of the one before it is gone. */
export const UPSTREAM_ROLES = ['first', 'fallback', 'successor'] as const;

const upstreamSchema = z.object({
  /** Its host. */
  provider: z.string(),
  /** Its own name of the model. */
  model: z.string(),
  role: z.enum(UPSTREAM_ROLES),
  /** The setting without which it cannot be asked; null: it can. */
  missingSetting: z.string().nullable(),
  /** Oldest first; empty: not known. */
  prices: z.array(upstreamPriceSchema),
});
export type ShownUpstream = z.infer<typeof upstreamSchema>;

const modelLineSchema = z.object({
  id: z.string(),
  title: bilingualSchema,
  /** Credits that a message costs; of a model that makes pictures, the smallest picture. */
  cost: z.int(),
  /** The same from days that are yet to come, the first one at the front. */
  laterCosts: z.array(laterCostSchema.pick({ from: true, cost: true })),
  makesPictures: z.boolean(),
  tiers: z.array(tierSchema),
  /** Since when it is paused; null: it can be asked. */
  pausedAt: z.int().nullable(),
  /** The routes, in the order in which they are tried. */
  upstreams: z.array(upstreamSchema),
  /** Null: it gave no answer in these days. */
  margin: marginLineSchema.nullable(),
});
export type ModelLine = z.infer<typeof modelLineSchema>;

const modelChangeSchema = z.object({
  id: z.string(),
  at: z.int(),
  /** The address of an operator at that time, or who used the command line. */
  actor: z.string(),
  act: z.enum(['pause_model', 'resume_model', 'set_price', 'withdraw_price']),
  model: z.string(),
  /** Of a price: its first day, UTC, and what it replaced by what. */
  price: z.object({ from: z.iso.date(), before: z.int(), after: z.int() }).nullable(),
  reason: z.string(),
});
export type ModelChange = z.infer<typeof modelChangeSchema>;

/** `GET /api/admin/models`: every model that can be asked, in the order of the menu. `from` and `to`: the days of the margin, UTC. */
export const modelsScreenSchema = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  models: z.array(modelLineSchema),
  /** What a price may be, and the first day, UTC, from which it may be set. */
  pricing: z.object({ least: z.int(), most: z.int(), first: z.iso.date() }),
  /** The newest first, as many as are shown. */
  history: z.array(modelChangeSchema),
});
export type ModelsScreen = z.infer<typeof modelsScreenSchema>;
