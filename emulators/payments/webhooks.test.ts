import { afterEach, describe, expect, test } from 'vitest';
import { SECRET, startPayments, startReceiver } from '#test/billing/payment-emulator.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const NAMES = ['creem', 'bagelpay'] as const;

async function setUp(name: (typeof NAMES)[number]) {
  const receiver = await startReceiver();
  const emulator = await startPayments(name, { webhook: { url: receiver.url, secret: SECRET } });
  closing.push(emulator.close, receiver.close);
  const path = name === 'creem' ? '/v1/checkouts' : '/api/payments/checkouts';
  async function buy() {
    const body = JSON.stringify({ product_id: 'prod_pro_monthly', request_id: 'order-1' });
    const response = await fetch(`${emulator.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': 'k' },
      body,
    });
    const answer = (await response.json()) as { id?: string; data?: { payment_id: string } };
    await emulator.control.act('pay', { checkout: answer.id ?? answer.data?.payment_id });
  }
  const idsOf = () =>
    receiver.received.map(({ raw }) => {
      const body = JSON.parse(raw.toString());
      return String(body.id ?? body.event_id);
    });
  return { receiver, buy, idsOf, ...emulator };
}

const MINUTE = 60_000;

describe.each([
  ['creem', [30_000, 5 * MINUTE, 30 * MINUTE, 360 * MINUTE]],
  ['bagelpay', [1, 2, 3, 4, 5, 6].map(() => MINUTE)],
] as const)("%s's webhooks", (name, schedule) => {
  const firsts = name === 'creem' ? 3 : 2;

  test('are tried again on the documented schedule, signed each time, then given up', async () => {
    const { receiver, buy, control, verify } = await setUp(name);
    receiver.answer.status = 500;
    await buy();
    await control.settle();
    for (const [index, pause] of schedule.entries()) {
      await control.act('clock', { ms: pause - 5_000 });
      expect(receiver.received).toHaveLength(firsts * (index + 1));
      await control.act('clock', { ms: 5_400 });
      expect(receiver.received).toHaveLength(firsts * (index + 2));
    }
    await control.moveDays(2);
    const deliveries = await control.webhooks();
    expect(deliveries.map(({ state }) => state)).toEqual(deliveries.map(() => 'given-up'));
    expect(receiver.received).toHaveLength(firsts * (schedule.length + 1));
    expect(receiver.received.every(verify)).toBe(true);
  });

  test('count as delivered by 200 only', async () => {
    const { receiver, buy, control } = await setUp(name);
    receiver.answer.status = 204;
    await buy();
    await control.settle();
    expect((await control.webhooks()).every(({ state }) => state === 'waiting')).toBe(true);
    receiver.answer.status = 200;
    await control.act('clock', { ms: MINUTE + 1 });
    expect((await control.webhooks()).every(({ state }) => state === 'delivered')).toBe(true);
    await control.act('resend', { event: (await control.webhooks())[0]?.eventId });
    await control.settle();
    expect(receiver.received).toHaveLength(firsts * 2 + 1);
  });

  test('come twice, with the same id or with a new one', async () => {
    const { buy, control, idsOf, receiver } = await setUp(name);
    await control.webhookFault('duplicate', { count: 2 });
    await buy();
    await control.settle();
    expect(idsOf().slice(0, 3)).toEqual(Array.from({ length: 3 }, () => idsOf()[0]));
    receiver.received.length = 0;
    await control.webhookFault('duplicate-new-id');
    await buy();
    await control.settle();
    expect(new Set(idsOf()).size).toBe(firsts + 1);
  });

  test('come backwards, late, never, changed, or of a type nobody knows', async () => {
    const { buy, control, receiver, verify } = await setUp(name);
    await control.webhookFault('reorder');
    await buy();
    await control.settle();
    expect(receiver.typesOf().at(-1)).toBe('checkout.completed');
    receiver.received.length = 0;
    await control.webhookFault('delay', { ms: MINUTE, match: 'checkout.completed' });
    await control.webhookFault('drop', { match: 'subscription.paid' });
    await buy();
    await control.settle();
    expect(receiver.typesOf()).toEqual(name === 'creem' ? ['subscription.active'] : []);
    await control.act('clock', { ms: MINUTE });
    expect(receiver.typesOf().at(-1)).toBe('checkout.completed');
    receiver.received.length = 0;
    await control.webhookFault('tamper', { match: 'checkout.completed' });
    await control.webhookFault('unknown-type', { match: 'subscription.paid' });
    await buy();
    await control.settle();
    const [tampered, ...others] = receiver.received;
    expect(tampered && verify(tampered)).toBe(false);
    expect(others.every(verify)).toBe(true);
    expect(receiver.typesOf().at(-1)).toBe('subscription.hologram');
  });
});
