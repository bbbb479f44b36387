import { expect } from 'vitest';
import type { BillingStatus, CheckoutAnswer, OrderPage } from '#contract/billing.ts';
import { PROVIDERS, type Provider } from '#contract/choices.ts';
import type { Clock } from '#server/platform/clock.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { postWebhook } from '../billing/signed-webhook.ts';
import type { TestClient } from '../client.ts';
import { askWhatIsDue, readLists } from './ask-now.ts';
import { dayOf, readCredits } from './bucket-lines.ts';
import type { End } from './lives.ts';
import type { PlayedEvent, PlayedProvider } from './played-provider.ts';
import { Scene, type WantedOrder } from './scene.ts';
import { servePlayed } from './serve-played.ts';

const DAY = 86_400_000;

/** The whole server with both providers played in this process, on a clock that is the caller's. */
export async function openPlayedShop(clock: Clock) {
  const served = { creem: await servePlayed('creem'), bagelpay: await servePlayed('bagelpay') };
  const app = await createTestApp({ clock, env: { ...served.creem.env, ...served.bagelpay.env } });
  const { sql } = app.database.database;

  /** Lists are read when the test says so, not whenever the clock was moved. */
  async function keepListsUnread() {
    for (const provider of PROVIDERS)
      for (const scope of ['new', 'recent', 'all'])
        await sql`insert into billing.reviews (provider, scope, due_at) values (${provider}, ${scope}, 'infinity')
                  on conflict (provider, scope) do update set due_at = excluded.due_at`;
  }
  await keepListsUnread();

  /** Waits until all that was posted is read, as far as it can be now. */
  async function settle() {
    const now = clock.now();
    const waiting = () =>
      sql`select from billing.inbox where status = 'new' and (next_try_at <= ${now} or error is null)`;
    await expect.poll(async () => (await waiting()).count, { timeout: 60_000, interval: 25 }).toBe(0);
  }

  const post = async (provider: Provider, { body }: PlayedEvent) =>
    expect(await postWebhook(app.url, provider, body)).toBe(200);

  /** A new buyer at one provider. `onRefused` is done before a checkout that was refused is tried once more. */
  const buyer = (provider: Provider, createdAt: Date, onRefused?: () => Promise<void>) =>
    openBuyer({ app, clock, played: served[provider].played }, createdAt, onRefused);

  async function close() {
    await app.close();
    await Promise.all(Object.values(served).map((each) => each.close()));
  }

  const ask = () => askWhatIsDue(app);
  return { app, sql, served, settle, post, buyer, ask, look: () => readLists(app), close };
}

async function openBuyer(
  { app, clock, played }: { app: TestApp; clock: Clock; played: PlayedProvider },
  createdAt: Date,
  onRefused = async () => {},
) {
  const provider = played.name;
  const { sql } = app.database.database;
  const user = await app.signedIn({ createdAt });
  let browser: TestClient = user;
  /** What the buyer calls an order, by its id. */
  const names = new Map<string, string>();

  async function stayIn() {
    const now = clock.now();
    const until = new Date(now.getTime() + 30 * DAY);
    const renew = () => sql`
      update sessions set created_at = ${now}, updated_at = ${now}, used_at = ${now}, expires_at = ${until}
        where user_id = ${user.userId}`;
    if ((await renew()).count > 0) return;
    // The server deletes each minute what is over, and a life has months.
    browser = app.visit({ cookie: await app.cookieOf(user.userId) });
    await renew();
  }

  async function openOrder({ name, planKey, cycle }: WantedOrder) {
    const open = () => browser.post('/api/createCheckout', { provider, planKey, cycle });
    await stayIn();
    let response = await open();
    if (response.status === 409) {
      await onRefused();
      response = await open();
    }
    if (!response.ok) throw new Error(`a checkout at ${provider}: ${await response.text()}`);
    const { orderId } = (await response.json()) as CheckoutAnswer;
    names.set(orderId, name);
    const checkout = played.ledger.checkouts.find(({ requestId }) => requestId === orderId);
    if (!checkout) throw new Error('no checkout');
    return checkout.id;
  }

  /** Where the buyer stands, as the API shows it, and the buckets of the ledger. */
  async function end(): Promise<End> {
    await stayIn();
    const status = (await (await browser.get('/api/subscription')).json()) as BillingStatus;
    const { orders } = (await (await browser.get('/api/orders')).json()) as OrderPage;
    const { planKey, state, expiresAt } = status;
    return {
      plan: planKey ? `${planKey} ${state} ${expiresAt === null ? '-' : dayOf(expiresAt)}` : 'none',
      orders: Object.fromEntries(orders.map((order) => [names.get(order.id), order.status])),
      credits: await readCredits(sql, user.userId, names),
    };
  }

  return {
    userId: user.userId,
    scene: new Scene(played, user.email, openOrder),
    end,
  };
}

export type PlayedShop = Awaited<ReturnType<typeof openPlayedShop>>;
