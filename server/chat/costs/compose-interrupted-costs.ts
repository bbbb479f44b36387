import type { BaseDeps } from '#server/base-deps.ts';
import { contextTokensOf } from '#server/catalogue/context-rules.ts';
import { PICTURE_TOKENS } from '#server/catalogue/file-rules.ts';
import type { ProviderUse } from '#server/catalogue/provider-cost-rules.ts';
import { BROWSER_CHAIN } from '#server/catalogue/upstream-chains.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { selectPath } from '../message-store/store.ts';
import { type ComposedCost, composeCost, composeUnknownCost, featuresOf } from './cost-rules.ts';
import { type LoggedMessage, selectLogged } from './cost-store.ts';

const MAX_DEPTH = 400;
/** Our estimate counts no text lower than this many characters a token. */
const CHARACTERS_PER_TOKEN = 7;

type CostDeps = Pick<BaseDeps, 'config' | 'database' | 'clock' | 'log' | 'models'>;

/**
 * What running messages cost whose process is gone with what it knew: estimates, as if each had been asked its question once at the
 * first route of its model. One whose estimate fails has a cost that is not known. Never rejects.
 */
export async function composeInterruptedCosts(
  deps: CostDeps,
  ids: readonly string[],
): Promise<Map<string, ComposedCost>> {
  const costs = new Map(ids.map((id) => [id, composeUnknownCost([])]));
  if (ids.length === 0) return costs;
  try {
    for (const message of await selectLogged(deps.database.sql, ids)) {
      const { id, pictures, hasCode } = message;
      const features = featuresOf(message, { pictures, searches: 0, hasCode });
      costs.set(id, composeUnknownCost(features));
      const use = await estimateUse(deps, message);
      if (use) costs.set(id, composeCost([use], features, deps.clock.now()));
    }
  } catch (err) {
    deps.log.warn({ err, messageIds: ids }, 'what interrupted answers cost could not be estimated');
  }
  return costs;
}

/** Null: no route serves the model any more. */
async function estimateUse(deps: CostDeps, message: LoggedMessage): Promise<ProviderUse | null> {
  const { model, input, written, pictures, steps } = message;
  const { chains } = deps.config.upstream;
  const [route] = chains[input?.computer ? BROWSER_CHAIN : model] ?? [];
  if (!route) return null;
  const question = message.promptTokens ?? (await estimateQuestion(deps, message));
  const consumed = {
    // A browser is driven by a question for each step, with the picture of its page.
    inputTokens: question + steps * (question + PICTURE_TOKENS),
    cachedInputTokens: 0,
    outputTokens: estimateTokens(written),
    thinkingTokens: 0,
    pictureTokens: 0,
    searches: 0,
    searchedRequests: 0,
    pictures,
    pictureSize: input?.options?.picture?.size ?? '1K',
    isEstimate: true,
  };
  const provider = new URL(route.baseUrl).host;
  return { provider, model: route.model, prices: route.prices, consumed };
}

/** Tokens of a question with its files and with what came before it, as far as its model reads that. */
async function estimateQuestion(deps: CostDeps, message: LoggedMessage): Promise<number> {
  const { userId, parentId, content, input } = message;
  const model = deps.models.find(message.model);
  const most = (model && contextTokensOf(model, deps.config.upstream.chains, deps.clock.now())) ?? 0;
  const files = (input?.reads ?? []).reduce((sum, { tokens }) => sum + tokens, 0);
  const wanted = { maxDepth: MAX_DEPTH, maxCharacters: most * CHARACTERS_PER_TOKEN };
  const path = parentId ? await selectPath(deps.database.sql, { userId, id: parentId, ...wanted }) : [];
  const before = path.reduce(
    (sum, each) => sum + estimateTokens(each.content) + estimateTokens(each.response),
    0,
  );
  return Math.min(Math.max(most, files), files + before) + estimateTokens(content);
}
