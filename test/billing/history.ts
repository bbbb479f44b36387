import { addMonths } from '#server/billing/facts/period-rules.ts';
import type { BillingOrder } from '#server/billing/projection/link-orders.ts';
import type {
  Fact,
  PaymentFact,
  SubscriptionFact,
  SubscriptionStatus,
} from '#server/billing/providers/facts.ts';
import {
  BEGIN,
  type Charge,
  type Contract,
  checkoutFact,
  DAY,
  type Delivery,
  disputeFact,
  orderOf,
  paymentFact,
  refundFact,
  subscriptionFact,
} from './world.ts';

/** What really happened to one user, and every webhook of it in the order of the events. */
export interface History {
  orders: BillingOrder[];
  contracts: Contract[];
  deliveries: Delivery[];
  end: number;
}

type Act =
  | ('buy' | 'renew' | 'fail' | 'cancel' | 'resume' | 'refund' | 'dispute' | 'lapse' | 'noise')
  | ('rebuy' | 'switch' | 'charge_again' | 'contradict');

/** How often each happens, of sixteen; the rest are rarer. */
const ACTS: readonly Act[] = [
  ...(['buy', 'buy', 'buy', 'renew', 'renew', 'renew', 'renew', 'renew'] as const),
  ...(['fail', 'cancel', 'cancel', 'resume', 'refund', 'dispute', 'lapse', 'noise'] as const),
];
/** What one in four of these acts is instead. */
const RARER: Partial<Record<Act, Act>> = {
  buy: 'rebuy',
  renew: 'charge_again',
  cancel: 'switch',
  refund: 'charge_again',
  noise: 'contradict',
};

function actOf(number: number): Act {
  const act = ACTS[number & 15] ?? 'buy';
  return ((number >> 27) & 3) === 3 ? (RARER[act] ?? act) : act;
}

/** Plays a history from numbers, each of which is one act; `without` leaves acts out. The same numbers give the same history. */
export function playHistory(numbers: readonly number[], without: readonly Act[] = []): History {
  const history: History = { orders: [], contracts: [], deliveries: [], end: BEGIN };
  for (const number of [0, ...numbers]) {
    const act = actOf(number);
    if (without.includes(act)) continue;
    history.end += ((number >> 4) & 31) * DAY + ((number >> 9) & 4095);
    const pick = number >> 12;
    const contract = history.contracts[pick % Math.max(1, history.contracts.length)];
    if (act === 'buy' || !contract) buy(history, pick);
    else if (act === 'rebuy') buy(history, pickOf(contract, pick), contract);
    else CHANGES[act](history, contract, pick);
  }
  return history;
}

const CHANGES: Record<
  Exclude<Act, 'buy' | 'rebuy'>,
  (history: History, contract: Contract, pick: number) => void
> = {
  renew,
  resume,
  refund,
  noise,
  contradict,
  switch: switchPlan,
  charge_again: chargeAgain,
  fail: (history, contract) => isOver(contract) || change(history, contract, 'past_due'),
  lapse: (history, contract) => isOver(contract) || change(history, contract, 'canceled'),
  dispute: (history, contract, pick) => {
    const charge = chargeOf(contract, pick);
    charge.disputed = true;
    deliver(history, contract.order, [disputeFact(charge.transactionId)]);
  },
  cancel: (history, contract) =>
    isOver(contract) ||
    change(history, contract, contract.order.provider === 'creem' ? 'scheduled_cancel' : 'canceled'),
};

function isOver({ status }: Contract): boolean {
  return status === 'canceled';
}

function chargeOf({ charges }: Contract, pick: number): Charge {
  const charge = charges[(pick >> 5) % charges.length];
  if (!charge) throw new Error('a contract begins with a charge');
  return charge;
}

function deliver(history: History, { provider }: BillingOrder, facts: Fact[]): void {
  history.deliveries.push({ id: `evt_${history.deliveries.length}`, provider, at: history.end, facts });
}

/** A number from which `buy` makes the same purchase as that of the contract. */
function pickOf({ order }: Contract, pick: number): number {
  const cycle = order.cycle === 'annual' ? 12 : 0;
  return (
    (pick & ~15) | (order.provider === 'bagelpay' ? 1 : 0) | (order.planKey === 'gemini_pro' ? 2 : 0) | cycle
  );
}

/**
 * Providers report a purchase in several events, some of which leave out what others say. `former`: the same was bought before,
 * and what names no subscription at BagelPay was bound to that one by its likeness.
 */
function buy(history: History, pick: number, former?: Contract): void {
  const order = orderOf(`order-${history.orders.length}`, history.end, {
    provider: pick & 1 ? 'bagelpay' : 'creem',
    planKey: pick & 2 ? 'gemini_pro' : 'gemini_basic',
    cycle: (pick & 12) === 12 ? 'annual' : 'monthly',
  });
  const subscriptionId = `sub_${order.id}`;
  const begun = { order, subscriptionId, terms: order, updatedAt: history.end };
  const contract: Contract = { ...begun, charges: [], status: 'active' };
  history.orders.push(order);
  history.contracts.push(contract);
  const charge = addCharge(contract, history.end, pick);
  const snapshot = subscriptionFact(order, 'active', history.end);
  const payment = paymentOf(contract, charge);
  if (order.provider === 'creem') {
    deliver(history, order, [checkoutFact(order)]);
    deliver(history, order, [snapshot]);
    deliver(history, order, [{ ...snapshot, orderId: order.id }, payment]);
    return;
  }
  const likeness = { subscriptionId: former?.subscriptionId ?? null, periodStart: null, periodEnd: null };
  const first = pick & 32 || former ? { ...payment, ...likeness } : payment;
  deliver(history, order, [
    checkoutFact(order, { subscriptionId: null }),
    first,
    ...(former ? [{ ...snapshotOf(former), orderId: former.order.id }] : []),
  ]);
  deliver(history, order, [snapshot, payment]);
}

function snapshotOf({ order, status, updatedAt }: Contract): SubscriptionFact {
  return subscriptionFact(order, status, updatedAt);
}

function addCharge(contract: Contract, start: number, pick: number): Charge {
  const { charges, terms } = contract;
  const months = terms.cycle === 'monthly' ? 1 : 12;
  const anchor = charges[0]?.start ?? start;
  const period = (charges.at(-1)?.period ?? -1) + 1;
  const isOnTime = start === addMonths(anchor, period * months);
  const end = isOnTime ? addMonths(anchor, (period + 1) * months) : addMonths(start, months);
  return pushCharge(contract, { period, start, end }, pick);
}

function pushCharge(
  contract: Contract,
  period: Pick<Charge, 'period' | 'start' | 'end'>,
  pick: number,
): Charge {
  const { order, charges, terms } = contract;
  const charge: Charge = {
    transactionId: `tran_${order.id}_${charges.length}`,
    ...{ ...period, terms, refunded: 0, disputed: false },
    gross: terms.priceMinor + (pick & 64 ? Math.round(terms.priceMinor / 5) : 0),
  };
  charges.push(charge);
  return charge;
}

function paymentOf({ order }: Contract, { terms, ...charge }: Charge): PaymentFact {
  return paymentFact(order, {
    transactionId: charge.transactionId,
    ...{ periodStart: new Date(charge.start), periodEnd: new Date(charge.end) },
    ...{ productId: terms.productId, netMinor: terms.priceMinor },
    paidAt: new Date(charge.start + 3_000),
    amountMinor: charge.gross,
  });
}

/** The last period once more: under the same times, or seconds apart, which may be on two days. */
function chargeAgain(history: History, contract: Contract, pick: number): void {
  const last = contract.charges.at(-1);
  if (!last || last.terms !== contract.terms) return;
  const apart = pick & 128 ? 3_000 : 0;
  const { period } = last;
  const charge = pushCharge(contract, { period, start: last.start + apart, end: last.end + apart }, pick);
  const payment = paymentOf(contract, charge);
  deliver(history, contract.order, [{ ...payment, orderId: pick & 32 ? contract.order.id : null }]);
}

/** Creem puts a subscription on another plan, which the next renewal is charged for. */
function switchPlan(history: History, contract: Contract, pick: number): void {
  if (isOver(contract) || contract.order.provider !== 'creem') return;
  const planKey = contract.terms.planKey === 'gemini_basic' ? 'gemini_pro' : 'gemini_basic';
  const { id, createdAt, provider } = contract.order;
  const cycle = (pick & 96) === 96 ? 'annual' : 'monthly';
  contract.terms = orderOf(id, createdAt.getTime(), { provider, planKey, cycle });
  contract.updatedAt = Math.max(history.end, contract.updatedAt + 1);
  const { productId } = contract.terms;
  deliver(history, contract.order, [
    subscriptionFact(contract.order, contract.status, contract.updatedAt, { productId }),
  ]);
}

/** A charge reported with another amount. */
function contradict(history: History, contract: Contract, pick: number): void {
  const charge = chargeOf(contract, pick);
  const amountMinor = pick & 16 ? charge.gross * 2 : 1;
  deliver(history, contract.order, [{ ...paymentOf(contract, charge), amountMinor, netMinor: amountMinor }]);
}

function change(history: History, contract: Contract, status: SubscriptionStatus): void {
  contract.status = status;
  contract.updatedAt = Math.max(history.end, contract.updatedAt + 1);
  deliver(history, contract.order, [subscriptionFact(contract.order, status, contract.updatedAt)]);
}

/** On time, or late after a failure; a renewal rarely echoes the order. */
function renew(history: History, contract: Contract, pick: number): void {
  const last = contract.charges.at(-1);
  if (!last || isOver(contract) || contract.status === 'scheduled_cancel') return;
  const isLate = contract.status === 'past_due' && history.end > last.end;
  const charge = addCharge(contract, isLate ? history.end : last.end, pick);
  history.end = Math.max(history.end, charge.start);
  change(history, contract, 'active');
  const payment = paymentOf(contract, charge);
  deliver(history, contract.order, [{ ...payment, orderId: pick & 32 ? contract.order.id : null }]);
}

function resume(history: History, contract: Contract): void {
  if (contract.status === 'scheduled_cancel') change(history, contract, 'active');
}

/** A part or all of what is left, first reported as pending. Creem reports each act by its id, and its total may be late. */
function refund(history: History, contract: Contract, pick: number): void {
  const charge = chargeOf(contract, pick);
  const left = charge.gross - charge.refunded;
  const payment = paymentOf(contract, charge);
  const ownMinor = pick & 16 ? left : Math.ceil(left / 3);
  if (ownMinor === 0) return;
  const act =
    contract.order.provider === 'creem' ? { refundId: `ref_${history.deliveries.length}`, ownMinor } : {};
  deliver(history, contract.order, [
    refundFact(payment, charge.refunded, { status: 'pending', paidMinor: charge.gross, ...act }),
  ]);
  charge.refunded += ownMinor;
  const total = act.refundId && pick & 128 ? ownMinor : charge.refunded;
  deliver(history, contract.order, [refundFact(payment, total, act)]);
}

function noise(history: History, contract: Contract): void {
  const odd = subscriptionFact(contract.order, 'unknown', history.end + DAY);
  deliver(history, contract.order, [
    odd,
    { kind: 'unknown', type: 'x.y', reason: 'an event of an unknown type' },
  ]);
}

/** What a provider answers when it is asked about everything at the end. */
export function pollFacts({ contracts }: History): { provider: Delivery['provider']; facts: Fact[] }[] {
  return contracts.map((contract) => ({
    provider: contract.order.provider,
    facts: [
      checkoutFact(contract.order),
      snapshotOf(contract),
      ...contract.charges.flatMap((charge): Fact[] => [
        {
          ...paymentOf(contract, charge),
          ...(contract.order.provider === 'creem' ? { productId: null } : {}),
        },
        ...(charge.refunded > 0 ? [refundFact(paymentOf(contract, charge), charge.refunded)] : []),
        ...(charge.disputed ? [disputeFact(charge.transactionId)] : []),
      ]),
    ],
  }));
}
