import type { Provider } from '#contract/choices.ts';
import { createClient } from '#test/client.ts';
import { openEvents } from '#test/events.ts';
import type { Rig } from '../rig.ts';

const FREE_CREDITS = 40;
const CARD = '4242424242424242';

/** A signed-in user, with a tab open on the live channel. */
export async function openBuyer(rig: Rig, cookie: string) {
  const client = createClient({ url: rig.url, origin: rig.url, cookie });
  const live = await openEvents(client, '/api/live');

  async function order(provider: Provider) {
    const body = { provider, planKey: 'gemini_pro', cycle: 'monthly' };
    const response = await client.post('/api/createCheckout', body);
    if (!response.ok) throw new Error(`createCheckout answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { redirectUrl: string; orderId: string };
  }

  /** Presses Pay on the hosted page and closes it. Returns the seconds until this user's tab receives more credits. */
  async function pay(hostedPage: string): Promise<number> {
    const pressedAt = performance.now();
    const form = new URLSearchParams({ act: 'pay', card: CARD });
    const response = await fetch(hostedPage, { method: 'POST', body: form, redirect: 'manual' });
    if (response.status !== 303) throw new Error(`the hosted page answered ${response.status}`);
    await live.next(({ event, data }) => event === 'credits' && Number(data.credits) > FREE_CREDITS);
    return (performance.now() - pressedAt) / 1_000;
  }

  return { order, pay, close: live.close };
}
