import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CheckoutAnswer } from '#contract/billing.ts';
import type { Message } from '#contract/chat.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { draft, refusal } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openDatabase } from './platform/database/database.ts';

type Buyer = Awaited<ReturnType<Shop['buyer']>>;

const BUYERS = 4;

let shop: Shop;
beforeEach(async () => {
  shop = await openShop({ webhooks: true });
});
afterEach(() => shop.close());

/** Asks again for as long as the answer is that the database could not be reached, which is the only fault that may show. */
async function persist(request: () => Promise<Response>): Promise<Response> {
  const response = await request();
  if (response.status !== 503) return response;
  expect(await refusal(response)).toMatchObject({ code: 'unavailable' });
  await sleep(20);
  return persist(request);
}

/** Ends connections at random, of the server and of all others, until `over` settles. Answers how many. */
async function endConnections(over: Promise<unknown>): Promise<number> {
  const executioner = openDatabase(shop.app.database.url, { poolSize: 1 });
  let [isOver, ended] = [false, 0];
  const stop = () => {
    isOver = true;
  };
  void over.then(stop, stop);
  while (!isOver) {
    const rows = await executioner.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and random() < 0.1`;
    ended += rows.length;
    await sleep(Math.random() * 50);
  }
  await executioner.close();
  return ended;
}

async function signUp() {
  const account = { email: `${randomUUID()}@example.test`, password: 'correct horse' };
  const response = await persist(() => shop.app.visit().post('/api/auth/sign-up/email', account));
  if (response.status !== 200) expect(await refusal(response)).toMatchObject({ code: 'email_taken' });
}

async function ask({ client }: Buyer): Promise<Message> {
  const one = draft();
  const sent = await persist(() => client.post('/api/messages', one));
  expect([200, 201]).toContain(sent.status);
  for (;;) {
    const page = await persist(() => client.get(`/api/messages?conversationId=${one.conversationId}`));
    const { messages } = (await page.json()) as { messages: Message[] };
    const ended = messages.find(({ status }) => status !== 'running');
    if (ended) return ended;
    await sleep(20);
  }
}

async function buy(buyer: Buyer, provider: 'creem' | 'bagelpay') {
  const response = await persist(() => buyer.begin(provider));
  expect(response.status).toBe(200);
  const { orderId } = (await response.json()) as CheckoutAnswer;
  await buyer.pay(provider, orderId);
  for (;;) {
    const answer = await persist(() => buyer.client.get(`/api/orders/${orderId}`));
    const { order } = (await answer.json()) as { order: { status: string } };
    if (order.status === 'paid') return;
    await sleep(200);
  }
}

test('while connections to the database are lost, everybody gets what they asked for once, and pays for it once', async () => {
  const buyers = await Promise.all(Array.from({ length: BUYERS }, () => shop.buyer()));
  const lives = buyers.map(async (buyer, n) => {
    const [answers] = await Promise.all([
      Promise.all([ask(buyer), ask(buyer), ask(buyer)]),
      buy(buyer, n % 2 === 0 ? 'creem' : 'bagelpay'),
      ...Array.from({ length: 3 }, signUp),
    ]);
    return answers;
  });
  const work = Promise.all(lives);
  const ended = await endConnections(work);
  expect(ended).toBeGreaterThan(0);
  for (const [n, answers] of (await work).entries()) {
    const spent = answers.reduce((sum, { creditsUsed }) => sum + (creditsUsed ?? 0), 0);
    expect(await buyers[n]?.balance()).toBe(40 + 500 - spent);
  }
  const accounts = await shop.sql`
    select count(*)::int as buckets, sum(amount)::int as credits
      from users left join credit.bucket on user_id = users.id and kind = 'free' group by users.id`;
  expect([...accounts]).toEqual(Array(BUYERS * 4).fill({ buckets: 1, credits: 40 }));
  const costs = await shop.sql`
    select distinct c.credits is not distinct from m.credits_used as fits
      from messages m left join provider_costs c on c.message_id = m.id where m.credits_used > 0`;
  expect([...costs]).toEqual([{ fits: true }]);
  await expectNoDrift(shop.sql);
});
