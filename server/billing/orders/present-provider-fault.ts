import type { Language } from '#contract/choices.ts';
import { translate } from '#server/platform/translate.ts';
import { ProviderError } from '../providers/provider-error.ts';

/**
 * The parameters of `payment_provider_failed`: the provider's own words where it refused, else ours for what went wrong. Null:
 * another caller got the error.
 */
export function presentProviderFault(error: unknown, language: Language): { message: string } {
  if (error instanceof ProviderError && error.kind === 'refused') return { message: error.message };
  const kind = error instanceof ProviderError ? error.kind : 'unavailable';
  return { message: translate(language, `billing.providerFault.${kind}`) };
}
