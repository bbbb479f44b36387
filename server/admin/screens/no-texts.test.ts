import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Act, actSchema } from '#contract/admin/acts.ts';
import { giving } from '#test/admin/console.ts';
import { openPeople } from '#test/admin/people.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { ask } from '#test/chat/chat.ts';
import { insertFile } from '#test/files/files.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

/** One of each act, on a user who bought. */
async function actsOn(userId: string, orderId: string): Promise<Act[]> {
  const [bought] = await shop.sql<{ paymentKey: string }[]>`
    select payment_key as "paymentKey" from credit.bucket where user_id = ${userId} and payment_key is not null`;
  const [told] = await shop.sql<{ inboxId: string }[]>`
    insert into billing.inbox (provider, dedupe_key, type, raw, headers, received_at, status, next_try_at, error)
    values ('creem', ${randomUUID()}, 'test', '{}', '{}', now(), 'failed', now(), 'not understood') returning id::text as "inboxId"`;
  const charge = { userId, paymentKey: bought?.paymentKey ?? '' };
  return [
    giving(5, userId),
    { act: 'take', userId, credits: 1 },
    { act: 'clear_dispute', ...charge },
    { act: 'adopt_order', orderId },
    { act: 'replay', inboxId: told?.inboxId ?? '' },
    { act: 'sign_out', userId },
    { act: 'pause_model', model: 'parley-flash' },
    { act: 'resume_model', model: 'parley-flash' },
    { act: 'set_price', model: 'parley-flash', cost: 16, from: '2099-01-01' },
    { act: 'withdraw_price', model: 'parley-flash', from: '2099-01-01' },
    { act: 'refund', ...charge },
  ];
}

it('screens and acts hold nothing that a user wrote, and no title or name of a file', async () => {
  const [ann, , user] = await openPeople(shop);
  const canary = `canary${randomUUID().slice(0, 8)}`;
  const conversationId = randomUUID();
  const message = await ask(user.client, { conversationId, content: `${canary} question` });
  await user.client.patch(`/api/conversations/${conversationId}`, { title: `${canary} title` });
  await user.client.post('/api/messages', {
    ...{ id: randomUUID(), conversationId: randomUUID(), parentId: null, model: 'parley-flash' },
    content: `${canary} /error`,
  });
  await insertFile(shop.sql, user.userId, { conversationId, name: `${canary}.txt` });
  await shop.sql`
    insert into free_messages (user_id, day, ended_by_user, uncharged)
    values (${user.userId}, ${new Date().toISOString().slice(0, 10)}, 1, 2)
    on conflict (user_id, day, key_id) do update set ended_by_user = 1, uncharged = 2`;
  await shop.sql`
    insert into messages (id, user_id, content, response, model, cost, owner, status, error_code, created_at, ended_at, end_seq)
    values (${randomUUID()}, ${user.userId}, ${`${canary} asked`}, ${`${canary} answered`}, 'parley-flash', 15,
            ${randomUUID()}, 'failed', 'upstream_failed', now(), now(), 1)`;
  const orderId = (await user.buy('creem')).order.id;
  const paths = [
    ...[
      '',
      '/today',
      `/users?find=${user.email}`,
      `/users/${user.userId}`,
      '/ledger',
      '/ledger/check',
      '/orders',
      '/orders/differences',
      '/inbox',
      '/disputes',
    ],
    ...['/models', '/margin?days=1', '/margin.csv', '/abuse'],
    ...['/failures', '/personal-data', '/audit', '/audit.csv', '/proposals', `/orders/${orderId}/comparison`],
  ];
  const gets = shop.app.app.routes.filter(
    ({ method, path }) => method === 'GET' && path.startsWith('/api/admin'),
  );
  expect(new Set(gets.map(({ path }) => path)).size).toBe(paths.length);
  expect(message.content).toContain(canary);
  for (const path of paths) {
    const response = await ann.client.get(`/api/admin${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    expect([path, (await response.text()).includes(canary)]).toEqual([path, false]);
  }
  const acts = await actsOn(user.userId, orderId);
  expect(new Set(acts.map((one) => one.act))).toEqual(
    new Set(actSchema.options.map(({ shape }) => shape.act.value)),
  );
  for (const one of acts) {
    const preview = await ann.client.post('/api/admin/acts/preview', { act: one });
    const done = await ann.client.post('/api/admin/acts', {
      id: randomUUID(),
      reason: 'because',
      act: one,
    });
    // There is no dispute to clear.
    const status = one.act === 'clear_dispute' ? 404 : 200;
    expect([one.act, preview.status, done.status]).toEqual([one.act, 200, status]);
    expect((await preview.text()) + (await done.text())).not.toContain(canary);
  }
});
