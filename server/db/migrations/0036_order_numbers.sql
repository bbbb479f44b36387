-- The number of an order is the end of its id (orderNumber in contract/billing.ts): no two orders may share it, and support finds one by it.
CREATE UNIQUE INDEX orders_number ON billing.orders (right(id::text, 12));
