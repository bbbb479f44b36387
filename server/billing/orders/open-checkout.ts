import { setTimeout as sleep } from 'node:timers/promises';
import type { Language } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { clearRateLimit, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { findOrder, type OrderRow, saveCheckout } from '../state/order-store.ts';
import { closeOrder } from './close-order.ts';
import { presentProviderFault } from './present-provider-fault.ts';

/** One caller at a time asks the provider; longer than a call may take, so that only a dead one loses its turn. */
const TURN = { max: 1, windowSeconds: 30 };
const OPEN_TIMEOUT_MS = 45_000;
const LOOK_MS = 200;

type CheckoutDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'bus' | 'providers'>;

/**
 * The address of the order's hosted page. The first caller asks the provider, the others wait for the answer, so that
 * one order has one session; after a failure or a crash the next caller asks again. Throws `payment_provider_failed`; the order is closed then.
 */
export async function openCheckout(
  deps: CheckoutDeps,
  provider: PaymentProvider,
  order: OrderRow,
  language: Language,
): Promise<string> {
  const { sql } = deps.database;
  const turn = `checkout-turn:${order.id}`;
  const until = performance.now() + OPEN_TIMEOUT_MS;
  while (performance.now() < until) {
    const known = await findOrder(sql, order.userId, order.id);
    if (known?.checkoutUrl) return known.checkoutUrl;
    if (known?.status !== 'open')
      throw new AppError('payment_provider_failed', presentProviderFault(null, language));
    if ((await takeRateLimit(sql, turn, TURN, deps.clock.databaseTime())) === 0)
      return ask(deps, provider, order, language).catch(async (error: unknown) => {
        await clearRateLimit(sql, turn).catch(() => {});
        throw error;
      });
    await sleep(LOOK_MS);
  }
  throw new AppError('payment_provider_failed', presentProviderFault(null, language));
}

async function ask(
  deps: CheckoutDeps,
  provider: PaymentProvider,
  order: OrderRow,
  language: Language,
): Promise<string> {
  const session = await provider
    .createCheckout({
      orderId: order.id,
      productId: order.productId,
      userEmail: order.buyerEmail,
      successUrl: `${deps.config.publicUrl}/${language}/subscription?order=${order.id}`,
      metadata: { order_id: order.id, user_id: order.userId },
    })
    .catch(async (error: unknown) => {
      deps.log.warn(
        { err: error, orderId: order.id, provider: order.provider },
        'a checkout could not be opened',
      );
      await closeOrder(deps, order, 'failed');
      throw new AppError('payment_provider_failed', presentProviderFault(error, language), { cause: error });
    });
  if (await saveCheckout(deps.database.sql, order.id, session)) return session.redirectUrl;
  const known = await findOrder(deps.database.sql, order.userId, order.id);
  if (known?.checkoutUrl) return known.checkoutUrl;
  throw new AppError('payment_provider_failed', presentProviderFault(null, language));
}
