import type { Provider } from '#contract/choices.ts';
import { AppError } from '#server/errors.ts';
import type { ConfirmDeps } from '../orders/confirm-order.ts';
import { applyFacts } from '../state/apply-facts.ts';
import { readBilling } from '../state/read-billing.ts';

/**
 * Gives back all that remains of one charge (`creem:tran_1`) and takes over what follows. Throws `not_found` for a charge that is
 * not the user's, `not_configured` where the provider has no such call, `ProviderError`.
 */
export async function refundCharge(deps: ConfirmDeps, userId: string, paymentKey: string): Promise<void> {
  const { snapshot } = await readBilling(deps, userId);
  const payment = snapshot.payments.get(paymentKey);
  if (!payment) throw new AppError('not_found');
  const name: Provider = payment.provider;
  const provider = deps.providers[name];
  if (!provider?.offers.refund) throw new AppError('not_configured', { setting: `${name} refund` });
  await provider.refund(payment.transactionId);
  const facts = await provider.fetchTransaction(payment.transactionId);
  await applyFacts(deps, { provider: name, facts, source: 'operator' });
}
