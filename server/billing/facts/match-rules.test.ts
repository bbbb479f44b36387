import { describe, expect, it } from 'vitest';
import { DAY, orderOf, paymentFact } from '#test/billing/world.ts';
import type { PaymentFact } from '../providers/facts.ts';
import { fitsOrder, fitsRenewal } from './match-rules.ts';

const BEGUN = Date.UTC(2027, 4, 31, 12);
const MINUTE = 60_000;
const order = {
  ...orderOf('order-1', BEGUN),
  email: 'a@example.test',
  checkoutExpiresAt: new Date(BEGUN + DAY),
};
const paid = (minutes: number, over: Partial<PaymentFact> = {}) =>
  paymentFact(order, { paidAt: new Date(BEGUN + minutes * MINUTE), match: 'inferred', ...over });

describe('a charge without an order', () => {
  it.each([
    ['at once', paid(0)],
    ['with the address in other letters', paid(5, { customerEmail: 'A@Example.test' })],
    ['with tax on top', paid(5, { amountMinor: order.priceMinor + 120, netMinor: order.priceMinor })],
    ['at the last moment', paid(24 * 60 + 2)],
    ['by a clock that is late', paid(-2)],
  ])('fits the order when it is paid %s', (_, payment) => {
    expect(fitsOrder(payment, order)).toBe(true);
  });

  it.each([
    ['by somebody else', paid(5, { customerEmail: 'b@example.test' })],
    ['by nobody known', paid(5, { customerEmail: null })],
    ['for another product', paid(5, { productId: 'another' })],
    ['for no known product', paid(5, { productId: null })],
    ['in another currency', paid(5, { currency: 'EUR' })],
    ['a cent too little', paid(5, { amountMinor: order.priceMinor - 1, netMinor: order.priceMinor - 1 })],
    ['a cent too much', paid(5, { amountMinor: order.priceMinor + 1, netMinor: order.priceMinor + 1 })],
    [
      'less than its price before tax',
      paid(5, { amountMinor: order.priceMinor - 1, netMinor: order.priceMinor }),
    ],
    ['with no known amount', paid(5, { amountMinor: null, netMinor: order.priceMinor })],
    ['before it was made', paid(-3)],
    ['after its page was over', paid(24 * 60 + 3)],
    ['at no known time', paid(5, { paidAt: null })],
  ])('does not fit when it is paid %s', (_, payment) => {
    expect(fitsOrder(payment, order)).toBe(false);
  });

  it('fits an order whose page has no told end for a day', () => {
    const open = { ...order, checkoutExpiresAt: null };
    expect([24 * 60, 24 * 60 + 3].map((minutes) => fitsOrder(paid(minutes), open))).toEqual([true, false]);
  });

  it('pays a period of a subscription on its terms and in time', () => {
    const start = BEGUN + 30 * DAY;
    const renewal = (over: Partial<PaymentFact> = {}) =>
      paid(0, { periodStart: new Date(start), paidAt: new Date(start + MINUTE), ...over });
    expect(fitsRenewal(renewal(), order)).toBe(true);
    expect(fitsRenewal(renewal({ paidAt: new Date(start + 13 * DAY) }), order)).toBe(true);
    expect(fitsRenewal(renewal({ paidAt: new Date(start + 15 * DAY) }), order)).toBe(false);
    expect(fitsRenewal(renewal({ periodStart: null }), order)).toBe(false);
    expect(fitsRenewal(renewal({ productId: 'another' }), order)).toBe(false);
  });
});
