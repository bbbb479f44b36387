import { AppError } from '#server/errors.ts';
import { CHECKOUT_MARGIN_MS, endOfCheckout } from '../facts/period-rules.ts';
import {
  insertOrder,
  lockAccount,
  type NewOrder,
  type OrderRow,
  selectOpenOrders,
} from '../state/order-store.ts';
import { askSoon } from '../state/poll-store.ts';
import type { ProjectDeps } from '../state/project-user.ts';
import { publishBilling } from '../state/publish-billing.ts';
import { readAddressHash } from '../state/read-blocked-since.ts';
import { closeOrder } from './close-order.ts';

const MAX_TRIES = 3;
/** Most webhooks are quicker than this. */
const FIRST_ASK_MS = 4_000;

/** The open order for the same thing on the same terms, else a new one; one that is out of date is closed. */
export async function openOrder(deps: ProjectDeps, offer: NewOrder): Promise<OrderRow> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { order, isUsable, isNew } = await findOrInsert(deps, offer);
    if (isNew)
      publishBilling(deps, order.userId, { orders: [order], subscription: undefined, balance: null });
    if (isUsable) return order;
    await closeOrder(deps, order, 'expired');
  }
  throw new AppError('conflict');
}

interface Found {
  order: OrderRow;
  isNew: boolean;
  /** True when it is still what is on offer, and its page is open. */
  isUsable: boolean;
}

function findOrInsert(deps: ProjectDeps, offer: NewOrder): Promise<Found> {
  const now = deps.clock.now();
  return deps.database.sql.begin(async (tx) => {
    await lockAccount(tx, offer.userId);
    const open = await selectOpenOrders(tx, offer.userId);
    const known = open.find((each) => !each.confirming && isSameThing(each, offer));
    if (known) return { order: known, isNew: false, isUsable: isOnOffer(known, offer, now) };
    const order = await insertOrder(tx, offer, await readAddressHash(deps, offer.userId, tx));
    await askSoon(tx, offer.userId, offer.provider, new Date(now.getTime() + FIRST_ASK_MS));
    return { order, isNew: true, isUsable: true };
  });
}

function isSameThing(left: NewOrder, right: NewOrder): boolean {
  return left.provider === right.provider && left.planKey === right.planKey && left.cycle === right.cycle;
}

function isOnOffer(order: OrderRow, offer: NewOrder, now: Date): boolean {
  const isOnTerms =
    order.productId === offer.productId &&
    order.priceMinor === offer.priceMinor &&
    order.credits === offer.credits;
  return isOnTerms && now.getTime() < endOfCheckout(order) - CHECKOUT_MARGIN_MS;
}
