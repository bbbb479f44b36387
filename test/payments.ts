import type { Cycle, PlanKey, Provider } from '#contract/billing.ts';
import { insertOrder, lockAccount, type OrderRow, saveCheckout } from '#server/billing/order-store.ts';
import { priceOf } from '#server/catalogue/rules.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestApp, type TestAppOptions } from './app.ts';
import { SECRET, startPayments } from './payment-emulator.ts';

const DAY = 86_400_000;

export interface WantedPurchase {
  provider?: Provider;
  planKey?: PlanKey;
  cycle?: Cycle;
}

/** The whole server with both payment emulators, whose webhooks reach it, and a clock that can be moved for all three. */
export async function createPaymentApp(options: TestAppOptions = {}) {
  const creem = await startPayments('creem');
  const bagelpay = await startPayments('bagelpay');
  const emulators = { creem, bagelpay };
  let offset = 0;
  const now = () => new Date(Date.now() + offset);
  const app = await createTestApp({
    clock: { now, databaseTime: now },
    ...options,
    env: { ...creem.env, ...bagelpay.env, ...options.env },
  });
  for (const [name, { control }] of Object.entries(emulators))
    await control.act('webhook', { url: `${app.url}/webhooks/${name}`, secret: SECRET });

  /** An order with its hosted checkout, as `POST /api/createCheckout` leaves it. */
  async function order(
    userId: string,
    wanted: WantedPurchase = {},
  ): Promise<OrderRow & { checkoutId: string }> {
    const { provider = 'creem', planKey = 'gemini_basic', cycle = 'monthly' } = wanted;
    const { totalCents, credits } = priceOf(planKey, cycle);
    const { sql } = app.database.database;
    const productId = emulators[provider].settings.products[planKey][cycle];
    const terms = { userId, provider, planKey, cycle, credits, productId, priceMinor: totalCents };
    await lockAccount(sql, userId);
    const made = await insertOrder(sql, { ...terms, id: newId(), currency: 'USD', createdAt: now() });
    const session = await app.deps.providers[provider]?.createCheckout({
      orderId: made.id,
      productId,
      userEmail: `${userId}@example.test`,
      successUrl: `${app.url}/en/orders/${made.id}`,
      metadata: { order_id: made.id, user_id: userId },
    });
    if (!session) throw new Error(`${provider} is not configured`);
    await saveCheckout(sql, made.id, session);
    return { ...made, checkoutId: session.checkoutId };
  }

  /** Orders and pays; the webhooks are on their way then. */
  async function buy(userId: string, wanted: WantedPurchase = {}) {
    const made = await order(userId, wanted);
    await emulators[made.provider].control.act('pay', { checkout: made.checkoutId });
    return made;
  }

  return {
    app,
    ...emulators,
    order,
    buy,
    /** Moves the server's clock and both providers' with all that happens there meanwhile. */
    async moveDays(days: number) {
      offset += days * DAY;
      for (const { control } of Object.values(emulators)) await control.moveDays(days);
    },
    async close() {
      await app.close();
      await creem.close();
      await bagelpay.close();
    },
  };
}
