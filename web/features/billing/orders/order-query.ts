import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Order, OrderPage, Receipt } from '#contract/billing.ts';
import { callApi } from '#web/lib/api.ts';

/** The reader's orders, newest first, page by page. */
export const ordersQuery = infiniteQueryOptions({
  queryKey: ['billing', 'orders'],
  queryFn: ({ pageParam, signal }) => {
    const query = pageParam ? `?${new URLSearchParams({ cursor: pageParam })}` : '';
    return callApi<OrderPage>(`/api/orders${query}`, { signal });
  },
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  retry: 1,
});

/** One order with its charges. While it is open, asking makes the server ask the provider. */
export function receiptQuery(orderId: string) {
  return queryOptions({
    queryKey: ['billing', 'order', orderId],
    queryFn: ({ signal }) => callApi<Receipt>(`/api/orders/${encodeURIComponent(orderId)}`, { signal }),
  });
}

/** Writes an order of the live channel into the page that waits for it. */
export function putOrder(client: QueryClient, order: Order): void {
  const { queryKey } = receiptQuery(order.id);
  client.setQueryData(queryKey, (receipt) => receipt && { ...receipt, order });
}
