import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Act } from '#contract/admin/acts.ts';
import { makeOperator } from '#test/admin/operator.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { runs, timeoutFor } from '#test/runs.ts';

const LIMIT = 100;
const START = 40;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ env: { OPERATOR_CREDITS_LIMIT: String(LIMIT) } });
});
afterAll(() => shop.close());

type Buyer = Awaited<ReturnType<Shop['buyer']>>;

/** What somebody sends: an act under one of a few ids, or a decision on one; `who` is one of three operators. */
const stepOf = fc.oneof(
  fc.record({
    kind: fc.constant('act' as const),
    who: fc.nat(2),
    slot: fc.nat(5),
    give: fc.boolean(),
    credits: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 90, max: 130 })),
    forWhom: fc.nat(3),
    inCapitals: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('decide' as const),
    who: fc.nat(2),
    slot: fc.nat(5),
    decision: fc.constantFrom('agree' as const, 'refuse' as const),
  }),
);

it('however acts and decisions are sent, doubled and crossed, each is carried out once and no operator moves more alone than they may', {
  timeout: timeoutFor(120_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(stepOf, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      async (rounds) => {
        const operators = await Promise.all([shop.buyer(), shop.buyer(), shop.buyer()]);
        for (const { userId } of operators) await makeOperator(shop.sql, userId);
        const people = [await shop.buyer(), ...operators];
        const ids = Array.from({ length: 6 }, () => randomUUID());
        for (const round of rounds) {
          await Promise.all(
            round.map(async (step) => {
              const id = ids[step.slot] as string;
              const { client } = operators[step.who] as Buyer;
              if (step.kind === 'decide') {
                await client.post(`/api/admin/proposals/${id}`, { decision: step.decision });
                return;
              }
              const { userId: whom } = people[step.forWhom] as Buyer;
              const userId = step.inCapitals ? whom.toUpperCase() : whom;
              const wanted: Act = step.give
                ? { act: 'grant', userId, credits: step.credits, days: 9 }
                : { act: 'take', userId, credits: step.credits };
              await client.post('/api/admin/acts', { id, reason: 'because', act: wanted });
            }),
          );
        }
        await expectAllRight(operators, people, ids);
      },
    ),
    { numRuns: runs(15, 125) },
  );
});

interface Line {
  act_id: string;
  operator_id: string;
  act: string;
  user_id: string;
  credits: number;
  agreed_by: string | null;
}

async function expectAllRight(operators: Buyer[], people: Buyer[], ids: string[]) {
  const lines = await shop.sql<Line[]>`
    select act_id, operator_id, act, user_id, (details->>'credits')::int as credits, details->>'agreedBy' as agreed_by
      from billing.audit where act_id is not null and operator_id = any(${operators.map(({ userId }) => userId)}::uuid[])`;
  for (const { userId } of operators) {
    const own = lines.filter(({ operator_id }) => operator_id === userId);
    const alone = own.filter(({ agreed_by }) => agreed_by === null);
    expect(alone.reduce((sum, { credits }) => sum + credits, 0)).toBeLessThanOrEqual(LIMIT);
    expect(alone.filter(({ user_id }) => user_id === userId)).toEqual([]);
    expect(own.filter(({ agreed_by }) => agreed_by === userId)).toEqual([]);
    expect(lines.filter(({ user_id, agreed_by }) => user_id === userId && agreed_by === userId)).toEqual([]);
  }
  for (const { userId } of people) {
    const change = lines
      .filter(({ user_id }) => user_id === userId)
      .reduce((sum, { act, credits }) => sum + (act === 'grant' ? credits : -credits), 0);
    const [row] = await shop.sql<{ n: number }[]>`
      select sum(available)::int as n from credit.bucket where user_id = ${userId}`;
    expect(row?.n).toBe(START + change);
    await expectNoDrift(shop.sql, userId);
  }
  const refused = await shop.sql`
    select from billing.proposals p join billing.audit a on a.act_id = p.id where p.decision is distinct from 'agree' and p.id = any(${ids}::uuid[])`;
  expect(refused.count).toBe(0);
  const linesOf = (act: string) =>
    shop.sql`(select count(*) from billing.audit a where a.act = ${act} and a.details->>'actId' = p.id::text)`;
  const unnoted = await shop.sql`
    select from billing.proposals p
     where p.id = any(${ids}::uuid[])
       and (${linesOf('propose')} <> 1 or ${linesOf('refuse')} <> (p.decision is not distinct from 'refuse')::int)`;
  expect(unnoted.count).toBe(0);
}
