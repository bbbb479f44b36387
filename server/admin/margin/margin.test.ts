import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pino from 'pino';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Consumption, ProviderUse } from '#server/catalogue/provider-cost-rules.ts';
import { UPSTREAM_PRICES } from '#server/catalogue/upstream-prices.ts';
import { type CostLine, composeCost, type Feature } from '#server/chat/costs/cost-rules.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { createMetrics } from '#server/platform/metrics.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { reckonCost } from '#test/credits/reckon-cost.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { insertSubscription, insertUser } from '#test/factories.ts';
import { IS_LONG, runs, SEED, timeoutFor } from '#test/runs.ts';
import type { Sums } from './margin-rules.ts';
import { readMargin } from './read-margin.ts';
import { findLosses, reportLosses, watchMargin } from './watch-margin.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-11-01T00:00:00Z');
/** What is read; some answers end before and after it. */
const PERIOD = { from: new Date(START + 3 * DAY), to: new Date(START + 20 * DAY) };
const DAYS = 25;
const MODELS = ['parley-flash', 'parley-pro', 'gemini-2.5-flash-lite', 'gemini-3.1-flash-image'];
const OWNER = randomUUID();

let test: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  test = await createTestDatabase();
  sql = test.database.sql;
});
afterAll(async () => {
  await expectNoDrift(sql);
  await test.drop();
});

/** A grant that an order pays, of so many minor units; null: it is given. */
interface TestGrant {
  price: { minor: number; currency?: string } | null;
  credits: number;
  expiresInDays: number;
}

async function insertGrant(userId: string, { price, credits, expiresInDays }: TestGrant, key: string) {
  const orderId = price && randomUUID();
  if (price) {
    await sql`insert into billing.account (user_id) values (${userId}) on conflict do nothing`;
    await sql`
      insert into billing.orders (id, user_id, provider, product_id, plan_key, cycle, price_minor, currency, credits, status,
                                  paid_at, created_at)
      values (${orderId}, ${userId}, 'creem', 'p', 'gemini_pro', 'monthly', ${price.minor}, ${price.currency ?? 'USD'}, ${credits},
              'paid', ${new Date(START)}, ${new Date(START)})`;
  }
  const kind = price ? 'subscription' : 'adjustment';
  await sql`
    select credit.grant_credits(${userId}, ${kind}, ${key}, ${orderId}, ${orderId}, ${credits}, ${new Date(START)},
      ${new Date(START + expiresInDays * DAY)}, 'granted', ${new Date(START)})`;
}

interface TestAnswer {
  id: string;
  userId: string;
  model: string;
  cost: number;
  /** Of a browser: what was held for more steps. */
  more: number;
  /** What it is charged; null: nothing. */
  charge: number | null;
  at: Date;
  uses: ProviderUse[];
  features: Feature[];
}

/** Sends and ends answers by the functions that the product calls, many in a statement. */
async function play(answers: readonly TestAnswer[]): Promise<void> {
  const rows = answers.map(({ uses, features, at, model, charge, ...rest }) => ({
    ...rest,
    ...{ model, charge, at, conversation: randomUUID(), more_id: randomUUID() },
    input: rest.more > 0 ? { computer: { steps: 10 } } : null,
    lines: charge === null ? null : [{ kind: 'computer', credits: charge }],
    provider_cost: composeCost(uses, features, at),
  }));
  const all = (text: ReturnType<typeof JSON.stringify>) => sql`
    jsonb_to_recordset(${text}::text::jsonb) as r (id uuid, "userId" uuid, conversation uuid, model text, cost int, more int,
      more_id uuid, charge int, at timestamptz, input jsonb, lines jsonb, provider_cost jsonb)`;
  const text = JSON.stringify(rows);
  const sent = await sql<{ result: string }[]>`
    select (send_message(r."userId", r.id, r.conversation, null, r.model, 'x', 'x', r.cost, ${OWNER}, 1000000, r.at, 'x', false,
      1000000, 1000000, r.input)).result from ${all(text)}`;
  expect(new Set(sent.map(({ result }) => result))).toEqual(new Set(['sent']));
  await sql`
    select credit.take_more(r."userId", r.id, r.more_id, r.more, r.at) from ${all(text)} where r.more > 0`;
  await sql`update messages m set cost = m.cost + r.more from ${all(text)} where m.id = r.id and r.more > 0`;
  await sql`
    select end_message(r.id, ${OWNER}, case when r.charge is null then 'failed' else 'completed' end, 'y',
      case when r.charge is null then 'upstream_failed' end, null, null, null, false, r.charge is not null, 'completed', 1, 1, null,
      r.at, null, false, null, false, false, r.charge, r.lines, null, null, r.provider_cost) from ${all(text)}`;
}

const consumption = fc
  .record({
    read: fc.nat(150_000),
    cached: fc.nat(5_000),
    wrote: fc.nat(9_000),
    queries: fc.nat(4),
    drawn: fc.nat(1),
  })
  .map(
    ({ read, cached, wrote, queries, drawn }): Consumption => ({
      ...{ inputTokens: read + cached, cachedInputTokens: cached },
      ...{
        outputTokens: wrote + drawn * 1_120,
        thinkingTokens: Math.floor(wrote / 3),
        pictureTokens: drawn * 1_120,
      },
      ...{ searches: queries, searchedRequests: Math.min(1, queries), pictures: drawn },
      ...{ pictureSize: '1K', isEstimate: wrote % 5 === 0 },
    }),
  );
const PRICED = [...Object.keys(UPSTREAM_PRICES), 'of-our-own'];
const use = fc.record({ model: fc.constantFrom(...PRICED), consumed: consumption }).map(
  ({ model, consumed }): ProviderUse => ({
    provider: 'p',
    model,
    prices: UPSTREAM_PRICES[model] ?? [],
    consumed,
  }),
);
const features = fc.constantFrom<Feature[][]>([], [], ['search'], ['files', 'search'], ['picture']);

/** Answers of some users in the order of their ends; `cost`, `more` and `charge` as the product may have them. */
const answersOf = (users: readonly string[], count: number) =>
  fc.array(
    fc
      .record({
        userId: fc.constantFrom(...users),
        model: fc.constantFrom(...MODELS),
        cost: fc.integer({ min: 1, max: 40 }),
        extra: fc.constantFrom(0, 0, 0, 15),
        share: fc.option(fc.double({ min: 0.01, max: 1, noNaN: true })),
        uses: fc.array(use, { maxLength: 3 }),
        features,
      })
      .map(({ extra, share, cost, ...rest }) => {
        // More steps are charged all or not at all.
        const charge =
          share === null ? null : extra > 0 && share > 0.5 ? cost + extra : Math.ceil(share * cost);
        return { ...rest, id: randomUUID(), cost, more: extra, charge };
      }),
    { minLength: count, maxLength: count },
  );

interface RawCost {
  user_id: string;
  message_id: string;
  model: string;
  plan_key: string | null;
  features: string[];
  credits: number;
  uses: CostLine[];
  at: Date;
}

/** Micro-dollars of a sum of fractions, half a one away from zero. */
class Fractions {
  private readonly numerators = new Map<bigint, bigint>();

  add(numerator: bigint, denominator: bigint) {
    this.numerators.set(denominator, (this.numerators.get(denominator) ?? 0n) + numerator);
  }

  get rounded(): number {
    let [top, bottom] = [0n, 1n];
    for (const [denominator, numerator] of this.numerators) {
      [top, bottom] = [top * denominator + numerator * bottom, bottom * denominator];
    }
    return Number((2n * top + bottom) / (2n * bottom));
  }
}

const MICRO_OF_CENT = 10_000n;

/** The margin by name, from raw rows and without the product's sums: what was earned, what it cost, how many are not known. */
async function recompute(nameOf: (row: RawCost) => string) {
  const costs = await sql<RawCost[]>`select * from provider_costs where kind = 'answer'`;
  const holds = await sql`select user_id, id, of_hold from credit.hold`;
  const transfers =
    await sql`select hold_id, bucket_id, src, dst, amount from credit.transfer where hold_id is not null`;
  const buckets = await sql`select id, amount, order_id from credit.bucket`;
  const orders = await sql`select id, price_minor, currency from billing.orders`;
  const orderOf = new Map(orders.map(({ id, ...order }) => [id, order]));
  const bucketOf = new Map(buckets.map(({ id, ...bucket }) => [id, bucket]));
  const messageOf = new Map(holds.map(({ id, of_hold }) => [id, of_hold ?? id]));
  const transfersOf = Map.groupBy(transfers, ({ hold_id }) => messageOf.get(hold_id));
  const groups = Map.groupBy(
    costs.filter(({ at }) => at >= PERIOD.from && at < PERIOD.to),
    nameOf,
  );
  return new Map(
    [...groups].map(([name, rows]) => {
      const earned = new Fractions();
      const cost = new Fractions();
      let credits = 0;
      let unknown = 0;
      for (const row of rows) {
        let spent = 0;
        for (const { bucket_id, src, dst, amount } of transfersOf.get(row.message_id) ?? []) {
          const moved = dst === 'spent' ? amount : src === 'spent' ? -amount : 0;
          const bucket = bucketOf.get(bucket_id);
          const order = orderOf.get(bucket?.order_id);
          spent += moved;
          if (order?.currency === 'USD')
            earned.add(BigInt(moved) * BigInt(order.price_minor) * MICRO_OF_CENT, BigInt(bucket?.amount));
        }
        expect(row.credits).toBe(spent);
        credits += spent;
        const isUnknown = row.uses.some((line) => line.price === null || !isPriced(line, line.price));
        if (isUnknown && row.uses.some(isSomething)) unknown += 1;
        else for (const line of row.uses) if (line.price) cost.add(reckonCost(line, line.price), 1_000_000n);
      }
      return [name, { answers: rows.length, credits, revenue: earned.rounded, cost: cost.rounded, unknown }];
    }),
  );
}

function isPriced({ pictures, searches }: CostLine, price: NonNullable<CostLine['price']>): boolean {
  const isSearch = price.searchQuery !== undefined || price.searchedRequest !== undefined;
  return (pictures === 0 || price.picture !== undefined) && (searches === 0 || isSearch);
}

function isSomething({ inputTokens, outputTokens, searches, pictures }: CostLine): boolean {
  return inputTokens + outputTokens + searches + pictures > 0;
}

const plain = ({ answers, credits, revenue, cost, unknown }: Sums) => ({
  answers,
  credits,
  revenue,
  cost,
  unknown,
});
const byName = (lines: readonly Sums[]) => new Map(lines.map((line) => [line.name ?? 'all', plain(line)]));

describe('the margin', () => {
  it('of thousands of answers is what raw rows say, by model, plan and feature, to the millionth of a dollar', {
    timeout: timeoutFor(720_000),
  }, async () => {
    const count = runs(250, 160_000);
    const users: string[] = [];
    const seeds = fc.sample(
      fc.record({
        minor: fc.integer({ min: 100, max: 20_000 }),
        credits: fc.integer({ min: 300_000, max: 999_983 }),
        isFree: fc.boolean(),
        isForeign: fc.boolean(),
      }),
      { numRuns: 24, seed: SEED },
    );
    for (const { minor, credits, isFree, isForeign } of seeds) {
      const { userId } = await insertUser(sql, { createdAt: new Date(START) });
      if (!isFree) {
        await insertSubscription(sql, userId, { planKey: minor % 2 ? 'gemini_pro' : 'gemini_basic' });
        // A small grant ends first, so that holds take from two.
        await insertGrant(userId, { price: { minor }, credits: 137, expiresInDays: 40 }, 'small');
        const currency = isForeign ? 'EUR' : 'USD';
        await insertGrant(
          userId,
          { price: { minor: minor * 7, currency }, credits, expiresInDays: 60 },
          'large',
        );
      }
      await insertGrant(userId, { price: null, credits: 1_000_000, expiresInDays: 90 }, 'given');
      users.push(userId);
    }
    const batch = 100;
    for (let from = 0; from < count; from += batch) {
      const many = Math.min(batch, count - from);
      const [answers = []] = fc.sample(answersOf(users, many), { numRuns: 1, seed: SEED + from });
      const at = (n: number) => new Date(START + Math.floor(((from + n) / count) * DAYS * DAY));
      await play(answers.map((answer, n) => ({ ...answer, at: at(n) })));
    }
    await sql`analyze`;
    const margin = await readMargin(test, PERIOD);
    expect(byName([margin.total])).toEqual(await recompute(() => 'all'));
    expect(byName(margin.byModel)).toEqual(await recompute(({ model }) => model));
    expect(byName(margin.byPlan)).toEqual(await recompute((row) => row.plan_key ?? 'free'));
    expect(byName(margin.byFeature)).toEqual(await recompute((row) => row.features.join('+') || 'text'));
    expect(margin.total.answers).toBeGreaterThan(IS_LONG ? 100_000 : count / 2);
    expect(margin.total.margin).toBe(margin.total.revenue - margin.total.cost);
    for (const kind of ['revenue', 'cost', 'estimated', 'unknown'] as const)
      expect(margin.total[kind]).toBeGreaterThan(0);
    expect(margin.otherCurrencies).toEqual(['EUR']);
  });

  it('of a time without answers is nothing', async () => {
    const period = { from: new Date('2020-01-01'), to: new Date('2020-02-01') };
    const { total, ...lists } = await readMargin(test, period);
    expect(total).toEqual({
      ...{ name: null, answers: 0, credits: 0, revenue: 0, cost: 0, margin: 0, estimated: 0, unknown: 0 },
    });
    expect(lists).toMatchObject({ byModel: [], byPlan: [], byFeature: [] });
  });
});

describe('a sale below cost', () => {
  const NOW = Date.parse('2026-12-20T12:00:00Z');
  const logged: { alert: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const deps = () => ({
    ...test,
    log,
    clock: { now: () => new Date(NOW), databaseTime: () => new Date(NOW) },
  });
  const names = async () => {
    const { losses, unknown } = await findLosses(deps());
    return { losses: losses.map(({ of, name }) => `${of} ${name}`), unknown };
  };
  const usedFor = (dollars: number): ProviderUse => {
    const prices = [{ from: '2026-01-01', input: 1_000, output: 0 }];
    const nothing = { cachedInputTokens: 0, outputTokens: 0, thinkingTokens: 0, pictureTokens: 0 };
    const none = {
      searches: 0,
      searchedRequests: 0,
      pictures: 0,
      pictureSize: '1K',
      isEstimate: false,
    } as const;
    return {
      provider: 'p',
      model: 'dear',
      prices,
      consumed: { inputTokens: dollars * 1_000, ...nothing, ...none },
    };
  };
  const answer = (userId: string, dollars: number, over: Partial<TestAnswer> = {}): TestAnswer => ({
    ...{
      id: randomUUID(),
      userId,
      model: 'parley-flash',
      cost: 10,
      more: 0,
      charge: 10,
      at: new Date(NOW - DAY / 2),
    },
    ...{ uses: [usedFor(dollars)], features: ['search'], ...over },
  });
  /** A user whose credits are worth ten cents each; null: without a plan. */
  const buyer = async (isPaid: boolean) => {
    const { userId } = await insertUser(sql, { createdAt: new Date(START) });
    if (isPaid) await insertSubscription(sql, userId, { expiresAt: new Date(NOW + 30 * DAY) });
    const price = isPaid ? { minor: 10_000 } : null;
    await insertGrant(userId, { price, credits: 1_000, expiresInDays: 90 }, 'bought');
    return userId;
  };

  it('is found by model and by what answers used, from a dollar a day on, and never for what free users cost', async () => {
    const [free, paid] = [await buyer(false), await buyer(true)];
    await play([answer(free, 50)]);
    expect(await names()).toEqual({ losses: [], unknown: 0 });
    await play([
      answer(paid, 1),
      answer(paid, 0.5, { charge: null }),
      answer(paid, 40, { at: new Date(NOW - 2 * DAY) }),
    ]);
    expect(await names()).toEqual({ losses: [], unknown: 0 });
    await play([answer(paid, 0.5, { charge: null })]);
    expect(await names()).toEqual({ losses: ['model parley-flash', 'feature search'], unknown: 0 });
    await play([answer(paid, 0.01, { features: [] })]);
    expect(await names()).toEqual({ losses: ['feature search'], unknown: 0 });
  });

  it('is logged once an hour, however many processes look, with what has no price', async () => {
    await play([answer(await buyer(true), 1, { uses: [{ ...usedFor(1), prices: [] }], features: [] })]);
    const found = await Promise.all([reportLosses(deps()), reportLosses(deps())]);
    expect(found.map(({ unknown }) => unknown)).toEqual([1, 1]);
    expect(logged).toMatchObject([
      { alert: 'sold_below_cost', of: 'feature', name: 'search' },
      { alert: 'cost_unknown', unknown: 1 },
    ]);
    const raised = await sql`select kind || ' ' || subject as alert from operator_alerts order by 1`;
    expect(raised.map(({ alert }) => alert)).toEqual(['cost_unknown ', 'sold_below_cost search']);
  });

  it('is seen in the gauges, with what each model earned and cost in dollars', async () => {
    const metrics = createMetrics();
    const looks: Parameters<Jobs['repeat']>[2][] = [];
    const jobs = { repeat: (...[, , look]: Parameters<Jobs['repeat']>) => looks.push(look) };
    watchMargin({ ...deps(), metrics } as unknown as Deps, jobs as unknown as Jobs);
    await play([answer(await buyer(true), 3, { model: 'gauged' })]);
    await looks[0]?.();
    const lines = (await metrics.registry.metrics()).split('\n');
    const money = ['cost_dollars{model="gauged"} 3', 'revenue_dollars{model="gauged"} 1'];
    for (const line of [...money, 'sold_below_cost 2', 'costs_unknown 1'])
      expect(lines).toContain(`parley_${line}`);
  });
});
