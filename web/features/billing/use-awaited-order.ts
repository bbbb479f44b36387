import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Order } from '#contract/billing.ts';
import { ApiError } from '#web/lib/api.ts';
import { readAgain } from '#web/lib/read-again.ts';
import { receiptQuery } from './order-query.ts';

const FIRST_MS = 1_500;
const LONGEST_MS = 30_000;
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
      state.data?.order.status === 'open'
        ? Math.min(LONGEST_MS, FIRST_MS * GROWTH ** state.dataUpdateCount)
        : false,
  });
  const order = data?.order ?? null;
  const slow = useSlow(order?.status === 'open');
  const wasOpen = useRef(false);
  useEffect(() => {
    if (order?.status === 'open') wasOpen.current = true;
    else if (order && wasOpen.current) {
      wasOpen.current = false;
      for (const queryKey of [['me'], ['billing', 'status'], ['catalogue'], ['credits']])
        void readAgain(client, queryKey);
    }
  }, [order, client]);
  return { order, slow };
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
