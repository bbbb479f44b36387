import { queryOptions } from '@tanstack/react-query';
import type { BillingStatus } from '#contract/billing.ts';
import { callApi } from '#web/lib/api.ts';

/** The reader's subscriptions and what can be done about them; the live channel has it read again when they change. */
export const billingQuery = queryOptions({
  queryKey: ['billing', 'status'],
  queryFn: ({ signal }) => callApi<BillingStatus>('/api/subscription', { signal }),
  staleTime: 60_000,
  retry: 1,
});
