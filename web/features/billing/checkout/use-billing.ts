import { useQuery } from '@tanstack/react-query';
import type { BillingStatus } from '#contract/billing.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { billingQuery } from './billing-query.ts';

export type Billing =
  | { state: 'loading' }
  /** Nobody is signed in, or the server could not be asked. */
  | { state: 'unknown' }
  | { state: 'known'; status: BillingStatus };

/** What the reader has bought, kept up to date; asked only for who is signed in. */
export function useBilling(): Billing {
  const session = useSession();
  const signedIn = session.state === 'signed-in';
  const { data, isError } = useQuery({ ...billingQuery, enabled: signedIn });
  if (signedIn && data) return { state: 'known', status: data };
  return { state: session.state === 'loading' || (signedIn && !isError) ? 'loading' : 'unknown' };
}
