import type { Money } from '#contract/admin/screens.ts';
import { type Billing, readBilling } from '#server/billing/state/read-billing.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';

export interface Charge {
  paymentKey: string;
  provider: Billing['orders'][number]['provider'];
  /** Gross, in minor units; null where the provider did not say, or in several ways. */
  paid: { currency: string; minor: number } | null;
  refundedMinor: number;
  /** What can still be refunded, in minor units; null: the provider did not say what was paid. */
  left: number | null;
  paidAt: Date | null;
  isDisputed: boolean;
  canRefund: boolean;
}

/** One charge of a user. Throws `not_found`. */
export async function readCharge(deps: Deps, userId: string, paymentKey: string): Promise<Charge> {
  const charge = listCharges(deps, await readBilling(deps, userId)).find(
    (each) => each.paymentKey === paymentKey,
  );
  if (!charge) throw new AppError('not_found');
  return charge;
}

/** What a user paid, and what became of it, the newest first. */
export function listCharges({ providers }: Pick<Deps, 'providers'>, { snapshot }: Billing): Charge[] {
  const charges = [...snapshot.payments].map(([paymentKey, { provider, sums, paidAts }]): Charge => {
    const amount = sums.length > 0 ? Math.max(...sums.map((sum) => sum.amount)) : null;
    const currency = sums.find((sum) => sum.currency !== null)?.currency ?? null;
    const { refunded = 0, isAll = false } = snapshot.refunds.get(paymentKey) ?? {};
    const left = isAll ? 0 : amount === null ? null : Math.max(0, amount - refunded);
    const at = paidAts[0];
    return {
      paymentKey,
      provider,
      paid: moneyOf(currency, amount),
      refundedMinor: isAll ? (amount ?? refunded) : refunded,
      left,
      paidAt: at === undefined ? null : new Date(at),
      isDisputed: snapshot.disputes.has(paymentKey),
      canRefund: left !== 0 && (providers[provider]?.offers.refund ?? false),
    };
  });
  return charges.sort((one, other) => Number(other.paidAt) - Number(one.paidAt));
}

/** Null where either is not known. */
export function moneyOf(currency: string | null, minor: number | null): Money | null {
  return currency === null || minor === null ? null : { currency, minor };
}
