import type { CatalogueModel } from '#contract/catalogue.ts';
import type { ApiModel } from '#contract/openai.ts';
import { readTier } from '#server/billing/state/read-subscription.ts';
import { listPaused } from '#server/catalogue/pause-model.ts';
import { markPaused, readCatalogue } from '#server/catalogue/read-catalogue.ts';
import { readsImages } from '#server/catalogue/rules.ts';
import type { UpstreamChains } from '#server/catalogue/upstream-chains.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from './verify-completion.ts';

/** When the catalogue began; OpenAI's clients want a time. Epoch seconds. */
const CREATED = 1_763_683_200;
const SAMPLING = ['temperature', 'top_p'];

/** The models that can be asked, with what they cost and whether the caller may use them. */
export async function listApiModels(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'models'>,
  { userId, models }: Pick<Caller, 'userId' | 'models'>,
): Promise<ApiModel[]> {
  const { brand, limits, upstream } = deps.config;
  const tier = await readTier(deps, userId);
  await deps.models.refresh();
  const seen = { tier, brand, chains: upstream.chains, at: deps.clock.now() };
  const all = readCatalogue(deps.models.all(), seen);
  const catalogue = markPaused(all, await listPaused(deps));
  return catalogue.models.flatMap((model) => {
    if (model.cost === null || model.contextTokens === null) return [];
    return [
      {
        id: model.id,
        object: 'model' as const,
        created: CREATED,
        owned_by: brand.slug,
        name: model.title.en,
        credits_per_request: model.cost,
        later_credits_per_request: model.laterCosts.map(({ from, cost, contextTokens }) => ({
          from,
          credits: cost,
          context_tokens: contextTokens ?? 0,
        })),
        allowed: model.allowed && (models?.includes(model.id) ?? true),
        available: !model.paused,
        plans: model.tiers,
        context_tokens: model.contextTokens,
        max_output_tokens: limits.outputTokens,
        input_modalities: modalitiesOf(model.id, upstream.chains),
        output_modalities: model.pictures ? ['text', 'image'] : ['text'],
        supported_parameters: parametersOf(model, deps),
      },
    ];
  });
}

/** Files are read by every model, as text where it does not read them itself. */
function modalitiesOf(modelId: string, chains: UpstreamChains): ApiModel['input_modalities'] {
  return readsImages(modelId, chains) ? ['text', 'image', 'file'] : ['text', 'file'];
}

function parametersOf(
  { id, tools, efforts, pictures }: CatalogueModel,
  { config }: Pick<Deps, 'config'>,
): string[] {
  const beyondText = ['tools', 'tool_choice', 'parallel_tool_calls', 'response_format'];
  return [
    ...(listIgnored(config, id, SAMPLING).length === 0 ? SAMPLING : []),
    'stop',
    'seed',
    'max_tokens',
    ...(pictures ? ['modalities', 'image_config'] : beyondText),
    ...(tools.search ? ['web_search_options'] : []),
    ...(efforts.length > 0 ? ['reasoning_effort'] : []),
  ];
}

/** Those of the given sampling parameters that no upstream of the model takes, by its first route. */
export function listIgnored(config: Deps['config'], modelId: string, given: string[]): string[] {
  const takesSampling = config.upstream.chains[modelId]?.[0]?.sampling ?? false;
  return takesSampling ? [] : given.filter((name) => SAMPLING.includes(name));
}
