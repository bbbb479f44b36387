import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBilling } from '#test/billing/billing.ts';
import { paymentFact } from '#test/billing/world.ts';
import type { PaymentFact } from '../providers/facts.ts';
import { matchPayments } from './match-payments.ts';

let world: Awaited<ReturnType<typeof openBilling>>;
beforeAll(async () => {
  world = await openBilling();
});
afterAll(() => world.drop());

/** A charge of BagelPay that fits an order of a new buyer to the letter. */
async function guessed(over: Partial<PaymentFact> = {}) {
  const buyer = await world.buyer();
  const order = await buyer.order({ provider: 'bagelpay' });
  const [user] = await world.sql<{ email: string }[]>`select email from users where id = ${buyer.userId}`;
  const named = { orderId: null, customerEmail: user?.email ?? null, match: 'inferred' } as const;
  return { order, guess: paymentFact(order, { ...named, ...over }) };
}

describe('a charge that names no order', () => {
  it('is matched for the one order that it fits, and says so', async () => {
    const { order, guess } = await guessed();
    expect(await matchPayments(world.deps, 'bagelpay', [guess])).toEqual([
      { ...guess, orderId: order.id, match: 'claimed' },
    ]);
  });

  it('is not matched where it is of the other world, and the true one still is', async () => {
    const { order, guess } = await guessed();
    const strange: PaymentFact = { ...guess, mode: 'live' };
    expect(await matchPayments(world.deps, 'bagelpay', [strange, guess])).toEqual([
      strange,
      { ...guess, orderId: order.id, match: 'claimed' },
    ]);
  });
});
