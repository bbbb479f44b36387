import type { Cycle, PlanKey, Subscription } from '#contract/billing.ts';
import type { CatalogueModel, Tier } from '#contract/catalogue.ts';
import type { Effort } from '#contract/message/quotes.ts';
import { MODELS, type Model } from './models.ts';
import { PLANS, type Plan, type PlanPrice } from './plans.ts';
import type { UpstreamChains } from './upstream-chains.ts';

const modelsById = new Map(MODELS.map((model) => [model.id, model]));

/** The model of an id, without the prices that operators set; undefined for one that is not in the menu. */
export function findModel(modelId: string): Model | undefined {
  return modelsById.get(modelId);
}

/** Whether the model of an id is in the menu and not coming soon. */
export function isAskable(modelId: string): boolean {
  return (findModel(modelId)?.cost ?? null) !== null;
}

/** Whether a user on this tier may use the model now (specification, section 6). */
export function isModelAllowed(tier: Tier, modelId: string): boolean {
  return findModel(modelId)?.tiers.includes(tier) ?? false;
}

/**
 * Whether a model is offered: one that makes pictures only where its first route can make them, and has its key; the others always, with
 * what is missing.
 */
export function isOffered({ id, pictures }: Pick<Model, 'id' | 'pictures'>, chains: UpstreamChains): boolean {
  const [first] = chains[id] ?? [];
  return pictures === null || (first?.dialect === 'gemini' && first.missingSetting === null);
}

/** The setting that an operator must give before the model can answer; null when a route of its chain is complete. */
export function missingSettingOf(modelId: string, chains: UpstreamChains): string | null {
  const chain = chains[modelId] ?? [];
  if (chain.some((route) => route.missingSetting === null)) return null;
  return chain[0]?.missingSetting ?? 'MODELS_FILE';
}

/** True when the subscription is active and, where it has an expiry (epoch milliseconds), not expired at `now`. */
function isUsable(subscription: Pick<Subscription, 'active' | 'expiresAt'>, now: number): boolean {
  return subscription.active && (subscription.expiresAt === null || subscription.expiresAt > now);
}

/** The tier that a subscription gives at `now` (epoch milliseconds): `free` without a usable one. */
export function tierOf(
  subscription: Pick<Subscription, 'planKey' | 'active' | 'expiresAt'> | null,
  now: number,
): Tier {
  return subscription && isUsable(subscription, now) ? planOf(subscription.planKey).tier : 'free';
}

/** The plan of a key. */
export function planOf(key: PlanKey): Plan {
  const plan = PLANS.find((one) => one.key === key);
  if (!plan) throw new Error(`no plan ${key}`);
  return plan;
}

/** What one cycle of a plan costs and grants. */
export function priceOf(key: PlanKey, cycle: Cycle): PlanPrice {
  const [monthly, annual] = planOf(key).prices;
  return cycle === 'monthly' ? monthly : annual;
}

/** Whether the model sees pictures, at each route that may answer for it. */
export function readsImages(modelId: string, chains: UpstreamChains): boolean {
  const chain = chains[modelId] ?? [];
  return (
    chain.length > 0 && chain.every(({ dialect, reads }) => dialect === 'gemini' || reads.includes('images'))
  );
}

/**
 * Whether a catalogue model can be given functions of the caller's, a search and a format of its answer at once: Gemini before 3
 * refuses two of them together.
 */
export function combinesTools(modelId: string, chains: UpstreamChains): boolean {
  return (chains[modelId] ?? []).every(
    ({ dialect, model }) => dialect !== 'gemini' || !/^gemini-[12]\b/.test(model),
  );
}

/** The efforts that a catalogue model takes: those of the first of its routes. */
export function effortsOf(modelId: string, chains: UpstreamChains): readonly Effort[] {
  return chains[modelId]?.[0]?.efforts ?? [];
}

/** What a catalogue model can do besides writing: what the first of its routes can. */
export function toolsOf(modelId: string, chains: UpstreamChains): CatalogueModel['tools'] {
  const first = chains[modelId]?.[0];
  const can = (tool: keyof CatalogueModel['tools']) =>
    first?.dialect === 'gemini' && (first.tools?.includes(tool) ?? true);
  return { search: can('search'), code: can('code'), addresses: can('addresses') };
}
