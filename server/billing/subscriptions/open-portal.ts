import type { PortalAnswer } from '#contract/billing.ts';
import type { Language } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { limitProviderCalls } from '../orders/limit-provider-calls.ts';
import { presentProviderFault } from '../orders/present-provider-fault.ts';
import { readBilling } from '../state/read-billing.ts';

/**
 * The provider's page for the shown subscription, which signs its owner in there: kept and logged nowhere. Null where the
 * provider has none. Throws `payment_provider_failed`.
 */
export async function openPortal(
  deps: Pick<Deps, 'database' | 'clock' | 'config' | 'providers'>,
  userId: string,
  language: Language,
): Promise<PortalAnswer> {
  await limitProviderCalls(deps, userId);
  const { projection } = await readBilling(deps, userId);
  const [shown] = projection.subscriptions;
  const provider = shown && deps.providers[shown.provider];
  if (!provider?.offers.portal || shown?.customerId == null) return { redirectUrl: null };
  try {
    return { redirectUrl: await provider.portalUrl(shown.customerId) };
  } catch (error) {
    throw new AppError('payment_provider_failed', presentProviderFault(error, language), { cause: error });
  }
}
