import type { Cycle, PlanKey } from '#contract/billing.ts';
import { createProviders } from '#server/billing/create-providers.ts';
import type { Fact } from '#server/billing/providers/facts.ts';
import { applyFacts } from '#server/billing/state/apply-facts.ts';
import { insertOrder, lockAccount, type OrderRow, saveCheckout } from '#server/billing/state/order-store.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import type { Deps } from '#server/deps.ts';
import { createBus, userTopic } from '#server/platform/database/bus.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { createInstance } from '#server/platform/database/instance.ts';
import { newId } from '#server/platform/ids.ts';
import { createLog } from '#server/platform/log.ts';
import { createTestDatabase, type TestDatabaseOptions } from '../database/database.ts';
import { insertUser } from '../factories.ts';
import { orderOf } from './world.ts';

type Provider = OrderRow['provider'];

const DAY = 86_400_000;

interface WantedOrder {
  provider?: Provider;
  planKey?: PlanKey;
  cycle?: Cycle;
  productId?: string;
}

/** An order by SQL alone, as its checkout leaves it. Throws when the same thing is open already. */
async function insertTestOrder(
  sql: Executor,
  userId: string,
  createdAt: Date,
  wanted: WantedOrder = {},
): Promise<OrderRow> {
  const id = newId();
  const { checkoutId, productId, ...terms } = orderOf(id, createdAt.getTime(), wanted);
  await lockAccount(sql, userId);
  const order = await insertOrder(sql, { ...terms, userId, productId: wanted.productId ?? productId });
  const session = { checkoutId: checkoutId ?? '', redirectUrl: 'http://127.0.0.1/pay', expiresAt: null };
  await saveCheckout(sql, id, session);
  return { ...order, checkoutId: session.checkoutId, checkoutUrl: session.redirectUrl };
}

/** Payments without any server around: an own database, a clock that stands until it is moved, providers that no one asks. */
export async function openBilling(options: TestDatabaseOptions & { now?: Date } = {}) {
  const test = await createTestDatabase({ poolSize: 16, ...options });
  const { database } = test;
  const log = createLog('silent');
  const clock = {
    time: options.now ?? new Date('2028-01-31T09:30:00Z'),
    now: () => clock.time,
    databaseTime: () => clock.time,
    moveDays: (days: number) => {
      clock.time = new Date(clock.time.getTime() + days * DAY);
    },
  };
  const settings = { apiKey: 'creem_test_x', baseUrl: 'http://127.0.0.1:9', webhookSecret: 'x', products };
  const deps = {
    database,
    clock,
    log,
    bus: createBus(database, createInstance(database, log), log),
    config: { graceMs: 3 * DAY, mail: null, authSecret: 'x'.repeat(32) } as Deps['config'],
    providers: createProviders({ creem: settings, bagelpay: settings }, log),
  };

  async function buyer() {
    const { userId } = await insertUser(database.sql, { createdAt: clock.time });
    const news: Record<string, unknown>[] = [];
    deps.bus.subscribe(userTopic(userId), (payload) => news.push(payload));
    return {
      userId,
      news,
      order: (wanted?: WantedOrder) => insertTestOrder(database.sql, userId, clock.time, wanted),
      balance: () => readBalance(deps, userId),
      subscription: async () => {
        const [row] = await database.sql`select * from subscriptions where user_id = ${userId}`;
        return row ?? null;
      },
      account: async () => {
        const [row] = await database.sql`select * from billing.account where user_id = ${userId}`;
        return row ?? null;
      },
      /** Everything that payments left in the tables of this user, without times of booking. */
      state: () => readState(database.sql, userId),
    };
  }

  const tell = (provider: Provider, ...facts: Fact[]) =>
    applyFacts(deps, { provider, facts, source: 'webhook' });
  return { test, deps, clock, sql: database.sql, buyer, tell, drop: test.drop };
}

const products = {
  gemini_basic: { monthly: 'basic-m', annual: 'basic-a' },
  gemini_pro: { monthly: 'pro-m', annual: 'pro-a' },
};

async function readState(sql: Executor, userId: string) {
  const [orders, subscriptions, buckets, account, cancellations] = await Promise.all([
    sql`select id, status, paid_at, confirming from billing.orders where user_id = ${userId} order by id`,
    sql`select * from subscriptions where user_id = ${userId}`,
    sql`select kind, source_key, payment_key, order_id, amount, available, held, spent, expired, revoked, revoke_target,
               revoke_reason, expires_at
          from credit.bucket where user_id = ${userId} order by source_key`,
    sql`select disputed, next_change_at, free_paused_until
          from billing.account join credit.account using (user_id) where user_id = ${userId}`,
    sql`select provider, subscription_id, period_end, reason
          from billing.cancellations where user_id = ${userId} order by 1, 2, 4`,
  ]);
  return { orders, subscriptions, buckets, account, cancellations };
}
