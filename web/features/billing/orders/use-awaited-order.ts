import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Order } from '#contract/billing.ts';
import { ApiError } from '#web/lib/api.ts';
import { readAgain } from '#web/lib/read-again.ts';
import { receiptQuery } from './order-query.ts';

const FIRST_MS = 1_500;
/** A user who waits on this page sees a payment within five seconds. */
const MAX_MS = 4_000;
/** A page at a provider may still be paid after a card was declined there, for a day. */
const PAYABLE_MS = 86_400_000;
const GROWTH = 1.5;
/** After this long a reader wants to know more than that we are waiting. */
const SLOW_MS = 45_000;

export interface AwaitedOrder {
  /** Null: not known yet, or none of the reader's. */
  order: Order | null;
  /** It is waited for longer than usual. */
  slow: boolean;
}

/** Follows an order until it is decided: by the live channel, and by asking at growing intervals. */
export function useAwaitedOrder(orderId: string): AwaitedOrder {
  const client = useQueryClient();
  const { data } = useQuery({
    ...receiptQuery(orderId),
    retry: (count, error) => count < 5 && !(error instanceof ApiError && isFinal(error)),
    refetchInterval: ({ state }) =>
      state.data && mayBePaid(state.data.order)
        ? Math.min(MAX_MS, FIRST_MS * GROWTH ** state.dataUpdateCount)
        : false,
  });
  const order = data?.order ?? null;
  const slow = useSlow(order?.status === 'open');
  const before = useRef<Order['status'] | null>(null);
  useEffect(() => {
    if (!order) return;
    const changed = before.current !== null && before.current !== order.status;
    before.current = order.status;
    if (changed) {
      for (const queryKey of [['me'], ['billing', 'status'], ['catalogue'], ['credits']])
        void readAgain(client, queryKey);
    }
  }, [order, client]);
  return { order, slow };
}

function mayBePaid({ status, createdAt }: Order): boolean {
  if (status === 'open') return true;
  return (status === 'failed' || status === 'abandoned') && Date.now() - createdAt < PAYABLE_MS;
}

function isFinal({ status }: ApiError): boolean {
  return status !== null && status < 500 && status !== 429;
}

function useSlow(waiting: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  return waiting && slow;
}
