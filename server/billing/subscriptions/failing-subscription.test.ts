import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time.ts';
import { openBilling } from '#test/billing/billing.ts';
import { checkoutFact, paymentFact, subscriptionFact } from '#test/billing/world.ts';
import type { Fact } from '../providers/facts.ts';
import { leaseCancellationsOf } from '../state/cancellation-store.ts';
import { runCancellation } from './run-cancellation.ts';

describe.each([
  ['creem', true],
  ['bagelpay', false],
] as const)('a failing subscription at %s after a later purchase', (name, cancelAtPeriodEnd) => {
  let world: Awaited<ReturnType<typeof openBilling>>;
  beforeAll(async () => {
    world = await openBilling();
  });
  afterAll(() => world.drop());

  const inMinutes = (minutes: number) => new Date(world.clock.time.getTime() + minutes * MINUTE_MS);

  /** A first purchase whose charge fails, a second one paid after two minutes, and the wish to end the first. */
  async function bought() {
    const { userId, order } = await world.buyer();
    const first = await order({ provider: name });
    const second = await order({ provider: name, planKey: 'gemini_pro' });
    await world.tell(name, checkoutFact(first), subscriptionFact(first, 'unpaid', inMinutes(1).getTime()));
    await world.tell(name, checkoutFact(second), paymentFact(second, { paidAt: inMinutes(2) }));
    const [wanted] = await leaseCancellationsOf(world.sql, userId, inMinutes(2), MINUTE_MS);
    if (!wanted) throw new Error('nothing is to be cancelled');
    expect(wanted).toMatchObject({ subscriptionId: `sub_${first.id}`, reason: 'replaced' });
    const paid = (minutes: number): Fact[] => [
      subscriptionFact(first, 'active', inMinutes(minutes).getTime()),
      paymentFact(first, { paidAt: inMinutes(minutes) }),
    ];
    const open = async () => {
      const rows = await world.sql<{ id: string }[]>`
        select subscription_id as id from billing.cancellations where user_id = ${userId} and done_at is null`;
      return rows.map(({ id }) => id);
    };
    return { first, second: `sub_${second.id}`, wanted, paid, open };
  }

  /** Runs it at a provider that answers with these facts. Returns how it was cancelled there. */
  async function run({ first, wanted }: Awaited<ReturnType<typeof bought>>, told: Fact[]) {
    const { deps } = world;
    const provider = deps.providers[name];
    if (!provider) throw new Error('no provider');
    const ends: string[] = [];
    const played: typeof provider = {
      ...provider,
      fetchSubscription: async () => told,
      cancelSubscription: async (_, when) => {
        ends.push(when);
        return { result: 'done', facts: [subscriptionFact(first, 'canceled', inMinutes(9).getTime())] };
      },
    };
    expect(played.offers.cancelAtPeriodEnd).toBe(cancelAtPeriodEnd);
    await runCancellation({ ...deps, providers: { ...deps.providers, [name]: played } }, wanted);
    return ends;
  }

  it('is cancelled at once where its provider still reports no payment', async () => {
    const purchases = await bought();
    expect(await run(purchases, [])).toEqual(['now']);
    expect(await purchases.open()).toEqual([]);
  });

  it('is cancelled where it was paid before that', async () => {
    const purchases = await bought();
    expect(await run(purchases, purchases.paid(1.5))).toEqual([cancelAtPeriodEnd ? 'period_end' : 'now']);
    expect(await purchases.open()).toEqual([]);
  });

  it('is not cancelled where its provider reports that it was paid after that: the other one is', async () => {
    const purchases = await bought();
    expect(await run(purchases, purchases.paid(3))).toEqual([]);
    expect(await purchases.open()).toEqual([purchases.second]);
  });

  it('is not cancelled where that was told before the provider is asked', async () => {
    const purchases = await bought();
    await world.tell(name, ...purchases.paid(3));
    expect(await run(purchases, [])).toEqual([]);
    expect(await purchases.open()).toEqual([purchases.second]);
  });
});
