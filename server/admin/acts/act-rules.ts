import type { Act } from '#contract/admin/acts.ts';
import type { Config } from '#server/config.ts';

/** What makes an act the same as another one under its id. */
export interface AskedAct {
  act: Act;
  reason: string;
  /** Null: the command line. */
  operatorId: string | null;
}

/** Whether two acts ask for the same, whatever the order of their names. */
export function isSameAct(one: AskedAct, other: AskedAct): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ act, reason, operatorId }: AskedAct): string {
  return JSON.stringify([Object.entries(act).sort(), reason, operatorId]);
}

/** Credits, minor units of money and prices: what acts move. Null: how much money is not known. */
export interface Moves {
  credits?: number;
  minor?: number | null;
  /** Credits a message today, and from a day on, UTC, before and after. */
  price?: { from: string; today: number; before: number; after: number };
}

/** The share of its price by which one operator alone may change the price of a model. */
const MAX_PRICE_STEP = 0.25;

/** An act as the rule about two operators sees it. */
export interface JudgedAct {
  /** Null: the command line. */
  operatorId: string | null;
  /** The second operator, where one agreed. */
  agreedBy: string | null;
  /** Whom it is for. */
  userId: string | null;
  moves: Moves;
  /** What the operator moved alone in the day before. */
  moved: { credits: number; minor: number };
}

/** Whether another operator has to agree: for what moves more than one may in a day, and for what an operator does for themselves. */
export function needsSecondOperator(
  { operatorId, agreedBy, userId, moves, moved }: JudgedAct,
  { creditsPerDay, refundMinorPerDay }: Config['operator'],
): boolean {
  if (operatorId === null || agreedBy !== null) return false;
  if (operatorId === userId) return true;
  const { credits = 0, minor = 0, price } = moves;
  if (minor === null) return true;
  if (price && [price.today, price.before].some((was) => Math.abs(price.after - was) > MAX_PRICE_STEP * was))
    return true;
  return (
    (credits > 0 && moved.credits + credits > creditsPerDay) ||
    (minor > 0 && moved.minor + minor > refundMinorPerDay)
  );
}
