import type { PlanKey, Provider } from '#contract/billing.ts';
import { type PlanStanding, planStanding } from './plan-standing.ts';
import { type Billing, useBilling } from './use-billing.ts';
import { type CheckoutAct, useCheckout } from './use-checkout.ts';
import { type PurchaseChoice, usePurchaseChoice } from './use-purchase-choice.ts';

const ALL: readonly Provider[] = ['creem', 'bagelpay'];

export interface Offer {
  billing: Billing;
  choice: PurchaseChoice;
  checkout: CheckoutAct;
  /** Those that can be paid with; to a visitor, all. */
  providers: readonly Provider[];
  /** How a plan by the chosen cycle stands to what the reader has; null while that is being read. */
  standingOf(plan: PlanKey): PlanStanding | null;
}

/** Everything a page that sells plans needs: what the reader has, what is chosen, and the act of buying it. */
export function useOffer(): Offer {
  const billing = useBilling();
  const status = billing.state === 'known' ? billing.status : null;
  const providers = status?.providers ?? ALL;
  const choice = usePurchaseChoice(providers);
  const checkout = useCheckout({ cycle: choice.cycle, provider: choice.provider });
  const standingOf = (plan: PlanKey) =>
    billing.state === 'loading' ? null : planStanding(plan, choice.cycle, status);
  return { billing, choice, checkout, providers, standingOf };
}
