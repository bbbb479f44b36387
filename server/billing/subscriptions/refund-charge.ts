import type { Provider } from '#contract/choices.ts';
import { AppError } from '#server/errors.ts';
import { isRefundedInFull, type Observed, type ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { ConfirmDeps } from '../orders/confirm-order.ts';
import type { RefundFact } from '../providers/facts.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { applyFacts } from '../state/apply-facts.ts';
import { readBilling } from '../state/read-billing.ts';

/**
 * Gives back all that remains of one charge (`creem:tran_1`), unless its provider, asked first, has done so; takes over what follows.
 * Returns the refusal of a provider that gives nothing back, else null. Throws `not_found` for a charge that is not the user's,
 * `not_configured` where the provider has no such call, `ProviderError` where it is not known what became of it.
 */
export async function refundCharge(
  deps: ConfirmDeps,
  userId: string,
  paymentKey: string,
): Promise<ProviderError | null> {
  const { snapshot } = await readBilling(deps, userId);
  const payment = snapshot.payments.get(paymentKey);
  if (!payment) throw new AppError('not_found');
  const name: Provider = payment.provider;
  const provider = deps.providers[name];
  if (!provider?.offers.refund) throw new AppError('not_configured', { setting: `${name} refund` });
  const look = async () => {
    const facts = await provider.fetchTransaction(payment.transactionId);
    await applyFacts(deps, { provider: name, facts, source: 'operator' });
    return isOwed((await readBilling(deps, userId)).snapshot, paymentKey);
  };
  if (!(await look())) return null;
  let refusal: ProviderError | null = null;
  try {
    await provider.refund(payment.transactionId);
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'refused')) throw error;
    refusal = error;
  }
  return (await look()) ? refusal : null;
}

/** Whether some of a charge is neither refunded nor being refunded. */
function isOwed(snapshot: ProviderSnapshot, paymentKey: string): boolean {
  const refund = snapshot.refunds.get(paymentKey);
  if (!refund) return true;
  return (
    !isRefundedInFull(snapshot, paymentKey) &&
    ![refund, ...refund.parts].some(({ statuses }) => isUnderWay(statuses))
  );
}

function isUnderWay(statuses: Observed<RefundFact['status']>): boolean {
  return statuses.length === 1 && statuses[0] === 'pending';
}
