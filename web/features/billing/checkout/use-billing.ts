import { queryOptions, useQuery } from '@tanstack/react-query';
import type { BillingStatus } from '#contract/billing.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { callApi } from '#web/lib/api.ts';

export type Billing =
  | { state: 'loading' }
  /** No user is signed in, or the server could not be asked. */
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

/** The reader's subscriptions and what can be done about them; the live channel has it read again when they change. */
export const billingQuery = queryOptions({
  queryKey: ['billing', 'status'],
  queryFn: ({ signal }) => callApi<BillingStatus>('/api/subscription', { signal }),
  staleTime: 60_000,
  retry: 1,
});
