import { changePrice, type PlannedPrice, type PriceChange } from '#server/catalogue/change-price.ts';
import type { Deps } from '#server/deps.ts';
import type { Moves } from './act-rules.ts';
import { findRecorded } from './act-store.ts';
import { type OrderedAct, Repeated, recordAct } from './record-act.ts';

/** Sets a price from a day on, or takes it back. Throws as `changePrice` and `recordAct`. */
export async function changePriceByHand(deps: Deps, ordered: OrderedAct, change: PriceChange): Promise<void> {
  try {
    await changePrice(deps, change, (tx, planned) =>
      recordAct(tx, deps, ordered, { userId: null, subject: change.model, moves: movesOf(planned, change) }),
    );
  } catch (error) {
    // A double click finds what it has set itself.
    if (await findRecorded(deps.database.sql, ordered.id)) throw new Repeated();
    throw error;
  }
}

/** What the audit log keeps of a price, and what may need a second operator. */
export function movesOf({ today, before, after }: PlannedPrice, { from }: PriceChange): Moves {
  return { price: { from, before, after, today } };
}
