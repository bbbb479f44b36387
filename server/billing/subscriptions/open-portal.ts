import type { PortalAnswer } from '#contract/billing.ts';
import type { Language } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { limitProviderCalls } from '../orders/limit-provider-calls.ts';
import { presentProviderFault } from '../orders/present-provider-fault.ts';
import { readBilling } from '../state/read-billing.ts';
import { readPortal } from './read-portal.ts';

/**
 * The provider's page for the shown subscription, which signs its owner in there: kept and logged nowhere. Null where the
 * provider has none, or the user did not prove the address of the purchase. Throws `payment_provider_failed`.
 */
export async function openPortal(
  deps: Pick<Deps, 'database' | 'clock' | 'config' | 'providers'>,
  userId: string,
  language: Language,
): Promise<PortalAnswer> {
  await limitProviderCalls(deps, userId);
  const portal = await readPortal(deps, userId, await readBilling(deps, userId));
  if (portal?.kind !== 'provider') return { redirectUrl: null };
  try {
    return { redirectUrl: await portal.provider.portalUrl(portal.customerId) };
  } catch (error) {
    throw new AppError('payment_provider_failed', presentProviderFault(error, language), { cause: error });
  }
}
