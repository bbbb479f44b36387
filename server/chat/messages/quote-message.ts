import type { Quote, SendOptions } from '#contract/message/quotes.ts';
import { readTier } from '#server/billing/state/read-subscription.ts';
import { makesPictures } from '#server/catalogue/models.ts';
import { allowedSteps, quoteOf } from '#server/catalogue/quote-rules.ts';
import {
  effortsOf,
  findModel,
  isModelAllowed,
  isOffered,
  missingSettingOf,
  toolsOf,
} from '#server/catalogue/rules.ts';
import type { UpstreamChains } from '#server/catalogue/upstream-chains.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { type PricedFile, quoteTurnFiles, type TurnPlace } from '../attachments/quote-turn-files.ts';
import { contextBudget } from '../generation/compose-request.ts';

type QuoteDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'models'>;

/** The fields of a message that its price depends on. */
export interface QuotedMessage extends TurnPlace {
  options?: SendOptions | undefined;
  content?: string | undefined;
}

/** The most that a message costs, and what its model reads besides text. */
export interface MessageQuote {
  quote: Quote;
  reads: PricedFile[];
}

/**
 * The most that a message costs this user now, with the files that it makes its model read, and the `steps` of a browser that it may
 * take (`stepsOf`). Throws as `quoteModel` and `quoteTurnFiles`, and `context_too_long` where files and prompt are more than the model reads at a time.
 */
export async function quoteMessage(
  deps: QuoteDeps & Pick<Deps, 'storages'>,
  userId: string,
  message: QuotedMessage,
  steps: number | null,
): Promise<MessageQuote> {
  const { model, options } = message;
  // A model that is refused is refused before files are looked at.
  await quoteModel(deps, userId, { model, options });
  const reads = await quoteTurnFiles(deps, userId, message);
  const fileTokens = reads.map(({ tokens }) => tokens);
  checkContext(deps, message, fileTokens);
  const quote = await quoteModel(deps, userId, { model, options, fileTokens, steps: steps ?? 0 });
  return { quote, reads };
}

/**
 * The most that a message of text costs this user now, or one that makes its model read so many tokens of files. A model that all
 * users may use needs no look at the subscription. Throws `not_found`, `model_not_allowed`, `not_configured`, and
 * `invalid_request` for an option that the model does not have.
 */
export async function quoteModel(
  deps: QuoteDeps,
  userId: string,
  asked: {
    model: string;
    options?: SendOptions | undefined;
    fileTokens?: readonly number[];
    steps?: number;
  },
): Promise<Quote> {
  const { model, options, fileTokens = [], steps = 0 } = asked;
  const { chains } = deps.config.upstream;
  await deps.models.refresh();
  const found = deps.models.find(model);
  if (!found || !isOffered(found, chains)) throw new AppError('not_found');
  // A browser searches by itself.
  const search = steps === 0 && isSearching(options);
  const picture = options?.picture?.size;
  const quote = quoteOf(found, { search, fileTokens, picture, steps }, deps.clock.now());
  const isAllowed = isModelAllowed('free', model) || isModelAllowed(await readTier(deps, userId), model);
  if (quote === null || !isAllowed) throw new AppError('model_not_allowed');
  const setting = missingSettingOf(model, chains);
  if (setting !== null) throw new AppError('not_configured', { setting });
  checkOptions(model, options, chains);
  return quote;
}

/** How many steps of a browser a message may take without asking; null where it drives none. */
export function stepsOf(
  { clock, computer }: Pick<Deps, 'clock' | 'computer'>,
  { model, options }: { model: string; options?: SendOptions | undefined },
): number | null {
  if (!findModel(model)?.computerUse || !computer.isReady()) return null;
  return allowedSteps(options?.computer?.steps, clock.now());
}

function checkOptions(model: string, options: SendOptions = {}, chains: UpstreamChains) {
  const { code = false, effort, computer } = options;
  const tools = toolsOf(model, chains);
  const lacking =
    (isSearching(options) && !tools.search && 'search') ||
    (code && !tools.code && 'code') ||
    (options.picture && !makesPictures(model) && 'picture') ||
    (effort !== undefined && !effortsOf(model, chains).includes(effort) && 'effort') ||
    (computer !== undefined && !findModel(model)?.computerUse && 'computer');
  if (lacking) throw new AppError('invalid_request', { field: `options.${lacking}` });
}

/** Whether the options let the model search the web. */
function isSearching(options: SendOptions | undefined): boolean {
  return options?.search === 'auto' || options?.search === 'always';
}

function checkContext(
  deps: QuoteDeps,
  { model, options, content = '' }: QuotedMessage,
  fileTokens: readonly number[],
) {
  if (fileTokens.length === 0) return;
  const tokens = fileTokens.reduce((sum, each) => sum + each, estimateTokens(content));
  const limit = contextBudget(deps, model, options?.effort);
  if (tokens > limit) throw new AppError('context_too_long', { tokens, limit });
}
