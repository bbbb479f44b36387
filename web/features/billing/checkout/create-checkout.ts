import type { QueryClient } from '@tanstack/react-query';
import type { Checkout, CheckoutAnswer } from '#contract/billing.ts';
import { errorKey } from '#i18n/error-key.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import type { Translate } from '#web/lib/translate.ts';
import { billingQuery } from './use-billing.ts';

/** What became of a checkout: the browser is on its way to it, no user is signed in, or it failed for a reason in words. */
export type CheckoutOutcome = 'leaving' | 'signed-out' | { problem: string };

/** Creates a checkout and sets the browser on its way to it. */
export async function createCheckout(
  t: Translate,
  client: QueryClient,
  body: Checkout,
): Promise<CheckoutOutcome> {
  try {
    const { redirectUrl } = await callApi<CheckoutAnswer>('/api/createCheckout', { method: 'POST', body });
    window.location.assign(redirectUrl);
    return 'leaving';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'unauthenticated') return 'signed-out';
    void client.invalidateQueries({ queryKey: billingQuery.queryKey });
    const message =
      error.code === 'network'
        ? t('pricing.unreachable')
        : t(errorKey(error.code, error.params), error.params);
    return { problem: t('pricing.checkoutFailed', { message }) };
  }
}
