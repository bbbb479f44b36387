import type { Quote, SendOptions } from '#contract/message/quotes.ts';
import { readTier } from '#server/billing/state/read-subscription.ts';
import { quoteOf } from '#server/catalogue/quote-rules.ts';
import { findModel, isModelAllowed, missingSettingOf } from '#server/catalogue/rules.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { type ReadFile, readTurnFiles, type TurnPlace } from '../attachments/read-turn-files.ts';
import { contextBudget } from '../generation/compose-request.ts';

type QuoteDeps = Pick<Deps, 'config' | 'database' | 'clock'>;

/** What a message is made of, as far as its price depends on it. */
export interface QuotedMessage extends TurnPlace {
  options?: SendOptions | undefined;
  content?: string | undefined;
}

/** The most that a message costs, and what its model reads besides text. */
export interface MessageQuote {
  quote: Quote;
  reads: ReadFile[];
}

/**
 * The most that a message costs this user now, with the files that it makes its model read. Throws as `quoteModel` and
 * `readTurnFiles`, and `context_too_long` where files and prompt are more than the model reads at a time.
 */
export async function quoteMessage(
  deps: QuoteDeps & Pick<Deps, 'storages'>,
  userId: string,
  message: QuotedMessage,
): Promise<MessageQuote> {
  const { model, options, content = '' } = message;
  await quoteModel(deps, userId, { model, options });
  const reads = await readTurnFiles(deps, userId, message);
  const fileTokens = reads.map(({ tokens }) => tokens);
  checkContext(deps, model, fileTokens, content);
  return { quote: await quoteModel(deps, userId, { model, options, fileTokens }), reads };
}

/**
 * The most that a message of text costs this user now, or one that makes its model read so many tokens of files. A model that all
 * users may use needs no look at the subscription. Throws `not_found`, `model_not_allowed`, `not_configured`, and
 * `invalid_request` for an option that the model does not have.
 */
export async function quoteModel(
  deps: QuoteDeps,
  userId: string,
  asked: { model: string; options?: SendOptions | undefined; fileTokens?: readonly number[] },
): Promise<Quote> {
  const { model, options, fileTokens = [] } = asked;
  if (!findModel(model)) throw new AppError('not_found');
  const search = isSearching(options);
  const quote = quoteOf(model, { search, fileTokens }, deps.clock.now());
  const isAllowed = isModelAllowed('free', model) || isModelAllowed(await readTier(deps, userId), model);
  if (quote === null || !isAllowed) throw new AppError('model_not_allowed');
  const { routes } = deps.config.upstream;
  const setting = missingSettingOf(model, routes);
  if (setting !== null) throw new AppError('not_configured', { setting });
  if (search && routes[model]?.[0]?.dialect !== 'gemini') {
    throw new AppError('invalid_request', { field: 'options.search' });
  }
  return quote;
}

/** Whether the options let the model search the web. */
export function isSearching(options: SendOptions | undefined): boolean {
  return options?.search === 'auto' || options?.search === 'always';
}

function checkContext(deps: QuoteDeps, model: string, fileTokens: readonly number[], content: string) {
  if (fileTokens.length === 0) return;
  const tokens = fileTokens.reduce((sum, each) => sum + each, estimateTokens(content));
  const limit = contextBudget(deps, model);
  if (tokens > limit) throw new AppError('context_too_long', { tokens, limit });
}
