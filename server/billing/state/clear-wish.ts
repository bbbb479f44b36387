import type { Executor } from '#server/platform/database/database.ts';
import { goesOn } from '../projection/project-wish.ts';
import { deleteWishAfter } from './plan-wish-store.ts';
import type { Billing } from './read-billing.ts';

/** Clears the wish for a lower plan once the subscription that was to end goes on: whoever ends it later may want nothing. */
export async function clearWish(
  tx: Executor,
  userId: string,
  { endings, projection }: Pick<Billing, 'endings' | 'projection'>,
): Promise<void> {
  const lasting = projection.subscriptions.filter((each) => goesOn(each, endings));
  const orderIds = lasting.map(({ order }) => order.id);
  if (orderIds.length > 0) await deleteWishAfter(tx, userId, orderIds);
}
