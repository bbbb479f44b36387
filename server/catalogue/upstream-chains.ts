import { z } from 'zod';
import { effortSchema } from '#contract/message/quotes.ts';
import { makesPictures } from './models.ts';
import { UPSTREAM_PRICES, type UpstreamPrice, type UpstreamPrices } from './upstream-prices.ts';

/** One upstream that can serve a catalogue model. Fields that only one dialect knows are ignored by the other. */
const modelRouteShape = z.strictObject({
  /** How its API is spoken. */
  dialect: z.enum(['gemini', 'openai-compatible']),
  /** The upstream's own name of the model. */
  model: z.string().min(1).max(200),
  /** Gemini: `GEMINI_BASE_URL` when absent. OpenAI-compatible: what comes before `/chat/completions`. */
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Name of the environment variable that holds the key. Gemini: `GEMINI_API_KEY` when absent; else no key is sent. */
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** The same model at another provider: tried also when a route before it fails or is silent, not only when that model is gone. */
  fallback: z.boolean().default(false),
  /** The former name of `fallback`, still read. */
  standby: z.boolean().default(false),
  contextTokens: z.int().positive().optional(),
  maxOutputTokens: z.int().positive().optional(),
  /** Whether the model takes temperature and topP. Deprecated for Gemini newer than 2.5. */
  sampling: z.boolean().default(false),
  /** OpenAI-compatible: what the model can be given besides text. Gemini's models read both. */
  reads: z.array(z.enum(['images', 'files'])).default([]),
  /** Gemini: ask for summaries of the model's thinking. */
  thoughts: z.boolean().default(false),
  /** The efforts that the model takes: Gemini's levels, or its `thinkingBudgets`; OpenAI-compatible: `reasoning_effort`. */
  efforts: z.array(effortSchema).default([]),
  /** Gemini 2.5, which knows no levels: the most tokens of thinking, by effort. */
  thinkingBudgets: z.record(effortSchema, z.int().min(0)).optional(),
  /** Gemini: what the model can do besides writing; absent: all of it. No other dialect has such tools. */
  tools: z.array(z.enum(['search', 'code', 'addresses'])).optional(),
  /** What its provider charges, in US dollars for a million tokens, whatever the list of prices says of its model. */
  price: z.strictObject({ input: z.number().min(0), output: z.number().min(0) }).optional(),
  /** OpenAI-compatible: does it know `stream_options.include_usage`. */
  streamUsage: z.boolean().default(true),
  /** OpenAI-compatible: how it names the limit of output tokens. */
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).default('max_tokens'),
  /** OpenAI-compatible: further error codes by which it says that our balance there is used up. */
  balanceCodes: z.array(z.string()).default([]),
  /** OpenAI-compatible: fields added to every request body, such as `{"enable_thinking": true}`. */
  extraBody: z.record(z.string(), z.json()).default({}),
});
export const modelRouteSchema = z
  .preprocess(renameWire, modelRouteShape)
  .refine((route) => route.dialect === 'gemini' || route.baseUrl !== undefined, {
    path: ['baseUrl'],
    error: 'an openai-compatible route needs its baseUrl',
  })
  .transform(({ standby, ...route }) => ({ ...route, fallback: route.fallback || standby }));
export type ModelRoute = z.infer<typeof modelRouteSchema>;
type ModelRouteInput = z.input<typeof modelRouteShape>;

/** `wire` is the former name of `dialect`, still read. */
function renameWire(route: unknown): unknown {
  if (typeof route !== 'object' || route === null || !('wire' in route) || 'dialect' in route) return route;
  const { wire, ...others } = route;
  return { ...others, dialect: wire };
}

/** `MODELS_FILE`: catalogue model -> its upstreams in the order they are tried. A model it names loses its default chain. */
export const modelsFileSchema = z.record(z.string().min(1), z.array(modelRouteSchema).min(1));
export type ModelsFile = z.infer<typeof modelsFileSchema>;

/** Gemini 3 and newer think at a level, “medium” by itself; 2.5 thinks as much as it finds right, up to a budget. */
const LEVELS: Pick<ModelRouteInput, 'thoughts' | 'efforts'> = {
  thoughts: true,
  efforts: ['low', 'medium', 'high'],
};
const BUDGETS: Pick<ModelRouteInput, 'thoughts' | 'efforts' | 'thinkingBudgets'> = {
  ...LEVELS,
  thinkingBudgets: { low: 1_024, medium: 4_096, high: 8_192 },
};
const GEMINI_PRO_25: ModelRouteInput = {
  dialect: 'gemini',
  model: 'gemini-2.5-pro',
  sampling: true,
  ...BUDGETS,
};
const GEMINI_FLASH_38: ModelRouteInput = { dialect: 'gemini', model: 'gemini-3.8-flash', ...LEVELS };
const GEMINI_FLASH_LITE_35: ModelRouteInput = { dialect: 'gemini', model: 'gemini-3.5-flash-lite' };

/** The name of the chain that drives a browser: it serves no model of the catalogue by itself. */
export const BROWSER_CHAIN = 'computer';

/** The shipped chains. The 2.5 pro and flash models stop on 2026-12-01, hence their second entries. */
export const DEFAULT_CHAINS: ModelsFile = modelsFileSchema.parse({
  'parley-pro': [{ dialect: 'gemini', model: 'gemini-4-argon', ...LEVELS }],
  'parley-flash': [GEMINI_FLASH_38],
  'gemini-2.5-pro': [GEMINI_PRO_25, GEMINI_FLASH_38],
  'gemini-2.5-flash': [
    { dialect: 'gemini', model: 'gemini-2.5-flash', sampling: true, ...BUDGETS },
    GEMINI_FLASH_LITE_35,
  ],
  'gemini-2.5-flash-lite': [
    { dialect: 'gemini', model: 'gemini-2.5-flash-lite', sampling: true },
    GEMINI_FLASH_LITE_35,
  ],
  'gemini-computer-use': [GEMINI_PRO_25, GEMINI_FLASH_38],
  'gemini-3.1-flash-image': [{ dialect: 'gemini', model: 'gemini-3.1-flash-image', tools: [] }],
  // The models that ai.google.dev says support Computer Use; without a browser the chain above answers in words.
  [BROWSER_CHAIN]: [
    { dialect: 'gemini', model: 'gemini-3.7-flash', thoughts: true },
    { dialect: 'gemini', model: 'gemini-3.6-flash', thoughts: true },
  ],
} satisfies Record<string, ModelRouteInput[]>);

/** The day of a price that has none: what a route of `MODELS_FILE` says. */
export const UNDATED = '1970-01-01';

/** A route with its address, key and prices filled in, as the model client takes it. */
export interface UpstreamRoute extends Omit<ModelRoute, 'baseUrl' | 'keyVariable' | 'price'> {
  baseUrl: string;
  /** Null: the dialect needs none, or it is not configured. */
  apiKey: string | null;
  /** What an operator must set when `apiKey` is null and the dialect needs one; else null. */
  missingSetting: string | null;
  /** What its provider charges, oldest first; empty: it is not known. */
  prices: readonly UpstreamPrice[];
}
export type UpstreamChains = Readonly<Record<string, readonly UpstreamRoute[]>>;

export interface ChainSettings {
  /** Whether models that make pictures are served; they are unless said otherwise. */
  pictures?: boolean;
  geminiBaseUrl: string;
  geminiApiKey: string | null;
  /** The parsed `MODELS_FILE`, or null without one. */
  modelsFile: ModelsFile | null;
  /** The parsed `PROVIDER_PRICES_FILE`; null or absent: the shipped prices alone. */
  pricesFile?: UpstreamPrices | null;
  /** Reads the environment variable that a route names; undefined or empty when it is not set. */
  readVariable(name: string): string | undefined;
}

function resolveRoute(route: ModelRoute, settings: ChainSettings): UpstreamRoute {
  const { baseUrl, keyVariable, price, ...rest } = route;
  const named = keyVariable === undefined ? null : settings.readVariable(keyVariable) || null;
  const isGemini = route.dialect === 'gemini';
  const apiKey = keyVariable === undefined && isGemini ? settings.geminiApiKey : named;
  const needsKey = isGemini || keyVariable !== undefined;
  return {
    ...rest,
    baseUrl: (baseUrl ?? settings.geminiBaseUrl).replace(/\/+$/, ''),
    apiKey,
    missingSetting: needsKey && apiKey === null ? (keyVariable ?? 'GEMINI_API_KEY') : null,
    prices: pricesOf(route.model, price, settings.pricesFile ?? {}),
  };
}

/** The list's prices of an upstream model; what its route says of tokens stands for all days, and has no other price of cached ones. */
function pricesOf(model: string, own: ModelRoute['price'], file: UpstreamPrices): readonly UpstreamPrice[] {
  const listed = file[model] ?? UPSTREAM_PRICES[model] ?? [];
  if (!own) return listed;
  if (listed.length === 0) return [{ from: UNDATED, ...own }];
  return listed.map(({ cachedInput, ...price }) => ({ ...price, ...own }));
}

/** The chains to serve: the shipped ones, overridden model by model by `MODELS_FILE`. */
export function resolveChains(settings: ChainSettings): UpstreamChains {
  const chains = { ...DEFAULT_CHAINS, ...settings.modelsFile };
  const { pictures = true } = settings;
  const served = Object.entries(chains).filter(([id]) => pictures || !makesPictures(id));
  return Object.fromEntries(
    served.map(([id, chain]) => [id, chain.map((route) => resolveRoute(route, settings))]),
  );
}
