import type { Bilingual, Tier } from '#contract/catalogue.ts';
import {
  type PictureRatio,
  type PictureSize,
  pictureRatioSchema,
  pictureSizeSchema,
} from '#contract/message/quotes.ts';
import { dayOf } from '#contract/time.ts';

/** What a message to a model costs from a day on, in Credits. */
export interface LaterCost {
  /** The first day, UTC: `YYYY-MM-DD`. */
  from: string;
  cost: number;
}

/** One model of the specification, sections 6 and 9, or one beside them. In titles `{brand}` stands for the product's name. */
export interface Model {
  id: string;
  title: Bilingual;
  description: Bilingual;
  /** Credits a message costs; null while it is coming soon. */
  cost: number | null;
  /** What operators set from later days on, oldest first (`model_prices`): quotes made before stay what they were. */
  laterCosts?: readonly LaterCost[];
  /** Most tokens of a conversation that we give the model to read; null while it is coming soon. */
  contextTokens: number | null;
  /** Who may use it; no tier while it is coming soon. */
  tiers: readonly Tier[];
  computerUse: boolean;
  /**
   * The pictures that it makes; null for a model that writes. Its message is free and `cost` is that of the smallest picture. The
   * specification knows no such model: its table is whole without it, and it is listed only where it can answer (decision 75).
   */
  pictures: { ratios: readonly PictureRatio[]; sizes: readonly PictureSize[] } | null;
}

export const DEFAULT_MODEL = 'parley-flash';

const EVERYBODY: readonly Tier[] = ['free', 'basic', 'pro'];
const SUBSCRIBERS: readonly Tier[] = ['basic', 'pro'];
const PRO_ONLY: readonly Tier[] = ['pro'];

/**
 * Every model, in the order of every list of models: the menu, tables of prices, plan cards, the API, the console. Whoever lists some
 * of them filters, and sorts nothing; a menu that groups them by plan keeps it within each group.
 */
export const MODELS: readonly Model[] = [
  {
    id: 'parley-pro',
    title: { zh: '{brand} Pro', en: '{brand} Pro' },
    description: {
      zh: '能力最强，适合难题和严谨推理。',
      en: 'Our strongest: hard problems and careful reasoning.',
    },
    cost: 20,
    contextTokens: 128_000,
    tiers: SUBSCRIBERS,
    computerUse: false,
    pictures: null,
  },
  {
    id: 'parley-flash',
    title: { zh: '{brand} Flash', en: '{brand} Flash' },
    description: {
      zh: '又快又好，日常问答、写作和代码的默认选择。',
      en: 'Fast and capable: the default for questions, writing and code.',
    },
    cost: 15,
    contextTokens: 128_000,
    tiers: EVERYBODY,
    computerUse: false,
    pictures: null,
  },
  {
    id: 'gemini-2.5-pro',
    title: { zh: 'Gemini 2.5 Pro', en: 'Gemini 2.5 Pro' },
    description: {
      zh: '擅长数学、代码和需要多步推理的问题。',
      en: 'Good at math, code and questions that take several steps.',
    },
    cost: 12,
    contextTokens: 128_000,
    tiers: PRO_ONLY,
    computerUse: false,
    pictures: null,
  },
  {
    id: 'gemini-2.5-flash',
    title: { zh: 'Gemini 2.5 Flash', en: 'Gemini 2.5 Flash' },
    description: {
      zh: '速度与质量均衡，适合摘要、翻译和改写。',
      en: 'Speed and quality in balance, for summaries, translation and rewriting.',
    },
    cost: 10,
    contextTokens: 64_000,
    tiers: SUBSCRIBERS,
    computerUse: false,
    pictures: null,
  },
  {
    id: 'gemini-2.5-flash-lite',
    title: { zh: 'Gemini 2.5 Flash-Lite', en: 'Gemini 2.5 Flash-Lite' },
    description: {
      zh: '最便宜、最快，适合简短的问题。',
      en: 'The cheapest and fastest, for short questions.',
    },
    cost: 8,
    contextTokens: 64_000,
    tiers: EVERYBODY,
    computerUse: false,
    pictures: null,
  },
  {
    id: 'gemini-computer-use',
    title: { zh: 'Gemini Computer Use', en: 'Gemini Computer Use' },
    description: {
      zh: '在你眼前操作浏览器，查资料、填表。',
      en: 'Uses a browser while you watch: looks things up, fills in forms.',
    },
    cost: 15,
    contextTokens: 128_000,
    tiers: PRO_ONLY,
    computerUse: true,
    pictures: null,
  },
  {
    id: 'gemini-3.1-flash-image',
    title: { zh: 'Gemini 3.1 Flash Image', en: 'Gemini 3.1 Flash Image' },
    description: {
      zh: '按描述画图，也能接着改图。',
      en: 'Makes images from words, and edits them turn by turn.',
    },
    cost: 20,
    contextTokens: 32_000,
    tiers: SUBSCRIBERS,
    computerUse: false,
    pictures: { ratios: pictureRatioSchema.options, sizes: pictureSizeSchema.options },
  },
  comingSoon('gemini-3-flash-lite', 'Gemini 3 Flash-Lite'),
  comingSoon('gemini-3.5-pro', 'Gemini 3.5 Pro'),
  comingSoon('gemini-3.5-flash', 'Gemini 3.5 Flash'),
  comingSoon('gemini-2.0-flash-thinking', 'Gemini 2.0 Flash Thinking'),
];

/** Credits a message to the model costs at a time; null while it is coming soon. */
export function costAt(
  { cost, laterCosts = [] }: Pick<Model, 'cost' | 'laterCosts'>,
  at: Date,
): number | null {
  const day = dayOf(at);
  return cost === null ? null : (laterCosts.findLast(({ from }) => from <= day)?.cost ?? cost);
}

/** What a message to the model costs from days after a time, the first day at the front; empty while it is coming soon. */
export function laterCostsAt(
  { cost, laterCosts = [] }: Pick<Model, 'cost' | 'laterCosts'>,
  at: Date,
): readonly LaterCost[] {
  const day = dayOf(at);
  return cost === null ? [] : laterCosts.filter(({ from }) => from > day);
}

/** Whether the model of an id makes pictures instead of writing. */
export function makesPictures(modelId: string): boolean {
  return MODELS.some((model) => model.id === modelId && model.pictures !== null);
}

function comingSoon(id: string, title: string): Model {
  return {
    id,
    title: { zh: title, en: title },
    description: { zh: '正在准备中。', en: 'In preparation.' },
    cost: null,
    contextTokens: null,
    tiers: [],
    computerUse: false,
    pictures: null,
  };
}
