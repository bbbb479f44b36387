import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Act } from '#contract/admin/acts.ts';
import type { CheckoutAnswer } from '#contract/billing.ts';
import { listLines } from '#server/credits/list-entries.ts';
import { codeOf, turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { act, giving, send } from '#test/admin/console.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { stopPolling, stopReviews } from '#test/billing/stop-asking.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { IS_LONG } from '#test/runs.ts';
import { requireUser } from '../billing-records/require-user.ts';
import { changeOperator } from '../operators/change-operator.ts';

/** Who may act: by the command line, with a second factor that they turned on themselves. */
interface Operator {
  client: TestClient;
  userId: string;
  email: string;
  secret: string;
}

/** Something that an operator can do now, and what comes of it once. */
interface Case {
  act: Act;
  userId: string;
  /** Lines in the user's ledger, the oldest first. */
  lines: readonly (readonly [kind: string, amount: number, reason: string])[];
  /** How often it took effect outside the ledger: 0, or 1. */
  effect?(): Promise<number>;
}

const FREE = 40;
const BASIC = 500;
const DONE = { status: 200, state: 'done' };
const WAITING = { status: 200, state: 'waiting' };
const LIMITS = { OPERATOR_CREDITS_LIMIT: '1000', OPERATOR_REFUND_LIMIT: '5000' };
/** A second after the window of a code: the next one is another. */
const NEXT_CODE_DAYS = 31 / 86_400;

let shop: Shop;
let ann: Operator;
let ben: Operator;

const buy = async (planKey = 'gemini_basic', cycle = 'monthly') => {
  const buyer = await shop.buyer();
  const { order, charges } = await buyer.buy('creem', planKey, cycle);
  const transactionId = charges[0]?.transactionId ?? '';
  return { ...buyer, order, transactionId, paymentKey: `creem:${transactionId}` };
};
const refundsOf = async (transactionId: string) => {
  const { refunds } = await shop.creem.control.ledger();
  return refunds.filter((refund) => refund.transactionId === transactionId).length;
};
const factsOf = async (userId: string, kind: string) =>
  (await shop.sql`select from billing.facts where user_id = ${userId} and kind = ${kind}`).length;

async function openShopAndOperators(): Promise<void> {
  shop = await openShop({ env: LIMITS });
  await stopReviews(shop.sql);
  [ann, ben] = [await becomeOperator(), await becomeOperator()];
}

/** Each act that moves money, or credits for it. */
const CASES: Record<string, () => Promise<Case>> = {
  async grant() {
    const { userId } = await shop.buyer();
    return { act: giving(7, userId), userId, lines: [['adjust', 7, 'goodwill']] };
  },
  async take() {
    const { userId } = await shop.buyer();
    const lines = [['adjust', -30, 'correction']] as const;
    return { act: { act: 'take', userId, credits: 30 }, userId, lines };
  },
  async refund() {
    const { userId, paymentKey, transactionId } = await buy();
    const lines = [['revoke', -BASIC, 'refund']] as const;
    const effect = () => refundsOf(transactionId);
    return { act: { act: 'refund', userId, paymentKey }, userId, lines, effect };
  },
  async clear_dispute() {
    const { userId, paymentKey, transactionId, order } = await buy();
    await shop.creem.control.act('dispute', { transaction: transactionId });
    expect(await act(ann.client, { act: 'adopt_order', orderId: order.id })).toEqual(DONE);
    const effect = async () => {
      const [row] = await shop.sql<{ n: number }[]>`
        select cardinality(cleared_disputes) as n from billing.account where user_id = ${userId}`;
      return row?.n ?? 0;
    };
    return { act: { act: 'clear_dispute', userId, paymentKey }, userId, lines: [], effect };
  },
  async adopt_order() {
    const { userId, order, transactionId } = await buy();
    await stopPolling(shop.sql, userId);
    await shop.creem.control.act('dispute', { transaction: transactionId });
    const lines = [['revoke', -BASIC, 'dispute']] as const;
    const effect = () => factsOf(userId, 'dispute');
    return { act: { act: 'adopt_order', orderId: order.id }, userId, lines, effect };
  },
  async replay() {
    const buyer = await shop.buyer();
    const { orderId } = (await (await buyer.begin('creem')).json()) as CheckoutAnswer;
    await stopPolling(shop.sql, buyer.userId);
    await buyer.pay('creem', orderId);
    const { checkouts, subscriptions } = await shop.creem.control.ledger();
    const checkout = checkouts.find(({ requestId }) => requestId === orderId);
    const subscription = subscriptions.find(({ checkoutId }) => checkoutId === checkout?.id);
    const told = (await shop.creem.control.webhooks()).map(({ body }) => body);
    const paid = told.find(
      (body) => body.includes('subscription.paid') && body.includes(String(subscription?.id)),
    );
    const [row] = await shop.sql<{ id: string }[]>`
      insert into billing.inbox (provider, dedupe_key, type, raw, headers, received_at, status, next_try_at, error)
      values ('creem', ${randomUUID()}, 'subscription.paid', ${Buffer.from(paid ?? '')}, '{}', now(), 'failed',
              now(), 'the provider is away') returning id`;
    const inboxId = row?.id ?? '';
    const effect = async () =>
      (await shop.sql`select from billing.inbox where id = ${inboxId} and status = 'done'`).length;
    const lines = [['grant', BASIC, 'subscription']] as const;
    return { act: { act: 'replay', inboxId }, userId: buyer.userId, lines, effect };
  },
};
const NAMES = Object.keys(CASES);
/** What comes of two operators who ask for the same, each by themselves: how many are answered that it is done, and how often it is. */
const TOGETHER: Record<string, { done: number; times: number }> = {
  grant: { done: 2, times: 2 },
  take: { done: 1, times: 1 },
  refund: { done: 1, times: 1 },
  clear_dispute: { done: 2, times: 1 },
  adopt_order: { done: 2, times: 1 },
  replay: { done: 2, times: 1 },
};
const REFUSED = ['insufficient_credits', 'act_under_way', 'conflict'];

async function becomeOperator(): Promise<Operator> {
  const client = shop.app.visit();
  const { userId, email } = await client.signUp();
  await shop.sql`update users set email_verified = true where id = ${userId}`;
  const user = await requireUser(shop.app.deps, email);
  await changeOperator(shop.app.deps, { user, isOperator: true, reason: 'on call', actor: 'root' });
  const { secret } = await turnOnSecondFactor(client, shop.clock.now().getTime());
  return { client, userId, email, secret };
}

async function linesOf(userId: string) {
  const entries = await listLines(shop.app.deps, userId, 50);
  return entries.map(({ kind, amount, reason }) => [kind, amount, reason]).reverse();
}

const auditOf = (wanted: Act) => shop.sql<{ actor: string; subject: string; userId: string | null }[]>`
  select actor, subject, user_id as "userId" from billing.audit
   where act = ${wanted.act} and details->'act' = ${JSON.stringify(wanted)}::text::jsonb order by id`;

interface Wanted {
  /** The user's ledger before. */
  before: unknown[];
  /** How often it took effect. */
  times: number;
  /** Whose lines of the audit log tell of it. */
  actors: readonly Operator[];
}

async function expectDone(
  { act: wanted, userId, lines, effect }: Case,
  { before, times, actors }: Wanted,
): Promise<void> {
  expect(await linesOf(userId)).toEqual([...before, ...Array.from({ length: times }, () => lines).flat()]);
  if (effect) expect(await effect()).toBe(Math.min(times, 1));
  const noted = await auditOf(wanted);
  expect(noted.map(({ actor }) => actor).sort()).toEqual(actors.map(({ email }) => email).sort());
  const owner = wanted.act === 'replay' ? null : userId;
  expect(noted.map((line) => line.userId)).toEqual(noted.map(() => owner));
  await expectNoDrift(shop.sql, userId);
}

async function begin(name: string) {
  const one = await CASES[name]?.();
  if (!one) throw new Error(name);
  const before = await linesOf(one.userId);
  return { one, before, none: { before, times: 0, actors: [] } };
}

/** Asks for an act under an id. */
const ask = ({ client }: Pick<Operator, 'client'>, wanted: Act, id: string = randomUUID()) =>
  act(client, wanted, id);

describe.runIf(IS_LONG)('of acts that move money', () => {
  beforeAll(openShopAndOperators);
  afterAll(() => shop.close());

  describe.each(NAMES)('%s', (name) => {
    it('is done by nobody but an operator with a second factor', async () => {
      const { one, none } = await begin(name);
      const stranger = await shop.buyer();
      const unproved = await shop.buyer();
      await shop.sql`insert into operators (user_id, made_at) values (${unproved.userId}, now())`;
      const former = await becomeOperator();
      await shop.sql`delete from operators where user_id = ${former.userId}`;
      expect(await ask({ client: shop.app.visit() }, one.act)).toEqual({
        status: 401,
        code: 'unauthenticated',
      });
      for (const { client } of [stranger, former])
        expect(await ask({ client }, one.act)).toEqual({ status: 404, code: 'not_found' });
      expect(await ask(unproved, one.act)).toEqual({ status: 403, code: 'second_factor_required' });
      await expectDone(one, none);
    });

    it('is not done on a proof of eleven minutes ago, and once on a new one', async () => {
      const { one, before, none } = await begin(name);
      const id = randomUUID();
      await shop.moveDays(NEXT_CODE_DAYS);
      await shop.sql`
      update sessions set confirmed_at = ${new Date(shop.clock.now().getTime() - 11 * 60_000)}
       where user_id = ${ann.userId}`;
      expect(await ask(ann, one.act, id)).toEqual({ status: 403, code: 'confirmation_required' });
      await expectDone(one, none);
      const code = codeOf(ann.secret, shop.clock.now().getTime());
      expect((await ann.client.post('/api/me/confirm', { code })).status).toBe(204);
      expect(await ask(ann, one.act, id)).toEqual(DONE);
      await expectDone(one, { before, times: 1, actors: [ann] });
    });

    it('is done once for a button that is pressed twice, and again when the answer was lost', async () => {
      const { one, before } = await begin(name);
      const id = randomUUID();
      const answers = await Promise.all([ask(ann, one.act, id), ask(ann, one.act, id)]);
      expect(answers).toContainEqual(DONE);
      for (const answer of answers)
        expect([DONE, { status: 409, code: 'act_under_way' }]).toContainEqual(answer);
      expect(await ask(ann, one.act, id)).toEqual(DONE);
      await expectDone(one, { before, times: 1, actors: [ann] });
    });

    it('of two operators at once follows the rules of the act', async () => {
      const { one, before } = await begin(name);
      const { done, times } = TOGETHER[name] ?? { done: 0, times: 0 };
      const answers = await Promise.all([ask(ann, one.act), ask(ben, one.act)]);
      const refused = answers.filter(({ state }) => state !== 'done');
      expect(answers.length - refused.length).toBe(done);
      for (const { code } of refused) expect(REFUSED).toContain(code);
      const actors = [ann, ben].filter((_, index) => answers[index]?.state === 'done');
      await expectDone(one, { before, times, actors });
    });
  });

  describe('above what one operator may move', () => {
    const agree = ({ client }: Operator, id: string) =>
      send(client, `/api/admin/proposals/${id}`, { decision: 'agree' });

    it.each([
      ['grant', 2],
      ['take', 1],
      ['refund', 1],
    ] as const)('%s of two operators at once waits twice, and both agree at once', async (name, times) => {
      const { userId, paymentKey, transactionId } = await buy('gemini_basic', 'annual');
      const cases: Record<typeof name, Case> = {
        grant: { act: giving(1_001, userId), userId, lines: [['adjust', 1_001, 'goodwill']] },
        take: {
          ...{ act: { act: 'take', userId, credits: BASIC * 12 }, userId },
          // From what ends first.
          lines: [
            ['adjust', -FREE, 'correction'],
            ['adjust', FREE - BASIC * 12, 'correction'],
          ],
        },
        refund: {
          ...{ act: { act: 'refund', userId, paymentKey }, userId, effect: () => refundsOf(transactionId) },
          lines: [['revoke', -BASIC * 12, 'refund']],
        },
      };
      const one = cases[name];
      const before = await linesOf(userId);
      const [own, other] = [randomUUID(), randomUUID()];
      expect(await Promise.all([ask(ann, one.act, own), ask(ben, one.act, other)])).toEqual([
        WAITING,
        WAITING,
      ]);
      for (const [operator, id] of [
        [ann, own],
        [ben, other],
      ] as const)
        expect(await agree(operator, id)).toEqual({ status: 403, code: 'own_proposal' });
      await expectDone(one, { before, times: 0, actors: [] });
      const answers = await Promise.all([agree(ben, own), agree(ann, other)]);
      const done = [ann, ben].filter((_, index) => answers[index]?.state === 'done');
      for (const { state, code } of answers) if (state !== 'done') expect(REFUSED).toContain(code);
      expect(done).toHaveLength(times);
      await expectDone(one, { before, times, actors: done });
    });
  });
});
