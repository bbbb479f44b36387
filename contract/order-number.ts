import type { Order } from './billing.ts';

/** What people call an order by, on its receipt, in mails and to support: the end of its id, which no other order has. */
export function orderNumber({ id }: Pick<Order, 'id'>): string {
  return id
    .slice(-12)
    .toUpperCase()
    .replace(/(.{4})(?!$)/g, '$1-');
}
