import type { Provider } from '#contract/billing.ts';
import { type Billing, useBilling } from './use-billing.ts';
import { type PurchaseChoice, usePurchaseChoice } from './use-purchase-choice.ts';

const ALL: readonly Provider[] = ['creem', 'bagelpay'];

export interface Offer {
  billing: Billing;
  choice: PurchaseChoice;
  /** Those that can be paid with; to a visitor, all. */
  providers: readonly Provider[];
}

/** What a page that sells plans needs to know: what the reader has, and what is chosen. */
export function useOffer(): Offer {
  const billing = useBilling();
  const providers = billing.state === 'known' ? billing.status.providers : ALL;
  return { billing, choice: usePurchaseChoice(providers), providers };
}
