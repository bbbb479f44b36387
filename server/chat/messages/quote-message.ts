import type { Quote, SendOptions } from '#contract/message/quotes.ts';
import { readTier } from '#server/billing/state/read-subscription.ts';
import { quoteOf } from '#server/catalogue/quote-rules.ts';
import { findModel, isModelAllowed, missingSettingOf } from '#server/catalogue/rules.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';

/**
 * The most that a message costs this user now. A model that all users may use needs no look at the subscription. Throws
 * `not_found`, `model_not_allowed`, `not_configured`, and `invalid_request` for an option that the model does not have.
 */
export async function quoteMessage(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  userId: string,
  { model, options }: { model: string; options?: SendOptions | undefined },
): Promise<Quote> {
  if (!findModel(model)) throw new AppError('not_found');
  const search = isSearching(options);
  const quote = quoteOf(model, { search }, deps.clock.now());
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
