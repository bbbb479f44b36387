import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBilling } from '#test/billing/billing.ts';
import { disputeFact, paymentFact } from '#test/billing/world.ts';
import { Crash } from '#test/database/crashing-sql.ts';
import { leaseDueUsers } from '../state/account-store.ts';
import { lockAccount } from '../state/order-store.ts';
import { projectUser } from '../state/project-user.ts';
import { clearDispute } from './clear-dispute.ts';

let world: Awaited<ReturnType<typeof openBilling>>;
beforeAll(async () => {
  world = await openBilling();
});
afterAll(() => world.drop());

async function disputed() {
  const buyer = await world.buyer();
  const order = await buyer.order();
  const paid = paymentFact(order);
  await world.tell('creem', paid, disputeFact(paid.transactionId));
  expect(await buyer.account()).toMatchObject({ disputed: true });
  return { ...buyer, charge: `creem:${paid.transactionId}` };
}

it('a dispute that was cleared by a process that died blocks nothing once the job has projected its user', async () => {
  const { userId, charge, account } = await disputed();
  const { deps, clock } = world;
  let isDead = false;
  const dying = {
    ...deps,
    get database() {
      if (isDead) throw new Crash('the process died after the commit');
      return deps.database;
    },
  };
  const clearing = clearDispute(dying, userId, charge, async () => {
    isDead = true;
  });
  await expect(clearing).rejects.toThrow(Crash);
  const due = await leaseDueUsers(world.sql, clock.now(), 60_000, 10);
  expect(due).toEqual([userId]);
  await projectUser(deps, userId);
  expect(await account()).toMatchObject({ disputed: false });
});

it('disputes that are cleared at once, of users who both paid meanwhile, lock the accounts in one order', async () => {
  const buyers = [await disputed(), await disputed()];
  const [first, second] = buyers.toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
  if (!first || !second) throw new Error('no buyers');
  for (const { userId } of buyers)
    await world.sql`
      insert into billing.uncredited (provider, transaction_id, user_id, reason, found_at, alert_at)
      values ('creem', ${userId}, ${userId}, 'checkout_blocked', now(), now())`;
  const clear = ({ userId, charge }: typeof first) =>
    clearDispute(world.deps, userId, charge, async () => {});
  const clearing = await world.sql.begin(async (tx) => {
    await lockAccount(tx, first.userId);
    const running = clear(second);
    const waiting = () => world.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting()).length).toBe(1);
    await tx`select from billing.account where user_id = ${second.userId} for no key update nowait`;
    return { running };
  });
  await clearing.running;
  expect(await second.account()).toMatchObject({ disputed: false });
});
