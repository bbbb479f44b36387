import type { Context } from 'hono';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import { presentProviderFault } from '#server/billing/orders/present-provider-fault.ts';
import { ProviderError } from '#server/billing/providers/provider-error.ts';
import { AppError } from '#server/errors.ts';
import { languageOf } from '#server/platform/translate.ts';

/** Answers with what `work` gives; what a payment provider refuses is said in its own words. */
export async function answerProvider<T extends object>(c: Context<HttpEnv>, work: () => Promise<T>) {
  try {
    return c.json(await work());
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw new AppError('payment_provider_failed', presentProviderFault(error, languageOf(c)), {
      cause: error,
    });
  }
}
