import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time.ts';
import { openBilling } from '#test/billing/billing.ts';
import { type History, pollFacts } from '#test/billing/history.ts';
import { plantHistory, playCompleted } from '#test/billing/planted-history.ts';
import { randomOf, replay, same, seed } from '#test/billing/replay.ts';
import { BEGIN } from '#test/billing/world.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { freeMonthStart } from '#test/credits/ledger-model.ts';
import { Crash, CrashingSql } from '#test/database/crashing-sql.ts';
import { IS_LONG, runs, timeoutFor } from '#test/runs.ts';
import { clearDispute } from '../subscriptions/clear-dispute.ts';
import type { ReceivedFacts } from './apply-facts.ts';
import { projectUser } from './project-user.ts';
import { readBilling } from './read-billing.ts';

type World = Awaited<ReturnType<typeof openBilling>>;
type Planted = Awaited<ReturnType<typeof plantHistory>>;
type Told = Omit<ReceivedFacts, 'source'>;

const RUNS = runs(4, 250);
const histories = fc
  .array(fc.noBias(fc.nat(0x7fff_ffff)), { maxLength: 6 })
  .map((numbers) => playCompleted(numbers));

let world: World;
beforeAll(async () => {
  world = await openBilling();
});
afterAll(async () => {
  await expectNoDrift(world.sql);
  await world.drop();
});

/**
 * What remains. Left out is what the order in which things are reported may change: what was to be cancelled on the way, decided on what
 * was known then, which of a refund and a dispute of one charge is the reason why all of it was taken back, and which of the charges
 * of one period made its bucket. Disputes are cleared at the end: until then it matters whether a purchase or an older dispute was
 * reported first (decision 51).
 */
async function outcome(history: History, told: readonly Told[]) {
  const planted = await plantHistory(world, history);
  planted.clock.time = judgedAt(history);
  await planted.tell(told);
  const { deps, userId } = planted;
  for (const key of (await readBilling(deps, userId)).projection.disputes)
    await clearDispute(deps, userId, key, async () => {});
  const { cancellations: _, buckets, ...state } = await planted.state();
  const periods = periodsOf(history);
  const lines = [...buckets].map(
    ({ revoke_reason: _reason, source_key: source, payment_key: key, ...bucket }) => {
      const { expires_at: expiresAt, ...counters } = bucket;
      const period = periods.get(key);
      return period ? { period, ...counters } : { source, expiresAt, ...counters };
    },
  );
  return { ...state, buckets: lines.map((line) => JSON.stringify(line)).sort() };
}

/** The end, or a minute after a period that ends then: charges of one period end seconds apart, and any of them may make its bucket. */
function judgedAt({ contracts, end }: History): Date {
  const ends = contracts.flatMap(({ charges }) => charges.map((charge) => charge.end)).sort((a, b) => a - b);
  return new Date(ends.reduce((at, each) => (Math.abs(each - at) < MINUTE_MS ? each + MINUTE_MS : at), end));
}

/** The period that each charge pays, by payment key. */
function periodsOf({ contracts }: History): Map<unknown, string> {
  return new Map(
    contracts.flatMap(({ order, charges }) =>
      charges.map(({ transactionId, period }): [string, string] => [
        `${order.provider}:${transactionId}`,
        `${order.id}, period ${period}`,
      ]),
    ),
  );
}

/** The failures of which a provider that is asked says nothing once something followed. */
function failuresOf({ deliveries }: History): Told[] {
  return deliveries.filter(({ facts }) =>
    facts.some((fact) => fact.kind === 'subscription' && fact.status === 'past_due'),
  );
}

describe('what is told, through the tables', { timeout: timeoutFor(600_000) }, () => {
  it('P1, P9: leaves the same from webhooks in any order and number, from asking, and from both', async () => {
    await fc.assert(
      fc.asyncProperty(histories, seed, async (history, from) => {
        const expected = await outcome(history, history.deliveries);
        const asked = pollFacts(history);
        const replayed = replay(history.deliveries, from, true);
        same(await outcome(history, replayed), expected);
        same(await outcome(history, [...asked, ...failuresOf(history)]), expected);
        same(
          await outcome(history, [...replayed.slice(from % replayed.length), ...asked, ...replayed]),
          expected,
        );
      }),
      // A charge fails, the plan is cancelled, and it ends.
      { numRuns: RUNS, examples: [[playCompleted([488, 9]), 0]] },
    );
  });

  it('P11: is the same after a crash at any step and a repetition', async () => {
    await fc.assert(
      fc.asyncProperty(histories, seed, async (history, from) => {
        const counted = new CrashingSql(world.sql);
        const calm = await plantHistory(world, history);
        await calm.tell(history.deliveries, depsOn(calm, counted));
        const expected = await calm.state();
        const planted = await plantHistory(world, history);
        const crashing = new CrashingSql(world.sql, 1 + Math.floor(randomOf(from)() * counted.steps));
        const died = await diedAt(planted, history, crashing);
        await planted.tell(history.deliveries.slice(died));
        await projectUser(planted.deps, planted.userId);
        same(await planted.state(), expected);
      }),
      { numRuns: RUNS },
    );
  });

  it.runIf(IS_LONG)(
    'P11b: is the same after a crash at each single step of one life, whoever notices first',
    async () => {
      const history = playCompleted(LIFE);
      const calm = await plantHistory(world, history);
      const counted = new CrashingSql(world.sql);
      await calm.tell(history.deliveries, depsOn(calm, counted));
      const expected = await calm.state();
      expect(counted.steps).toBeGreaterThan(40);
      for (let step = 1; step <= counted.steps; step += 1) {
        const planted = await plantHistory(world, history);
        const died = await diedAt(planted, history, new CrashingSql(world.sql, step));
        if (step % 2 === 0) await projectUser(planted.deps, planted.userId);
        await planted.tell(history.deliveries.slice(died));
        same({ step, ...(await planted.state()) }, { step, ...expected });
      }
    },
  );

  it('P16: lets no month of an anchor bring free credits twice, nor while a plan is paid', async () => {
    await fc.assert(
      fc.asyncProperty(histories, seed, async (history, from) => {
        const random = randomOf(from);
        const planted = await plantHistory(world, history);
        const look = async (at: number) => {
          planted.clock.time = new Date(Math.max(at, planted.clock.time.getTime()));
          const { freePausedUntil } = await projectUser(planted.deps, planted.userId);
          const before = await freeMonths(planted.userId);
          await planted.balance();
          const after = await freeMonths(planted.userId);
          if (freePausedUntil && freePausedUntil > planted.clock.time) expect(after).toEqual(before);
        };
        planted.clock.time = new Date(BEGIN);
        for (const delivery of history.deliveries) {
          await look(delivery.at - 1);
          planted.clock.time = new Date(delivery.at);
          for (let times = 1 + Math.floor(random() * 2); times > 0; times -= 1)
            await planted.tell([delivery]);
          await look(delivery.at + Math.floor(random() * 20) * 86_400_000);
        }
        for (let month = 1; month < 5; month += 1) await look(history.end + month * 31 * 86_400_000);
        const months = await freeMonths(planted.userId);
        const anchor = new Date(BEGIN);
        for (const { n, expiresAt } of months) expect(expiresAt).toEqual(freeMonthStart(anchor, n + 1));
        expect(new Set(months.map(({ n }) => n)).size).toBe(months.length);
      }),
      { numRuns: RUNS },
    );
  });
});

/** A purchase and a refund. */
const LIFE = [0x1_000d];

function depsOn({ deps }: Planted, { sql }: CrashingSql): Planted['deps'] {
  return { ...deps, database: { ...deps.database, sql } };
}

/** The first delivery that was not finished. */
async function diedAt(planted: Planted, { deliveries }: History, crashing: CrashingSql): Promise<number> {
  for (const [index, delivery] of deliveries.entries()) {
    try {
      await planted.tell([delivery], depsOn(planted, crashing));
    } catch (error) {
      if (error instanceof Crash) return index;
      throw error;
    }
  }
  throw new Error('nothing died');
}

async function freeMonths(userId: string) {
  const rows = await world.sql<{ source: string; expiresAt: Date }[]>`
    select source_key as source, expires_at as "expiresAt"
      from credit.bucket where user_id = ${userId} and kind = 'free' order by id`;
  return rows.map(({ source, expiresAt }) => ({ n: Number(source.split(':')[1]), expiresAt }));
}
