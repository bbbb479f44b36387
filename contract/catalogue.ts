import { z } from 'zod';
import { cycleSchema, planKeySchema, providerSchema } from './billing.ts';
import { effortSchema, pictureRatioSchema, pictureSizeSchema } from './message/quotes.ts';

/** The tier a user is on: `free` without a usable subscription. */
export const tierSchema = z.enum(['free', 'basic', 'pro']);
export type Tier = z.infer<typeof tierSchema>;

export const bilingualSchema = z.object({ zh: z.string(), en: z.string() });
export type Bilingual = z.infer<typeof bilingualSchema>;

/** What a message costs from a day on, UTC, and how much of a conversation the model reads for it. */
export const laterCostSchema = z.object({
  from: z.iso.date(),
  cost: z.int(),
  contextTokens: z.int().nullable(),
});

/** One row of the model menu. `cost` is null for a model that is coming soon. */
export const catalogueModelSchema = z.object({
  id: z.string(),
  title: bilingualSchema,
  description: bilingualSchema,
  cost: z.int().nullable(),
  /** The same from days that are yet to come, the first one at the front. */
  laterCosts: z.array(laterCostSchema),
  contextTokens: z.int().nullable(),
  tiers: z.array(tierSchema),
  comingSoon: z.boolean(),
  computerUse: z.boolean(),
  /** A browser is really driven, or only words come because none is to be had; null: not that kind of model. */
  computer: z.enum(['browser', 'words']).nullable(),
  /** Steps of a browser that the price of a message covers; null: not that kind of model. */
  coveredSteps: z.int().nullable(),
  /** Whether it sees pictures. The text of documents can be given to every model. */
  readsImages: z.boolean(),
  /** The efforts that it takes; empty: none. */
  efforts: z.array(effortSchema),
  /** What it can do besides writing: search the web, run code, read the addresses of a question. */
  tools: z.object({ search: z.boolean(), code: z.boolean(), addresses: z.boolean() }),
  /** The pictures that it makes, each at its price instead of the message's (`cost`: the smallest); null: it writes. */
  pictures: z
    .object({
      ratios: z.array(pictureRatioSchema),
      sizes: z.array(pictureSizeSchema),
      /** Credits for a picture; an answer without one is free. */
      prices: z.record(pictureSizeSchema, z.int()),
    })
    .nullable(),
  /** True when the caller may use it now; for a visitor, what the free tier may use. */
  allowed: z.boolean(),
  /** An operator turned it off for now: nothing new can be sent to it. */
  paused: z.boolean(),
  /** The setting without which it cannot answer; null when it can. */
  missingSetting: z.string().nullable(),
});
export type CatalogueModel = z.infer<typeof catalogueModelSchema>;

const planPriceSchema = z.object({
  cycle: cycleSchema,
  /** USD a month as the cards show it, one decimal. */
  monthlyUSD: z.number(),
  /** USD charged for one whole cycle. */
  totalUSD: z.number(),
  /** Credits granted for one whole cycle. */
  credits: z.int(),
});

export const cataloguePlanSchema = z.object({
  key: planKeySchema.nullable(),
  tier: tierSchema,
  title: bilingualSchema,
  description: bilingualSchema,
  prices: z.array(planPriceSchema),
  includesComputerUse: z.boolean(),
  prioritySupport: z.boolean(),
});
export type CataloguePlan = z.infer<typeof cataloguePlanSchema>;

export const catalogueSchema = z.object({
  defaultModel: z.string(),
  models: z.array(catalogueModelSchema),
  plans: z.array(cataloguePlanSchema),
  providers: z.array(providerSchema),
  /** Longest question in UTF-16 units; only where the server is asked, not in what pages are built with. */
  promptLimit: z.int().optional(),
});
export type Catalogue = z.infer<typeof catalogueSchema>;
