import { hashEmail } from '#server/accounts/abuse/normalise-email.ts';
import type { Deps } from '#server/deps.ts';
import { hasOtherBuyer, selectCustomerEmails } from '../facts/fact-store.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { hasProvedBuyer } from '../state/order-store.ts';
import type { Billing } from '../state/read-billing.ts';

/** Where a subscription is managed, as `BillingStatus` names it. */
type Portal =
  | { kind: 'provider'; provider: PaymentProvider; customerId: string }
  | { kind: 'unproved' }
  | { kind: 'in_app' };

/**
 * Where the user manages the shown subscription; null without orders. A provider has one customer for each address, with everything
 * that was ever bought under it: where another user has bought under it too, its page opens only to who proved the address.
 */
export async function readPortal(
  { database, config, providers }: Pick<Deps, 'database' | 'config' | 'providers'>,
  userId: string,
  { orders, projection }: Billing,
): Promise<Portal | null> {
  const [shown] = projection.subscriptions;
  const provider = shown && providers[shown.provider];
  if (!provider?.offers.portal || shown?.customerId == null)
    return orders.length > 0 ? { kind: 'in_app' } : null;
  const { sql } = database;
  const { customerId } = shown;
  const ordered = orders.find(({ id }) => id === shown.order.id)?.buyerEmail;
  const paid = await selectCustomerEmails(sql, userId, shown.provider, customerId);
  const emails = [...new Set(ordered ? [ordered, ...paid] : paid)];
  for (const email of emails) {
    if (!(await hasOtherBuyer(sql, userId, shown.provider, email))) continue;
    if (!(await hasProvedBuyer(sql, userId, email, hashEmail(config.authSecret, email))))
      return { kind: 'unproved' };
  }
  return emails.length > 0 ? { kind: 'provider', provider, customerId } : { kind: 'unproved' };
}
