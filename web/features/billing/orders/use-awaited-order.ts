import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Order } from '#contract/billing.ts';
import { CONFIRMING_MS } from '#contract/plan-rank.ts';
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

const ORDER_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The order that the address names, from which its reader came back; null: none. */
export function useNamedOrderId(): string | null {
  const [search] = useSearchParams();
  const orderId = search.get('order') ?? '';
  return ORDER_ID.test(orderId) ? orderId : null;
}

const PAID_NEWS_MS = 10 * 60_000;
const NEWS_MS = 86_400_000;

/** Whether a reader who comes at `now` is to be shown what became of the order: what is settled long ago stands in the list of orders. */
export function isNews({ status, paidAt, createdAt, uncredited }: Order, now: number): boolean {
  if (uncredited) return true;
  if (status === 'paid') return now - (paidAt ?? createdAt) < PAID_NEWS_MS;
  return now - createdAt < NEWS_MS;
}

/** What the order that the address names means for the plans on the page. */
export interface ReturnedOrder {
  /** Its payment is being confirmed: who buys now may pay twice. */
  isConfirming: boolean;
  /** The page says what became of it, and what is to be done next. */
  isShown: boolean;
  /** The order itself where nothing was paid for it: its reader may want the same once more. */
  left: Order | null;
}

/**
 * The order that its reader came back from; a visitor (`isMember` is false) came back from none. One that nobody has heard of for a
 * while may be bought again, and later one whose payment is not confirmed.
 */
export function useReturnedOrder(isMember = true): ReturnedOrder {
  const orderId = useNamedOrderId();
  const { data } = useQuery({
    ...receiptQuery(orderId ?? ''),
    enabled: orderId !== null && isMember,
    retry: retryUnlessFinal,
  });
  const [since] = useState(() => Date.now());
  const order = data?.order;
  const isOpen = order?.status === 'open' && order.uncredited === null;
  const slow = useSlow(isOpen);
  const isOverdue = useSlow(isOpen, CONFIRMING_MS);
  const isShown = order !== undefined && isNews(order, since);
  const isLeft = isShown && order.uncredited === null && isUnpaid(order);
  return {
    isConfirming: isOpen && !(order.confirming ? isOverdue : slow),
    isShown,
    left: isLeft ? order : null,
  };
}

/** Follows an order until it is decided: by the live channel, and by asking at growing intervals. */
export function useAwaitedOrder(orderId: string): AwaitedOrder {
  const client = useQueryClient();
  const { data } = useQuery({
    ...receiptQuery(orderId),
    retry: retryUnlessFinal,
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

/** Whether the purchase was declined, or left by its reader. */
export function isUnpaid({ status }: Order): boolean {
  return status === 'failed' || status === 'abandoned';
}

function mayBePaid(order: Order): boolean {
  if (order.status === 'open') return true;
  return isUnpaid(order) && Date.now() - order.createdAt < PAYABLE_MS;
}

function retryUnlessFinal(count: number, error: Error): boolean {
  return count < 5 && !(error instanceof ApiError && isFinal(error));
}

function isFinal({ status }: ApiError): boolean {
  return status !== null && status < 500 && status !== 429;
}

function useSlow(waiting: boolean, afterMs = SLOW_MS): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => setSlow(true), afterMs);
    return () => clearTimeout(timer);
  }, [waiting, afterMs]);
  return waiting && slow;
}
