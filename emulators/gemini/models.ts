export interface GeminiModel {
  id: string;
  displayName: string;
  inputTokenLimit: number;
  outputTokenLimit: number;
  methods: string[];
  thinking: boolean;
  /** Makes pictures. */
  pictures: boolean;
}

const MILLION = 1_048_576;
const GENERATES = ['generateContent', 'countTokens', 'createCachedContent', 'batchGenerateContent'];

function generates(id: string, displayName: string, thinking = true): GeminiModel {
  return {
    id,
    displayName,
    inputTokenLimit: MILLION,
    outputTokenLimit: 65_536,
    methods: GENERATES,
    thinking,
    pictures: false,
  };
}

const MODELS = [
  generates('gemini-4-carbon', 'Gemini 4 Carbon'),
  generates('gemini-4-argon', 'Gemini 4 Argon'),
  generates('gemini-3.8-flash', 'Gemini 3.8 Flash'),
  generates('gemini-3.7-flash', 'Gemini 3.7 Flash'),
  generates('gemini-3.6-flash', 'Gemini 3.6 Flash'),
  generates('gemini-3.5-flash-lite', 'Gemini 3.5 Flash-Lite'),
  generates('gemini-3.1-pro-preview', 'Gemini 3.1 Pro Preview'),
  generates('gemini-3.1-flash-lite', 'Gemini 3.1 Flash-Lite'),
  generates('gemini-2.5-pro', 'Gemini 2.5 Pro'),
  generates('gemini-2.5-flash', 'Gemini 2.5 Flash'),
  generates('gemini-2.5-computer-use-preview-10-2025', 'Gemini 2.5 Computer Use Preview'),
  generates('gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite'),
  { ...generates('gemini-3.1-flash-image', 'Gemini 3.1 Flash Image', false), pictures: true },
];

/** A served model by its id; null for one that never was, or is gone. */
export function findModel(id: string): GeminiModel | null {
  return MODELS.find((model) => model.id === id) ?? null;
}

/** The answer of `GET /v1beta/models` and, for one model, of `GET /v1beta/models/{id}`. */
export function presentModel(model: GeminiModel) {
  return {
    name: `models/${model.id}`,
    version: model.id.replace('gemini-', ''),
    displayName: model.displayName,
    description: `${model.displayName} (emulated)`,
    inputTokenLimit: model.inputTokenLimit,
    outputTokenLimit: model.outputTokenLimit,
    supportedGenerationMethods: model.methods,
    temperature: 1,
    topP: 0.95,
    topK: 64,
    maxTemperature: 2,
    ...(model.thinking ? { thinking: true } : {}),
  };
}

/** One page of models; `token` is the offset that the page before gave. */
export function listModels(pageSize: number, token: string | null) {
  const from = Number(token ?? 0) || 0;
  const models = MODELS.slice(from, from + pageSize).map(presentModel);
  const next = from + pageSize;
  return next < MODELS.length ? { models, nextPageToken: String(next) } : { models };
}
