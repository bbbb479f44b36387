import type { ReactNode } from 'react';
import type { UserRecord } from '#contract/accounts.ts';
import { ReturnedFrom } from '../orders/order-outcome.tsx';
import { SubscriptionPanel } from './subscription-panel.tsx';

/** What only who is signed in sees of the subscription page; `heading` stands above what they have. */
export function OwnSubscription({ user, heading }: { user: UserRecord; heading: ReactNode }) {
  return (
    <>
      <ReturnedFrom />
      {heading}
      <SubscriptionPanel user={user} />
    </>
  );
}
