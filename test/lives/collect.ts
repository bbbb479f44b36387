import { createProviders } from '#server/billing/create-providers.ts';
import type { BillingOrder } from '#server/billing/projection/link-orders.ts';
import { listOffers, type Offer } from '#server/billing/projection/list-offers.ts';
import type { Fact } from '#server/billing/providers/facts.ts';
import type { PaymentProvider } from '#server/billing/providers/provider.ts';
import { createLog } from '#server/platform/log.ts';
import { orderOf, USER } from '../billing/world.ts';
import type { Life } from './lives.ts';
import { PlayedProvider } from './played-provider.ts';
import { Scene } from './scene.ts';
import type { Served } from './serve-played.ts';

const EMAIL = 'buyer@example.test';

/** What one webhook comes to, by what its provider answers while it is read. */
export interface ToldEvent {
  label: string;
  /** Nothing: only what the webhook itself says. */
  silent: Fact[];
  /** At once. */
  prompt: Fact[];
  /** At once, by lists that do not yet show what just happened. */
  lagging: Fact[];
  /** When the life is over. */
  late: Fact[];
}

/** All that is reported of one life. */
export interface RecordedLife {
  life: Life;
  orders: BillingOrder[];
  offers: readonly Offer[];
  /** What the life calls an order, by its id. */
  names: Map<string, string>;
  events: ToldEvent[];
  /** All that the provider answers when the life is over. */
  asked: Fact[];
}

/** Lives through a life, with the product's own client reading each webhook and asking about it. */
export async function collect(life: Life, served: Served): Promise<RecordedLife> {
  const { name } = served.played;
  const provider = createProviders(
    { creem: null, bagelpay: null, [name]: served.settings },
    createLog('silent'),
  )[name];
  if (!provider) throw new Error('no provider');
  const played = new PlayedProvider(name);
  served.played = played;
  const orders: BillingOrder[] = [];
  const names = new Map<string, string>();
  const scene = new Scene(played, EMAIL, async (wanted) => {
    const id = `00000000-0000-4000-8000-00000000000${orders.length + 1}`;
    const terms = orderOf(id, played.clock.now(), { ...wanted, provider: name });
    const productId = served.settings.products[wanted.planKey][wanted.cycle];
    const session = await provider.createCheckout({
      ...{ orderId: id, productId, userEmail: EMAIL, successUrl: 'http://127.0.0.1/back' },
      metadata: { order_id: id, user_id: USER },
    });
    orders.push({ ...terms, productId, checkoutId: session.checkoutId });
    names.set(id, wanted.name);
    return session.checkoutId;
  });
  const events: (ToldEvent & { body: Buffer })[] = [];
  for (const [at, act] of life.acts) {
    played.clock.hold(Date.parse(at));
    played.lag();
    await act(scene);
    for (const { label, body } of played.events.slice(events.length)) {
      const raw = Buffer.from(body);
      const silent = provider.translate(raw);
      const lagging = await provider.resolve(silent);
      events.push({ label, body: raw, silent, lagging, prompt: [], late: [] });
    }
    played.catchUp();
    for (const event of events.filter(({ prompt }) => prompt.length === 0))
      event.prompt = await provider.resolve(event.silent);
  }
  played.clock.hold(Date.parse(life.judgedAt));
  for (const event of events) event.late = await provider.resolve(event.silent);
  const offers = listOffers({ creem: null, bagelpay: null, [name]: served.settings });
  return { life, orders, offers, names, events, asked: await askAll(provider, played, orders) };
}

async function askAll(
  provider: PaymentProvider,
  played: PlayedProvider,
  orders: readonly BillingOrder[],
): Promise<Fact[]> {
  const { subscriptions, transactions } = played.ledger;
  const answers = [
    ...orders.map((order) => provider.fetchOrder({ ...order, orderId: order.id, userEmail: EMAIL })),
    ...subscriptions.map(({ id }) => provider.fetchSubscription(id)),
    ...transactions.map(({ id, orderId }) =>
      provider.fetchTransaction(provider.name === 'creem' ? id : orderId),
    ),
    provider.listSubscriptions(1).then(({ facts }) => facts),
    provider.listTransactions(1).then(({ facts }) => facts),
  ];
  return (await Promise.all(answers)).flat();
}
