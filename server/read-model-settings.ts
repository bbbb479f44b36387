import { z } from 'zod';
import {
  DEFAULT_CHAINS,
  type ModelsFile,
  modelsFileSchema,
  resolveChains,
  type UpstreamChains,
} from './catalogue/upstream-chains.ts';
import { pricesFileSchema } from './catalogue/upstream-prices.ts';
import type { Environment } from './platform/environment.ts';
import { oneOf, readUrl, readWhole } from './platform/read-setting.ts';
import { readSettingsFile } from './read-settings-file.ts';

/** Which models answer, where, and at which prices. */
export interface ModelSettings {
  upstream: {
    chains: UpstreamChains;
    /** Models that `PROVIDER_PRICES_FILE` names and no route does. */
    unusedPrices: readonly string[];
    geminiApiVersion: string;
    timeouts: { connectMs: number; firstTokenMs: number; idleMs: number; totalMs: number };
  };
  /** Which model names conversations, by its name among the routes; null: their first words do. */
  titleModel: string | null;
  /** Which model suggests what may be asked next, by its name among the routes; null: none does. */
  followUpModel: string | null;
}

/** Reads the settings of models, `MODELS_FILE` and `PROVIDER_PRICES_FILE` included; problems are reported to `env`. */
export function readModelSettings(env: Environment, geminiApiKey: string | null): ModelSettings {
  const upstream = readUpstream(env, geminiApiKey);
  const known = Object.keys(upstream.chains);
  const readModel = (name: string) => {
    const model = env.text(name);
    if (model !== null && !known.includes(model)) env.report(name, model, oneOf(known));
    return model;
  };
  return { upstream, titleModel: readModel('TITLE_MODEL'), followUpModel: readModel('FOLLOW_UP_MODEL') };
}

function readUpstream(env: Environment, geminiApiKey: string | null): ModelSettings['upstream'] {
  const timeout = (name: string, fallback: number) =>
    readWhole(env, `UPSTREAM_${name}_TIMEOUT_MS`, 100, 3_600_000, fallback);
  const pricesFile = readSettingsFile(env, 'PROVIDER_PRICES_FILE', pricesFileSchema);
  const chains = resolveChains({
    geminiApiKey,
    geminiBaseUrl: readUrl(env, 'GEMINI_BASE_URL', 'https://generativelanguage.googleapis.com'),
    modelsFile: readModelsFile(env),
    pricesFile,
    pictures: env.read('PICTURES', z.enum(['auto', 'off']), oneOf(['auto', 'off']), 'auto') === 'auto',
    readVariable: (name) => env.text(name) ?? undefined,
  });
  const used = new Set(Object.values(chains).flatMap((chain) => chain.map(({ model }) => model)));
  return {
    chains,
    unusedPrices: Object.keys(pricesFile ?? {}).filter((model) => !used.has(model)),
    geminiApiVersion: env.read(
      'GEMINI_API_VERSION',
      z.string().regex(/^v\d+[a-z0-9]*$/),
      { zh: '应为 API 版本，例如 v1beta', en: 'give a version of the API, such as v1beta' },
      'v1beta',
    ),
    timeouts: {
      connectMs: timeout('CONNECT', 10_000),
      firstTokenMs: timeout('FIRST_TOKEN', 30_000),
      idleMs: timeout('IDLE', 30_000),
      totalMs: timeout('TOTAL', 300_000),
    },
  };
}

/** What the file that `MODELS_FILE` names says; null where none is set. Reports what is wrong with it to `env`. */
function readModelsFile(env: Environment): ModelsFile | null {
  const file = readSettingsFile(env, 'MODELS_FILE', modelsFileSchema);
  const known = Object.keys(DEFAULT_CHAINS);
  const unknown = Object.keys(file ?? {}).filter((id) => !known.includes(id));
  if (unknown.length === 0) return file;
  const wrong = unknown.join(', ');
  env.report('MODELS_FILE', env.text('MODELS_FILE'), {
    zh: `没有名为 ${wrong} 的模型，可用 ${known.join('、')}`,
    en: `there is no model ${wrong}; use ${known.join(', ')}`,
  });
  return null;
}
