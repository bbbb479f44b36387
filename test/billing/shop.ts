import type { BillingStatus, CheckoutAnswer, Receipt } from '#contract/billing.ts';
import { PROVIDERS, type Provider } from '#contract/choices.ts';
import { clearRateLimit } from '#server/platform/database/rate-limit.ts';
import { createTestApp, type TestAppOptions } from '../app.ts';
import { FakeClock } from '../fake-clock.ts';
import { SECRET, startPayments } from './payment-emulator.ts';

export interface ShopOptions extends Pick<TestAppOptions, 'env' | 'log'> {
  /** Do the providers' webhooks reach the server; without it all of them are lost. */
  webhooks?: boolean;
}

/** The whole server with both payment providers played, on a clock that moves. */
export async function openShop({ webhooks = false, ...options }: ShopOptions = {}) {
  const clock = new FakeClock();
  const [creem, bagelpay] = await Promise.all([startPayments('creem'), startPayments('bagelpay')]);
  const worlds = { creem, bagelpay };
  const env = { ...creem.env, ...bagelpay.env, ...options.env };
  const app = await createTestApp({ ...options, env, clock });
  if (webhooks) {
    for (const name of PROVIDERS)
      await worlds[name].control.act('webhook', { url: `${app.url}/webhooks/${name}`, secret: SECRET });
  }

  async function buyer() {
    const client = await app.signedIn();
    const { sql } = app.database.database;
    const read = async <T>(path: string) => (await (await client.get(path)).json()) as T;
    const begin = (provider: Provider, planKey = 'gemini_basic', cycle = 'monthly', more = {}) =>
      client.post('/api/createCheckout', { provider, planKey, cycle, ...more });
    const status = () => read<BillingStatus>('/api/subscription');
    const balance = async () => (await read<{ credits: number }>('/api/me')).credits;

    /** Pays the open checkout of an order as its buyer does on the hosted page. */
    async function pay(provider: Provider, orderId: string, card?: string) {
      const { checkouts } = await worlds[provider].control.ledger();
      const checkout = checkouts.find(({ requestId }) => requestId === orderId)?.id;
      await worlds[provider].control.act('pay', { checkout, email: client.email, ...(card ? { card } : {}) });
    }

    /** The return page: asks about an order. */
    async function receipt(orderId: string): Promise<Receipt> {
      await clearRateLimit(sql, `confirm:${orderId}`);
      return read<Receipt>(`/api/orders/${orderId}`);
    }

    /** A whole purchase, its provider asked about it as the return page does. */
    async function buy(provider: Provider, planKey?: string, cycle?: string, more = {}): Promise<Receipt> {
      const response = await begin(provider, planKey, cycle, more);
      if (!response.ok) throw new Error(await response.text());
      const { orderId } = (await response.json()) as CheckoutAnswer;
      await pay(provider, orderId);
      return receipt(orderId);
    }

    return {
      client,
      userId: client.userId,
      email: client.email,
      begin,
      pay,
      receipt,
      buy,
      status,
      balance,
      read,
    };
  }

  /** Moves every clock, doing on the way what the providers have to do. */
  async function moveDays(days: number) {
    const target = clock.now().getTime() + days * 86_400_000;
    clock.moveTo(target);
    for (const { control } of Object.values(worlds)) await control.moveTo(target);
  }

  async function close() {
    await app.close();
    await Promise.all([creem.close(), bagelpay.close()]);
  }

  return { app, clock, creem, bagelpay, worlds, buyer, moveDays, close, sql: app.database.database.sql };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
