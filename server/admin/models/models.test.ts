import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelsScreen, modelsScreenSchema } from '#contract/admin/models.ts';
import { read } from '#test/admin/console.ts';
import { makeOperator } from '#test/admin/operator.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { ask } from '#test/chat/chat.ts';

const MODEL = 'gemini-2.5-flash-lite';

let shop: Shop;
let ann: Awaited<ReturnType<Shop['buyer']>>;
beforeAll(async () => {
  shop = await openShop();
  ann = await shop.buyer();
  await makeOperator(shop.sql, ann.userId);
});
afterAll(() => shop.close());

const readModels = () => read<ModelsScreen>(ann.client, '/api/admin/models');
const lineOf = ({ models }: ModelsScreen, id: string) => models.find((model) => model.id === id);

it('every model that can be asked is listed with its price, its upstreams at their prices, and its margin', async () => {
  const user = await shop.buyer();
  await user.buy('creem');
  await ask(user.client);
  const screen = await readModels();
  expect(modelsScreenSchema.parse(screen)).toEqual(screen);
  expect(screen.models.map(({ id }) => id)).toEqual([
    ...['parley-pro', 'parley-flash', 'gemini-2.5-pro', 'gemini-2.5-flash'],
    ...[MODEL, 'gemini-computer-use', 'gemini-3.1-flash-image'],
  ]);
  const line = lineOf(screen, MODEL);
  expect(line).toMatchObject({ cost: 8, makesPictures: false, tiers: ['free', 'basic', 'pro'] });
  expect(line?.margin).toMatchObject({ name: MODEL, answers: expect.any(Number) });
  expect(line?.margin?.cost).toBeGreaterThan(0);
  const provider = new URL(shop.app.geminiUrl).host;
  expect(line?.upstreams).toMatchObject([
    { provider, model: MODEL, role: 'first', missingSetting: null, prices: [{ input: 0.1, output: 0.4 }] },
    { provider, model: 'gemini-3.5-flash-lite', role: 'successor' },
  ]);
  expect(lineOf(screen, 'parley-pro')?.margin).toBeNull();
});

it('of the dated prices of an upstream the one of today is marked, and no key is shown', async () => {
  const response = await ann.client.get('/api/admin/models');
  const text = await response.text();
  expect(text).not.toContain('apiKey');
  expect(text).not.toContain('emulator');
  const prices = lineOf(JSON.parse(text) as ModelsScreen, 'parley-pro')?.upstreams[0]?.prices ?? [];
  const today = new Date().toISOString().slice(0, 10);
  const current = prices.findLast(({ from }) => from !== null && from <= today) ?? prices[0];
  expect(prices.length).toBeGreaterThan(1);
  expect(prices.filter(({ isCurrent }) => isCurrent)).toEqual([current]);
});

it('a model has the prices of days to come beside the one of today', async () => {
  expect(lineOf(await readModels(), MODEL)).toMatchObject({ cost: 8, laterCosts: [] });
  const dayIn = (days: number) =>
    new Date(shop.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const prices = [
    { from: dayIn(-400), cost: 9 },
    { from: dayIn(0), cost: 10 },
    { from: dayIn(2), cost: 12 },
    { from: dayIn(30), cost: 11 },
  ];
  for (const { from, cost } of prices)
    await shop.sql`insert into model_prices values (${MODEL}, ${from}, ${cost})`;
  expect(lineOf(await readModels(), MODEL)).toMatchObject({ cost: 10, laterCosts: prices.slice(2) });
});
