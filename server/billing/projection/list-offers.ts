import type { Cycle, PlanKey } from '#contract/billing.ts';
import { PLAN_KEYS, PROVIDERS, type Provider } from '#contract/choices.ts';
import { priceOf } from '#server/catalogue/rules.ts';
import type { Deps } from '#server/deps.ts';
import type { BillingOrder } from './link-orders.ts';

/** An offer that is sold now: the terms that an order freezes. */
export type Offer = Pick<
  BillingOrder,
  'provider' | 'productId' | 'planKey' | 'cycle' | 'priceMinor' | 'currency' | 'credits'
>;

type PaymentConfig = Pick<Deps['config'], Provider>;

const CYCLES = ['monthly', 'annual'] as const;

/** One plan with one cycle at a provider; null where the provider is not configured. */
export function findOffer(
  config: PaymentConfig,
  provider: Provider,
  planKey: PlanKey,
  cycle: Cycle,
): Offer | null {
  const productId = config[provider]?.products[planKey][cycle];
  if (!productId) return null;
  const { totalCents, credits } = priceOf(planKey, cycle);
  return { provider, productId, planKey, cycle, priceMinor: totalCents, currency: 'USD', credits };
}

/** Everything that is sold now. */
export function listOffers(config: PaymentConfig): Offer[] {
  return PROVIDERS.flatMap((provider) =>
    PLAN_KEYS.flatMap((planKey) =>
      CYCLES.flatMap((cycle) => findOffer(config, provider, planKey, cycle) ?? []),
    ),
  );
}
