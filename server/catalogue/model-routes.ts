import { z } from 'zod';

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

const GEMINI_PRO_25: ModelRouteInput = {
  dialect: 'gemini',
  model: 'gemini-2.5-pro',
  sampling: true,
  thoughts: true,
};
const GEMINI_FLASH_38: ModelRouteInput = { dialect: 'gemini', model: 'gemini-3.8-flash', thoughts: true };
const GEMINI_FLASH_LITE_35: ModelRouteInput = { dialect: 'gemini', model: 'gemini-3.5-flash-lite' };

/** The shipped chains. The 2.5 pro and flash models stop on 2026-12-01, hence their second entries. */
export const DEFAULT_MODEL_ROUTES: ModelsFile = modelsFileSchema.parse({
  'parley-pro': [{ dialect: 'gemini', model: 'gemini-4-argon', thoughts: true }],
  'parley-flash': [GEMINI_FLASH_38],
  'gemini-2.5-pro': [GEMINI_PRO_25, GEMINI_FLASH_38],
  'gemini-2.5-flash': [
    { dialect: 'gemini', model: 'gemini-2.5-flash', sampling: true, thoughts: true },
    GEMINI_FLASH_LITE_35,
  ],
  'gemini-2.5-flash-lite': [
    { dialect: 'gemini', model: 'gemini-2.5-flash-lite', sampling: true },
    GEMINI_FLASH_LITE_35,
  ],
  'gemini-computer-use': [GEMINI_PRO_25, GEMINI_FLASH_38],
  embedding: [
    { dialect: 'gemini', model: 'gemini-embedding-2' },
    { dialect: 'gemini', model: 'gemini-embedding-001' },
  ],
} satisfies Record<string, ModelRouteInput[]>);

/** A route with its address and key filled in, as the model client takes it. */
export interface UpstreamRoute extends Omit<ModelRoute, 'baseUrl' | 'keyVariable'> {
  baseUrl: string;
  /** Null: the dialect needs none, or it is not configured. */
  apiKey: string | null;
  /** What an operator must set when `apiKey` is null and the dialect needs one; else null. */
  missingSetting: string | null;
}
export type UpstreamRoutes = Readonly<Record<string, readonly UpstreamRoute[]>>;

export interface RouteSettings {
  geminiBaseUrl: string;
  geminiApiKey: string | null;
  /** The parsed `MODELS_FILE`, or null without one. */
  modelsFile: ModelsFile | null;
  /** Reads the environment variable that a route names; undefined or empty when it is not set. */
  readVariable(name: string): string | undefined;
}

function resolveRoute(route: ModelRoute, settings: RouteSettings): UpstreamRoute {
  const { baseUrl, keyVariable, ...rest } = route;
  const named = keyVariable === undefined ? null : settings.readVariable(keyVariable) || null;
  const isGemini = route.dialect === 'gemini';
  const apiKey = keyVariable === undefined && isGemini ? settings.geminiApiKey : named;
  const needsKey = isGemini || keyVariable !== undefined;
  return {
    ...rest,
    baseUrl: (baseUrl ?? settings.geminiBaseUrl).replace(/\/+$/, ''),
    apiKey,
    missingSetting: needsKey && apiKey === null ? (keyVariable ?? 'GEMINI_API_KEY') : null,
  };
}

/** The chains to serve: the shipped ones, overridden model by model by `MODELS_FILE`. */
export function resolveModelRoutes(settings: RouteSettings): UpstreamRoutes {
  const chains = { ...DEFAULT_MODEL_ROUTES, ...settings.modelsFile };
  return Object.fromEntries(
    Object.entries(chains).map(([id, chain]) => [id, chain.map((route) => resolveRoute(route, settings))]),
  );
}
