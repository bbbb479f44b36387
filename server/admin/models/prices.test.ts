import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Act, ActPreview } from '#contract/admin/acts.ts';
import type { ModelsScreen } from '#contract/admin/models.ts';
import type { Catalogue } from '#contract/catalogue.ts';
import type { ApiModel } from '#contract/openai.ts';
import { DAY_MS } from '#contract/time.ts';
import { firstDay } from '#server/catalogue/change-price.ts';
import { selectPrices } from '#server/catalogue/price-store.ts';
import { act, read } from '#test/admin/console.ts';
import { openPeople, type Person } from '#test/admin/people.ts';
import { makeKey } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { ask, draft, refusal, send, waitForEnd } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { IS_LONG } from '#test/runs.ts';
import { parseCommand } from '../parse-command.ts';
import { runCommand, type UsualCommand } from '../run-command.ts';

/** It costs 8. */
const MODEL = 'gemini-2.5-flash-lite';
const DONE = { status: 200, state: 'done' };
const CONFLICT = { status: 409, code: 'conflict' };

let shop: Shop;
let beside: TestApp;
let ann: Person;
let ben: Person;
let user: Person;
// Every test has a clock of its own: sessions end when time goes on.
beforeEach(async () => {
  shop = await openShop();
  beside = await createTestApp({ beside: shop.app, clock: shop.clock });
  [ann, ben, user] = await openPeople(shop);
});
afterEach(async () => {
  await expectNoDrift(shop.sql);
  await beside.close();
  await shop.close();
});

/** The operators have just proved themselves again. */
const renew = () => shop.sql`update sessions set confirmed_at = ${shop.clock.now()}`;
const dayIn = (days: number) =>
  new Date(shop.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);
const first = () => firstDay(shop.clock.now());
const setting = (cost: number, from: string, model = MODEL): Act => ({ act: 'set_price', model, cost, from });
const withdrawing = (from: string): Act => ({ act: 'withdraw_price', model: MODEL, from });
const there = ({ cookie }: TestClient) => beside.visit({ cookie });
const priceIn = async (client: TestClient) =>
  (await read<Catalogue>(client, '/api/catalogue')).models.find(({ id }) => id === MODEL);
const preview = async (wanted: Act) =>
  (await (await ann.client.post('/api/admin/acts/preview', { act: wanted })).json()) as ActPreview;
const modelsScreen = () => read<ModelsScreen>(ann.client, '/api/admin/models');
/** Two operators agree on it. */
async function agreed(wanted: Act) {
  const id = randomUUID();
  expect(await act(ann.client, wanted, id)).toEqual({ status: 200, state: 'waiting' });
  const decided = await ben.client.post(`/api/admin/proposals/${id}`, { decision: 'agree' });
  expect(decided.status).toBe(200);
}

it('a price holds from its day on at every process, for what is sent then, and is announced before', async () => {
  const day = first();
  expect(await act(ann.client, setting(10, day))).toEqual(DONE);
  shop.clock.moveTo(shop.clock.now().getTime() + 61_000);
  const { key } = await makeKey(user.client);
  for (const client of [user.client, there(user.client)]) {
    expect(await priceIn(client)).toMatchObject({
      cost: 8,
      laterCosts: [{ from: day, cost: 10, contextTokens: expect.any(Number) }],
    });
  }
  const listed = async () => {
    const response = await shop.app.visit().request(`/v1/models/${MODEL}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return (await response.json()) as ApiModel;
  };
  const later = [{ from: day, credits: 10, context_tokens: expect.any(Number) }];
  expect(await listed()).toMatchObject({ credits_per_request: 8, later_credits_per_request: later });
  const running = await send(user.client, { content: '/emulate slow-first-token ms=300' });
  shop.clock.moveTo(Date.parse(day));
  expect(await waitForEnd(user.client, running.id)).toMatchObject({ status: 'completed', creditsUsed: 8 });
  expect(await listed()).toMatchObject({ credits_per_request: 10, later_credits_per_request: [] });
  for (const client of [user.client, there(user.client)]) {
    const seen = await refusal(await client.post('/api/messages', draft({ maxCredits: 8 })));
    expect(seen).toMatchObject({ status: 409, code: 'quote_changed', params: { max: 10 } });
    expect(await ask(client, { maxCredits: 10 })).toMatchObject({ status: 'completed', creditsUsed: 10 });
  }
  expect(await user.balance()).toBe(40 - 8 - 2 * 10);
});

it.runIf(IS_LONG)('a server that starts on the day takes the new price', async () => {
  expect(await act(ann.client, setting(10, first()))).toEqual(DONE);
  shop.clock.moveTo(Date.parse(first()));
  const later = await createTestApp({ beside: shop.app, clock: shop.clock });
  try {
    expect(await ask(later.visit({ cookie: user.client.cookie }))).toMatchObject({ creditsUsed: 10 });
  } finally {
    await later.close();
  }
});

it('a price is set seven days ahead at the earliest, and nothing that was announced is taken back later to be dearer', async () => {
  const day = first();
  const soon = await ann.client.post('/api/admin/acts', {
    id: randomUUID(),
    reason: 'because',
    act: setting(9, dayIn(7)),
  });
  expect(await refusal(soon)).toMatchObject({ status: 409, code: 'price_too_soon', params: { from: day } });
  const late = { status: 409, code: 'price_too_soon' };
  for (const from of [dayIn(0), dayIn(-3), dayIn(1)])
    expect(await act(ann.client, setting(9, from))).toEqual(late);
  const fall: Act = { act: 'set_price', model: 'parley-flash', cost: 13, from: day };
  expect(await act(ann.client, fall)).toEqual(DONE);
  expect(await act(ann.client, { ...fall, cost: 12 })).toEqual(CONFLICT);
  expect(await act(ann.client, { ...fall, cost: 13, from: dayIn(12) })).toEqual(CONFLICT);
  expect(await act(ann.client, { act: 'withdraw_price', model: 'parley-flash', from: day })).toEqual(DONE);
  expect(await act(ann.client, fall)).toEqual(DONE);
  shop.clock.moveTo(shop.clock.now().getTime() + DAY_MS);
  await renew();
  expect(await act(ann.client, { act: 'withdraw_price', model: 'parley-flash', from: day })).toEqual(late);
});

it.runIf(IS_LONG)(
  'a price outside what public pages say is refused, and so is a model that has none of its own',
  async () => {
    const { least, most } = (await modelsScreen()).pricing;
    expect([least, most]).toEqual([8, 20]);
    const day = first();
    for (const cost of [7, 21])
      expect(await act(ann.client, setting(cost, day))).toEqual({ status: 422, code: 'invalid_request' });
    for (const model of ['gemini-3.1-flash-image', 'gemini-3.5-pro', 'gpt-9'])
      expect(await act(ann.client, setting(10, day, model))).toEqual({ status: 404, code: 'not_found' });
    expect((await shop.sql`select from model_prices`).count).toBe(0);
  },
);

it('a change by more than a quarter needs a second operator', async () => {
  const day = first();
  expect(await preview(setting(10, day))).toMatchObject({ needsSecondOperator: false });
  expect(await preview(setting(11, day))).toMatchObject({ needsSecondOperator: true });
  await agreed(setting(11, day));
  expect((await modelsScreen()).models.find(({ id }) => id === MODEL)?.laterCosts).toEqual([
    { from: day, cost: 11 },
  ]);
});

it.runIf(IS_LONG)(
  'a double click sets it once, and of two operators at once one is told that it has changed',
  async () => {
    const day = first();
    const id = randomUUID();
    const clicks = await Promise.all(Array.from({ length: 5 }, () => act(ann.client, setting(10, day), id)));
    expect(clicks).toEqual(clicks.map(() => DONE));
    const both = await Promise.all([
      act(ann.client, setting(9, dayIn(20))),
      act(ben.client, setting(8, dayIn(20))),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const ends = await Promise.all([ann, ben].map(({ client }) => act(client, withdrawing(day))));
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 409]);
  },
);

it.runIf(IS_LONG)(
  'a price is withdrawn until an hour before its day, and the one before it stays',
  async () => {
    const day = first();
    expect(await act(ann.client, setting(10, day))).toEqual(DONE);
    shop.clock.moveTo(Date.parse(day) - 30 * 60_000);
    await renew();
    expect(await act(ann.client, withdrawing(day))).toEqual({ status: 409, code: 'price_too_soon' });
    const next = dayIn(30);
    expect(await act(ann.client, setting(12, next))).toEqual({ status: 200, state: 'waiting' });
    expect(await act(ann.client, setting(9, next))).toEqual(DONE);
    expect(await act(ann.client, withdrawing(next))).toEqual(DONE);
    shop.clock.moveTo(Date.parse(day));
    expect(await priceIn(user.client)).toMatchObject({ cost: 10, laterCosts: [] });
  },
);

it('before, it is said what it would bring; afterwards, who did it, when and why', async () => {
  await user.buy('creem');
  for (let n = 0; n < 7; n += 1) await ask(user.client);
  const day = first();
  const { effects, price } = await preview(setting(10, day));
  expect(effects[0]).toEqual({ what: 'cost', before: 8, after: 10 });
  expect(price).toMatchObject({ users: 1, answers: 7 });
  expect(price?.marginThen).toBeGreaterThan(price?.margin ?? 0);
  await act(ann.client, setting(10, day));
  const [later, withdrawn] = [await preview(setting(9, dayIn(20))), await preview(withdrawing(day))];
  expect(later.price?.marginThen).toBeGreaterThan(price?.margin ?? 0);
  expect(later.price?.marginThen).toBeLessThan(price?.marginThen ?? 0);
  expect(withdrawn.price?.marginThen).toBe(price?.margin);
  await act(ben.client, withdrawing(day));
  const { history } = await modelsScreen();
  expect(history.slice(0, 2)).toMatchObject([
    { act: 'withdraw_price', model: MODEL, actor: ben.email, price: { from: day, before: 10, after: 8 } },
    { act: 'set_price', model: MODEL, actor: ann.email, price: { from: day, before: 8, after: 10 } },
  ]);
});

it('nobody but an operator with a fresh proof sets a price', async () => {
  const day = first();
  expect(await act(user.client, setting(9, day))).toMatchObject({ status: 404 });
  await shop.sql`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${ann.userId}`;
  expect(await act(ann.client, setting(9, day))).toEqual({ status: 403, code: 'confirmation_required' });
  expect((await shop.sql`select from model_prices`).count).toBe(0);
});

it('the command line shows what it would do, sets and withdraws by the same use case', async () => {
  const actor = `on call ${randomUUID()}`;
  const run = (...argv: string[]) =>
    runCommand(shop.app.deps, { ...(parseCommand(argv) as UsualCommand), actor });
  const day = first();
  await run('set-price', MODEL, '12', '--from', day);
  expect((await shop.sql`select from model_prices`).count).toBe(0);
  await run('set-price', MODEL, '12', '--from', day, '--apply', '--reason', 'dearer upstream');
  expect(await shop.sql`select model, cost from model_prices`).toEqual([{ model: MODEL, cost: 12 }]);
  await run('withdraw-price', MODEL, '--from', day, '--reason', 'cheaper again');
  expect((await shop.sql`select from model_prices`).count).toBe(0);
});

it('a request that was answered is answered again under its key, though its model reads less for a lower price', async () => {
  await user.buy('creem');
  const { key } = await makeKey(user.client);
  const model = 'parley-pro';
  const complete = (idempotencyKey: string) =>
    shop.app.visit().request('/v1/chat/completions', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({
        model,
        messages: [{ role: 'user', content: 'lorem ipsum dolor sit amet '.repeat(2_000) }],
      }),
    });
  const day = first();
  await shop.sql`insert into model_prices values (${model}, ${day}, 8)`;
  const given = await complete('once');
  const { id } = (await given.json()) as { id: string };
  expect(given.headers.get('x-credits-charged')).toBe('20');
  shop.clock.moveTo(Date.parse(day));
  expect((await complete('another')).status).toBe(400);
  const again = await complete('once');
  expect(await again.json()).toMatchObject({ id });
  expect(again.headers.get('x-credits-charged')).toBe('20');
});

it.runIf(IS_LONG)('days are read as days, however the database writes them', async () => {
  await shop.sql`insert into model_prices values (${MODEL}, '2026-12-01', 10)`;
  const read = shop.sql.begin(async (tx) => {
    await tx`set local datestyle = 'German, DMY'`;
    return selectPrices(tx);
  });
  expect(await read).toEqual([{ model: MODEL, from: '2026-12-01', cost: 10 }]);
});
