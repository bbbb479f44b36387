import { expect, it } from 'vitest';
import {
  BEGIN,
  checkoutFact,
  DAY,
  disputeFact,
  orderOf,
  paymentFact,
  refundFact,
  subscriptionFact,
} from '#test/billing/world.ts';
import { mergeFacts } from '../facts/merge-facts.ts';
import { addMonths } from '../facts/period-rules.ts';
import { EMPTY_SNAPSHOT } from '../facts/provider-snapshot.ts';
import type { Fact } from '../providers/facts.ts';
import { linkOrders } from './link-orders.ts';

const SINCE = BEGIN + 10 * DAY;
const running = orderOf('running', BEGIN);
const opened = orderOf('opened', BEGIN + DAY, { planKey: 'gemini_pro' });
const first = paymentFact(running);
const paidAt = (at: number) => paymentFact(opened, { periodStart: new Date(at), paidAt: new Date(at) });

/** What pays and what does not, while a dispute is open since `SINCE`. */
function link(facts: Fact[], booked: string[] = [], blockedSince: number | null = SINCE) {
  const snapshot = mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts });
  const bookings = booked.map((paymentKey) => ({
    ...{ paymentKey, sourceKey: paymentKey, orderId: opened.id, amount: opened.credits },
    ...{ startsAt: new Date(SINCE + 1), expiresAt: new Date(addMonths(SINCE + 1, 1)) },
  }));
  const known = { booked: bookings, offers: [], blockedSince };
  const { paid, quarantine } = linkOrders(snapshot, [running, opened], known);
  return {
    paid: paid.map(({ transactionId }) => transactionId),
    refused: quarantine.map(({ subject, reason, charge }) => [subject, reason, charge]),
  };
}

it('a purchase that was paid after a dispute began grants nothing while it is open', () => {
  const late = paidAt(SINCE + 1);
  const refused = [['tran_opened', 'checkout_blocked', 'not_granted']];
  expect(link([first, disputeFact('tran_running'), late])).toEqual({ paid: ['tran_running'], refused });
  expect(link([late, refundFact(late, late.amountMinor)])).toEqual({ paid: [], refused: [] });
  expect(link([first, late], [], null)).toEqual({ paid: ['tran_running', 'tran_opened'], refused: [] });
});

it('a purchase that was paid before a dispute grants, whenever it is told', () => {
  expect(link([first, paidAt(SINCE)])).toEqual({ paid: ['tran_running', 'tran_opened'], refused: [] });
});

it('what was granted before the dispute was known stays granted', () => {
  expect(link([paidAt(SINCE + 1)], ['creem:tran_opened'])).toEqual({ paid: ['tran_opened'], refused: [] });
});

it('a plan that ran before the dispute renews while it is open', () => {
  const start = new Date(addMonths(BEGIN, 1));
  const renewal = paymentFact(running, { transactionId: 'tran_renewal', periodStart: start, paidAt: start });
  expect(link([first, renewal])).toEqual({ paid: ['tran_running', 'tran_renewal'], refused: [] });
});

it('a name that cannot be one of ours takes nothing from the one that is, and alone it is somebody else’s', () => {
  const userId = crypto.randomUUID();
  const order = { ...orderOf(crypto.randomUUID(), BEGIN), userId };
  const paid = paymentFact(order);
  const garbled = [
    checkoutFact(order, { userId: '0' }),
    subscriptionFact(order, 'active', BEGIN, { orderId: 'x' }),
    { ...paid, orderId: 'x' },
  ];
  const honest = [checkoutFact(order), subscriptionFact(order, 'active', BEGIN, { orderId: order.id }), paid];
  const linked = (facts: Fact[]) => {
    const snapshot = mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts });
    const known = { booked: [], offers: [], blockedSince: null };
    const { paid: periods, quarantine } = linkOrders(snapshot, [order], known);
    return { paid: periods.length, refused: quarantine.map(({ reason }) => reason) };
  };
  expect(linked(garbled)).toEqual({ paid: 0, refused: ['order_unknown'] });
  expect(linked([...garbled, ...honest])).toEqual({ paid: 1, refused: [] });
  const another = { ...paid, orderId: crypto.randomUUID() };
  expect(linked([...honest, another])).toMatchObject({ paid: 0 });
});
