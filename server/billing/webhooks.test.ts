import { afterAll, beforeAll, describe, it } from 'vitest';
import { openEvents } from '#test/events.ts';
import { expectNoDrift } from '#test/ledger.ts';
import { createPaymentApp } from '#test/payments.ts';

type World = Awaited<ReturnType<typeof createPaymentApp>>;

describe('a payment', () => {
  let world: World;
  beforeAll(async () => {
    world = await createPaymentApp();
  });
  afterAll(async () => {
    await expectNoDrift(world.app.database.database.sql);
    await world.close();
  });

  it.each(['creem', 'bagelpay'] as const)(
    'at %s becomes credits, a plan and news within a second',
    async (provider) => {
      const user = await world.app.signedIn();
      const live = await openEvents(user, '/api/live');
      await world.buy(user.userId, { provider, planKey: 'gemini_pro' });
      await live.next(({ event, data }) => event === 'credits' && data.credits === 1_540);
      await live.next(
        ({ event, data }) => event === 'order' && (data.order as { status: string }).status === 'paid',
      );
      live.close();
    },
  );
});
