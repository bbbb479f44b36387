import type { AnswerPart } from '#contract/message/parts.ts';
import {
  addConsumption,
  type Consumption,
  type ProviderUse,
  providerCost,
  type UnknownCost,
} from '#server/catalogue/provider-cost-rules.ts';
import { priceAt, type UpstreamPrice } from '#server/catalogue/upstream-prices.ts';
import type { MessageInput } from '../message-store/message-parts.ts';

/** A message of the API is its own conversation. */
interface AskedMessage {
  id: string;
  conversationId: string;
  input: MessageInput | null;
}

/** What an answer used besides its model. */
export type Feature = 'api' | 'code' | 'computer' | 'files' | 'picture' | 'search';

/** What was consumed at one model of one provider, and the price that it was reckoned by; null: it is not known. */
export type CostLine = Consumption & { provider: string; model: string; price: UpstreamPrice | null };

/** What a row of `provider_costs` says beside whose it is; by the names of its columns, as `record_provider_cost` takes it. */
export interface ComposedCost {
  features: readonly Feature[];
  provider: string | null;
  upstream_model: string | null;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  thinking_tokens: number;
  searches: number;
  pictures: number;
  uses: readonly CostLine[];
  price_day: string | null;
  is_estimate: boolean;
  /** A whole number; it may be larger than JSON's numbers can be relied on. */
  cost_pico_usd: string | null;
  unknown: readonly UnknownCost[];
}

const NOTHING = {
  provider: null,
  upstream_model: null,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  thinking_tokens: 0,
  searches: 0,
  pictures: 0,
  uses: [],
  price_day: null,
  is_estimate: false,
} satisfies Partial<ComposedCost>;

/** The cost of all that was consumed for an answer, at the prices of a time; without any use it is nothing. */
export function composeCost(
  uses: readonly ProviderUse[],
  features: readonly Feature[],
  at: Date,
): ComposedCost {
  const lines = linesOf(uses, at);
  const costs = lines.map((line) => providerCost(line, line.price));
  const unknown = [...new Set(costs.flatMap((cost) => cost.unknown))];
  const sum = (
    key: 'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'thinkingTokens' | 'searches' | 'pictures',
  ) => lines.reduce((total, line) => total + line[key], 0);
  const last = uses.at(-1);
  return {
    features,
    provider: last?.provider ?? null,
    upstream_model: last?.model ?? null,
    input_tokens: sum('inputTokens'),
    cached_input_tokens: sum('cachedInputTokens'),
    output_tokens: sum('outputTokens'),
    thinking_tokens: sum('thinkingTokens'),
    searches: sum('searches'),
    pictures: sum('pictures'),
    uses: lines,
    price_day: (last && priceAt(last.prices, at)?.from) ?? null,
    is_estimate: lines.some(({ isEstimate }) => isEstimate),
    cost_pico_usd:
      unknown.length > 0 ? null : String(costs.reduce((total, { picoUsd }) => total + (picoUsd ?? 0n), 0n)),
    unknown,
  };
}

/** What an answer cost, by what its requests consumed. */
export function composeAnswerCost(
  {
    message,
    parts,
    uses,
  }: { message: AskedMessage; parts: readonly AnswerPart[]; uses: readonly ProviderUse[] },
  at: Date,
): ComposedCost {
  const sumOf = (key: 'pictures' | 'searches') => uses.reduce((sum, { consumed }) => sum + consumed[key], 0);
  const hasCode = parts.some(({ kind }) => kind === 'code');
  const ran = { pictures: sumOf('pictures'), searches: sumOf('searches'), hasCode };
  return composeCost(uses, featuresOf(message, ran), at);
}

/** The cost of an answer of which it is not known what was consumed. */
export function composeUnknownCost(features: readonly Feature[]): ComposedCost {
  return { ...NOTHING, features, is_estimate: true, cost_pico_usd: null, unknown: ['usage'] };
}

/** What is consumed alike, together: a browser's run asks the same model many times. */
function linesOf(uses: readonly ProviderUse[], at: Date): CostLine[] {
  const lines = new Map<string, CostLine>();
  for (const { provider, model, prices, consumed } of uses) {
    const key = JSON.stringify([provider, model, consumed.pictureSize]);
    const before = lines.get(key);
    const total = before ? addConsumption(before, consumed) : consumed;
    lines.set(key, { provider, model, price: priceAt(prices, at), ...total });
  }
  return [...lines.values()];
}

/** What an answer used. `pictures` and `searches`: how many; `hasCode`: its model ran code. */
export function featuresOf(
  { id, conversationId, input }: AskedMessage,
  { pictures, searches, hasCode }: { pictures: number; searches: number; hasCode: boolean },
): Feature[] {
  const used: Record<Feature, boolean> = {
    api: id === conversationId,
    code: hasCode,
    computer: input?.computer !== undefined,
    files: (input?.reads ?? []).length > 0,
    picture: pictures > 0,
    search: searches > 0,
  };
  return (Object.keys(used) as Feature[]).filter((feature) => used[feature]);
}
