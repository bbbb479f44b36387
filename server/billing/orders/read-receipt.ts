import type { Receipt } from '#contract/billing.ts';
import { AppError } from '#server/errors.ts';
import { findOrder } from '../state/order-store.ts';
import { presentOrder } from '../state/present-order.ts';
import { readBilling } from '../state/read-billing.ts';
import { type ConfirmDeps, confirmInTime } from './confirm-order.ts';
import { mayBePaid } from './order-rules.ts';
import { presentCharges } from './present-charges.ts';

/** How long a reader waits for the provider; the answer is then what was known before. */
const CONFIRM_TIMEOUT_MS = 4_000;

/**
 * One order with its charges, oldest first. One that may still be paid is asked about first, so that who comes back from
 * paying needs no webhook. Throws `not_found` for another user's.
 */
export async function readReceipt(deps: ConfirmDeps, userId: string, orderId: string): Promise<Receipt> {
  const known = await findOrder(deps.database.sql, userId, orderId);
  if (!known) throw new AppError('not_found');
  if (mayBePaid(known, deps.clock.now())) await confirmInTime(deps, known, CONFIRM_TIMEOUT_MS);
  const billing = await readBilling(deps, userId);
  const order = billing.orders.find(({ id }) => id === orderId);
  if (!order) throw new AppError('not_found');
  return { order: presentOrder(order), charges: presentCharges(billing, orderId) };
}
