import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startPayments } from '#test/billing/payment-emulator.ts';
import { PATIENT } from '#test/patient.ts';
import { StateFile } from './state-file.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const SUCCESS = 'http://localhost:3000/zh/subscription?order=order-1';

async function openCheckout(url: string, name: 'creem' | 'bagelpay', more: object = {}) {
  const path = name === 'creem' ? '/v1/checkouts' : '/api/payments/checkouts';
  const body = { product_id: 'prod_pro_monthly', request_id: 'order-1', success_url: SUCCESS, ...more };
  const init = { method: 'POST', headers: { 'x-api-key': 'k' }, body: JSON.stringify(body) };
  const answer = (await (await fetch(`${url}${path}`, init)).json()) as {
    checkout_url?: string;
    data?: { checkout_url: string };
  };
  return answer.checkout_url ?? answer.data?.checkout_url ?? '';
}

const post = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

describe.each(['creem', 'bagelpay'] as const)("%s's hosted page", (name) => {
  async function setUp() {
    const emulator = await startPayments(name);
    closing.push(emulator.close);
    return { ...emulator, page: await openCheckout(emulator.url, name, { customer: { email: 'a@b.test' } }) };
  }

  test('says what it is, in the language of the page the buyer came from, and needs no script', async () => {
    const { page } = await setUp();
    const zh = await fetch(page);
    const html = await zh.text();
    expect(html).toContain('模拟页面');
    expect(html).toContain('4242 4242 4242 4242');
    expect(html).toContain('a@b.test');
    expect(html).toContain('11.90');
    expect(html).not.toContain('<script');
    expect(zh.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await (await fetch(`${page}?lang=en`)).text()).toContain('This is an emulation');
  });

  test('pays and sends the buyer back, with parameters at Creem only', async () => {
    const { page, control } = await setUp();
    const paid = await post(page, { act: 'pay', card: '4242 4242 4242 4242' });
    expect(paid.status).toBe(303);
    const location = new URL(paid.headers.get('location') ?? '');
    expect(location.searchParams.get('order')).toBe('order-1');
    expect(location.searchParams.has('signature')).toBe(name === 'creem');
    await post(page, { act: 'pay', card: '4242424242424242' });
    expect((await control.ledger()).transactions).toHaveLength(1);
    expect(await (await fetch(page)).text()).toContain('已支付');
  });

  test.each([
    ['4000 0000 0000 0002', '发卡行拒绝'],
    ['4000 0000 0000 9995', '余额不足'],
    ['4000 0000 0000 0127', '安全码错误'],
    ['4000 0000 0000 0069', '卡已过期'],
    ['1', '发卡行拒绝'],
  ])('tells why the card %s was refused, and lets another one pay', async (card, reason) => {
    const { page, control } = await setUp();
    const refused = await post(page, { act: 'pay', card });
    expect(refused.status).toBe(402);
    expect(await refused.text()).toContain(reason);
    expect((await control.ledger()).transactions).toHaveLength(0);
    expect((await post(page, { act: 'pay', card: '4242424242424242' })).status).toBe(303);
  });

  test('lets the buyer leave without paying', async () => {
    const { page, control } = await setUp();
    expect(await (await post(page, { act: 'abandon' })).text()).toContain('没有扣款');
    expect((await control.ledger()).checkouts[0]?.status).toBe('abandoned');
  });

  test('shows what came from outside as text', async () => {
    const { url } = await setUp();
    const page = await openCheckout(url, name, { customer: { email: '"><script>alert(1)</script>' } });
    expect(await (await fetch(page)).text()).not.toContain('<script');
    expect((await fetch(`${url}/checkout/none`)).status).toBe(404);
  });

  test('is there again after a restart that remembers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-payments-'));
    const path = join(folder, 'state', 'payments.json');
    closing.push(async () => rmSync(folder, { recursive: true }));
    const first = await startPayments(name, { state: new StateFile(path) });
    const page = await openCheckout(first.url, name);
    await post(page, { act: 'pay', card: '4242424242424242', email: 'a@b.test' });
    await first.control.moveDays(3);
    await first.close();
    const second = await startPayments(name, { state: new StateFile(path) });
    closing.push(second.close);
    expect(second.url).toBe(first.url);
    const ledger = await vi.waitFor(() => second.control.ledger(), PATIENT);
    expect(ledger.subscriptions).toMatchObject([{ status: 'active', period: 0 }]);
    expect(ledger.products).toHaveLength(4);
    expect(await second.control.now()).toBeGreaterThan(Date.now() + 2 * 86_400_000);
    await second.control.moveDays(30);
    expect((await second.control.ledger()).transactions).toHaveLength(2);
  });
});

test("Creem's portal lists, cancels and resumes the customer's own subscriptions", async () => {
  const { url, control, close } = await startPayments('creem');
  closing.push(close);
  await post(await openCheckout(url, 'creem'), { act: 'pay', card: '4242424242424242', email: 'a@b.test' });
  await post(await openCheckout(url, 'creem'), { act: 'pay', card: '4242424242424242', email: 'c@d.test' });
  const { customers, subscriptions } = await control.ledger();
  const body = JSON.stringify({ customer_id: customers[0]?.id });
  const init = { method: 'POST', headers: { 'x-api-key': 'k' }, body };
  const answer = (await (await fetch(`${url}/v1/customers/billing`, init)).json()) as {
    customer_portal_link: string;
  };
  const portal = answer.customer_portal_link;
  const html = await (await fetch(`${portal}?lang=en`)).text();
  expect(html).toContain('a@b.test');
  expect(html).not.toContain('c@d.test');
  const statusOf = async (index: number) => (await control.ledger()).subscriptions[index]?.status;
  await post(portal, { act: 'cancel', subscription: subscriptions[0]?.id ?? '' });
  expect(await statusOf(0)).toBe('scheduled_cancel');
  await post(portal, { act: 'resume', subscription: subscriptions[0]?.id ?? '' });
  expect(await statusOf(0)).toBe('active');
  const other = await post(portal, { act: 'cancel', subscription: subscriptions[1]?.id ?? '' });
  expect(other.status).toBe(404);
  expect(await statusOf(1)).toBe('active');
  expect((await fetch(`${url}/my-orders/login/none`)).status).toBe(404);
});
