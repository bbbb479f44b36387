import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBilling } from '#test/billing/billing.ts';
import { plantHistory, playCompleted } from '#test/billing/planted-history.ts';
import { replay, same, seed } from '#test/billing/replay.ts';
import { BEGIN } from '#test/billing/world.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { insertUser } from '#test/factories.ts';
import { runs, timeoutFor } from '#test/runs.ts';
import { projectUser } from '../state/project-user.ts';
import { readBilling } from '../state/read-billing.ts';

const RUNS = runs(3, 125);
const histories = fc
  .array(fc.noBias(fc.nat(0x7fff_ffff)), { minLength: 2, maxLength: 8 })
  .map((numbers) => playCompleted(numbers));

let world: Awaited<ReturnType<typeof openBilling>>;
beforeAll(async () => {
  world = await openBilling();
});
afterAll(async () => {
  await expectNoDrift(world.sql);
  await world.drop();
});

async function buckets(userId: string) {
  return [
    ...(await world.sql<{ key: string | null; source: string; amount: number; takenBack: number }[]>`
      select payment_key as key, source_key as source, amount, revoke_target as "takenBack"
        from credit.bucket where user_id = ${userId} order by id`),
  ];
}

/** As the deletion leaves the account. */
async function leave(userId: string, at: Date) {
  await world.sql`select credit.close_account(${userId}, ${at})`;
  await world.sql`update users set leaving_at = ${at} where id = ${userId}`;
  await world.sql`
    update users set deleted_at = ${at}, email = null, display_name = '', address_hash = null where id = ${userId}`;
}

describe('what is told of an account that is deleted', { timeout: timeoutFor(240_000) }, () => {
  it('P16: whatever was told before and whatever comes later, gives nothing and wakes nobody', async () => {
    await fc.assert(
      fc.asyncProperty(histories, seed, fc.nat(), async (history, from, cut) => {
        const planted = await plantHistory(world, history);
        const { userId, deps, clock } = planted;
        const address = randomBytes(32);
        await world.sql`update users set address_hash = ${address} where id = ${userId}`;
        const known = history.deliveries.slice(0, cut % (history.deliveries.length + 1));
        await planted.tell(known);
        await leave(userId, clock.now());
        const before = await buckets(userId);
        await planted.tell(replay(history.deliveries, from, true));
        await projectUser(deps, userId);

        const after = await buckets(userId);
        same(
          after.map(({ takenBack: _, ...bucket }) => bucket),
          before.map(({ takenBack: _, ...bucket }) => bucket),
        );
        for (const [index, { takenBack }] of after.entries())
          expect(takenBack).toBeGreaterThanOrEqual(before[index]?.takenBack ?? 0);
        expect(await world.sql`select from subscriptions where user_id = ${userId}`).toHaveLength(0);
        await expectNoDrift(world.sql, userId);

        const { projection, snapshot } = await readBilling(deps, userId);
        const granted = new Set(after.map(({ key }) => key));
        const owed = projection.quarantine.filter(({ reason }) => reason === 'account_deleted');
        expect(owed.every(({ provider, subject }) => !granted.has(`${provider}:${subject}`))).toBe(true);
        const charges = history.contracts.flatMap(({ charges: all }) => all);
        for (const { transactionId } of charges) {
          const entry = [...snapshot.payments.values()].find((each) => each.transactionId === transactionId);
          const isSettled = granted.has(`${entry?.provider}:${transactionId}`);
          const isShown = projection.quarantine.some(({ subject }) => subject === transactionId);
          const refund = snapshot.refunds.get(`${entry?.provider}:${transactionId}`)?.refunded ?? 0;
          expect(isSettled || isShown || refund > 0 || entry === undefined).toBe(true);
        }
        const wanted = await world.sql<{ id: string }[]>`
          select subscription_id as id from billing.cancellations where user_id = ${userId} and done_at is null`;
        const renewing = [...projection.subscriptions, ...projection.failing].filter(
          ({ renews, subscriptionId }) => renews && subscriptionId,
        );
        expect(wanted.map(({ id }) => id)).toEqual(
          expect.arrayContaining(renewing.map(({ subscriptionId }) => subscriptionId)),
        );

        const again = await insertUser(world.sql, { createdAt: new Date(BEGIN + 1), emailHash: address });
        const [free] = await world.sql<{ credits: number }[]>`
          select credit.read_balance(${again.userId}, ${new Date(BEGIN + 2)}) as credits`;
        expect(free?.credits).toBe(0);
      }),
      { numRuns: RUNS },
    );
  });
});
