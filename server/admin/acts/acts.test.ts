import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Act, ActPreview, Proposal } from '#contract/admin/acts.ts';
import type { AuditScreen, DisputesScreen, Today, UserScreen } from '#contract/admin/screens.ts';
import { turnOnSecondFactor } from '#test/accounts/second-factor.ts';
import { act, giving, read, send } from '#test/admin/console.ts';
import { makeOperator } from '#test/admin/operator.ts';
import { openPeople, type Person } from '#test/admin/people.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { insertUser } from '#test/factories.ts';
import { runAct } from './run-act.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ env: { OPERATOR_CREDITS_LIMIT: '1000', OPERATOR_REFUND_LIMIT: '2000' } });
});
afterAll(() => shop.close());

let ann: Person;
let ben: Person;
let user: Person;
beforeEach(async () => {
  [ann, ben, user] = await openPeople(shop);
});

const give = (credits: number, userId = user.userId) => giving(credits, userId);
const decide = (client: TestClient, id: string, decision: 'agree' | 'refuse') =>
  send(client, `/api/admin/proposals/${id}`, { decision });
const proposals = async (client: TestClient) =>
  (await read<{ proposals: Proposal[] }>(client, '/api/admin/proposals')).proposals;
const DONE = { status: 200, state: 'done' };
const WAITING = { status: 200, state: 'waiting' };

describe('the console', () => {
  it('is nothing that another user could find', async () => {
    expect((await user.client.get('/api/admin')).status).toBe(404);
    expect(await act(user.client, give(5))).toEqual({ status: 404, code: 'not_found' });
  });

  it('shows an operator without two-step verification only that it has to be on', async () => {
    await shop.sql`insert into operators (user_id, made_at) values (${user.userId}, now())`;
    expect(await read(user.client, '/api/admin')).toEqual({ name: user.email, needsSecondFactor: true });
    for (const path of ['today', 'users?find=a', 'audit'])
      expect((await user.client.get(`/api/admin/${path}`)).status).toBe(403);
    expect(await act(user.client, give(5))).toEqual({ status: 403, code: 'second_factor_required' });
    await turnOnSecondFactor(user.client, shop.clock.now().getTime());
    expect(await read(user.client, '/api/admin')).toEqual({ name: user.email, needsSecondFactor: false });
    expect((await user.client.get('/api/admin/today')).status).toBe(200);
  });

  it('acts only on a fresh proof', async () => {
    await shop.sql`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${ann.userId}`;
    expect((await ann.client.get('/api/admin/today')).status).toBe(200);
    expect(await act(ann.client, give(5))).toEqual({ status: 403, code: 'confirmation_required' });
    expect(await user.balance()).toBe(40);
  });

  it('is closed from the moment somebody is an operator no longer', async () => {
    expect(await act(ann.client, give(5))).toEqual(DONE);
    await shop.sql`delete from operators where user_id = ${ann.userId}`;
    expect(await act(ann.client, give(5))).toEqual({ status: 404, code: 'not_found' });
    expect((await ann.client.get('/api/admin/today')).status).toBe(404);
  });
});

describe('an act', () => {
  it('asked for many times under one id is carried out once, and noted once', async () => {
    const id = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(ann.client, give(7), id)));
    expect(answers).toEqual(answers.map(() => DONE));
    expect(await act(ann.client, give(7), id)).toEqual(DONE);
    expect(await user.balance()).toBe(47);
    const { lines } = await read<AuditScreen>(ann.client, `/api/admin/audit?userId=${user.userId}`);
    expect(lines).toMatchObject([
      {
        actor: ann.email,
        act: 'grant',
        subject: user.email,
        reason: 'because',
        details: { credits: 7, act: { credits: 7, days: 30 } },
      },
    ]);
    await expectNoDrift(shop.sql, user.userId);
  });

  it('is not taken for another one under its id', async () => {
    const id = randomUUID();
    expect(await act(ann.client, give(5), id)).toEqual(DONE);
    expect(await act(ann.client, give(6), id)).toEqual({ status: 409, code: 'key_reused' });
    expect(await act(ben.client, give(5), id)).toEqual({ status: 409, code: 'key_reused' });
    expect(await user.balance()).toBe(45);
  });

  it('asked for twice at once stays within what one operator may move', async () => {
    const id = randomUUID();
    const answers = await Promise.all([act(ann.client, give(600), id), act(ann.client, give(600), id)]);
    expect(answers).toEqual([DONE, DONE]);
    expect(await proposals(ben.client)).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ id })]),
    );
  });

  it('that cannot be done changes and notes nothing, and can be tried again under its id', async () => {
    const id = randomUUID();
    expect(await act(ann.client, { act: 'take', userId: user.userId, credits: 41 }, id)).toEqual({
      status: 402,
      code: 'insufficient_credits',
    });
    expect(await act(ann.client, { act: 'take', userId: user.userId, credits: 40 }, id)).toEqual(DONE);
    expect(await user.balance()).toBe(0);
  });

  it('is told before it is done, and nothing is changed by that', async () => {
    const preview = async (wanted: Act) =>
      (await (await ann.client.post('/api/admin/acts/preview', { act: wanted })).json()) as ActPreview;
    expect(await preview(give(5))).toEqual({
      effects: [{ what: 'balance', before: 40, after: 45 }],
      needsSecondOperator: false,
    });
    expect(await preview(give(1_001))).toMatchObject({ needsSecondOperator: true });
    expect(await preview({ act: 'sign_out', userId: user.userId })).toMatchObject({
      effects: [{ what: 'sessions', before: 1, after: 0 }],
    });
    expect(await user.balance()).toBe(40);
    const { userId } = await insertUser(shop.sql, { createdAt: new Date(Date.now() - 70 * 86_400_000) });
    const months = async () => (await shop.sql`select from credit.bucket where user_id = ${userId}`).count;
    const before = await months();
    expect((await preview(give(5, userId))).effects).toEqual([{ what: 'balance', before: 0, after: 5 }]);
    expect(await months()).toBe(before);
  });

  it('has a reason that can be read', async () => {
    for (const reason of ['\0', '\u200b', ' '])
      expect(
        (await send(ann.client, '/api/admin/acts', { id: randomUUID(), reason, act: give(5) })).status,
      ).toBe(422);
    expect((await ann.client.get('/api/admin/audit?actor=%00')).status).toBe(422);
  });

  it('ends every session of a user', async () => {
    expect(await act(ann.client, { act: 'sign_out', userId: user.userId })).toEqual(DONE);
    expect((await user.client.get('/api/me')).status).toBe(401);
  });

  it('refunds a charge once, and takes back what is unspent of it', async () => {
    await user.buy('creem');
    const { charges } = await read<UserScreen>(ann.client, `/api/admin/users/${user.userId}`);
    expect(charges).toMatchObject([
      { provider: 'creem', refundedMinor: 0, canRefund: true, isDisputed: false },
    ]);
    const paymentKey = charges[0]?.paymentKey ?? '';
    const id = randomUUID();
    await act(ann.client, { act: 'take', userId: user.userId, credits: 100 });
    const wanted = { act: { act: 'refund', userId: user.userId, paymentKey } };
    const { effects } = (await (
      await ann.client.post('/api/admin/acts/preview', wanted)
    ).json()) as ActPreview;
    expect(effects).toEqual([
      { what: 'refund_minor', before: charges[0]?.paid?.minor, after: 0 },
      // Sixty of the hundred that were taken by hand were of this charge.
      { what: 'taken_back', before: 60, after: 500 },
      { what: 'unspent', before: 440, after: 0 },
    ]);
    const refund: Act = { act: 'refund', userId: user.userId, paymentKey };
    const answers = await Promise.all([act(ann.client, refund, id), act(ann.client, refund, id)]);
    expect(answers).toContainEqual(DONE);
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    expect(await act(ann.client, refund, id)).toEqual(DONE);
    const after = await read<UserScreen>(ann.client, `/api/admin/users/${user.userId}`);
    expect(after.charges).toMatchObject([{ refundedMinor: charges[0]?.paid?.minor, canRefund: false }]);
    const { refunds } = await shop.creem.control.ledger();
    expect(refunds.filter(({ transactionId }) => paymentKey.endsWith(transactionId))).toHaveLength(1);
    await expectNoDrift(shop.sql, user.userId);
  });
});

describe('what a provider said', () => {
  it('is read again from the inbox, and taken over from an order, each with a line in the log', async () => {
    const { order } = await user.buy('creem');
    const [webhook] = await shop.sql<{ id: string }[]>`
      insert into billing.inbox (provider, dedupe_key, type, raw, headers, received_at, status, next_try_at, error)
      values ('creem', ${randomUUID()}, 'odd', '{}', '{}', now(), 'failed', now(), 'not understood') returning id`;
    const inboxId = webhook?.id ?? '';
    expect(await act(ann.client, { act: 'replay', inboxId })).toEqual(DONE);
    expect(await act(ann.client, { act: 'adopt_order', orderId: order.id })).toEqual(DONE);
    expect(await act(ann.client, { act: 'replay', inboxId: '999999999' })).toEqual({
      status: 404,
      code: 'not_found',
    });
    const { lines } = await read<AuditScreen>(
      ann.client,
      `/api/admin/audit?actor=${encodeURIComponent(ann.email)}`,
    );
    expect(lines.map((line) => [line.act, line.subject])).toEqual([
      ['adopt_order', order.id],
      ['replay', inboxId],
    ]);
  });

  it('is not judged without the settings of a provider, also where an act is repeated', async () => {
    const { order } = await user.buy('creem');
    const wanted: Act = { act: 'adopt_order', orderId: order.id };
    const ordered = {
      ...{ id: randomUUID(), reason: 'because', act: wanted },
      by: { name: ann.email, operatorId: ann.userId, agreedBy: null },
    };
    const { deps } = shop.app;
    await runAct(deps, ordered);
    await runAct(deps, ordered);
    const { creem: _, ...others } = deps.providers;
    const without = { ...deps, providers: others };
    await expect(runAct(without, ordered)).rejects.toMatchObject({ code: 'not_configured' });
  });

  it('of a dispute is settled by hand, and its user can buy again', async () => {
    await user.buy('creem');
    const before = await read<UserScreen>(ann.client, `/api/admin/users/${user.userId}`);
    const paymentKey = before.charges[0]?.paymentKey ?? '';
    await shop.creem.control.act('dispute', { transaction: paymentKey.split(':')[1] });
    await act(ann.client, { act: 'adopt_order', orderId: before.orders[0]?.id ?? '' });
    const disputed = await read<UserScreen>(ann.client, `/api/admin/users/${user.userId}`);
    expect(disputed.charges).toMatchObject([{ isDisputed: true }]);
    const other = await shop.buyer();
    const { charges } = await other.buy('creem');
    const refund: Act = {
      act: 'refund',
      userId: other.userId,
      paymentKey: `creem:${charges[0]?.transactionId}`,
    };
    expect(await act(ben.client, refund)).toEqual(DONE);
    const { losses } = await read<DisputesScreen>(ann.client, '/api/admin/disputes');
    expect(losses.map(({ isOpen }) => isOpen)).toEqual([true, ...losses.slice(1).map(() => false)]);
    expect(losses[1]?.userId).toBe(other.userId);
    expect(losses).toContainEqual(expect.objectContaining({ userId: user.userId, paymentKey, isOpen: true }));
    expect(await act(ann.client, { act: 'clear_dispute', userId: user.userId, paymentKey })).toEqual(DONE);
    expect((await user.begin('creem')).status).toBe(200);
  });
});

describe('more than one operator may move alone', () => {
  it('waits for another one, who agrees once, whoever else decides at the same moment', async () => {
    const id = randomUUID();
    expect(await act(ann.client, give(1_001), id)).toEqual(WAITING);
    expect(await act(ann.client, give(1_001), id)).toEqual(WAITING);
    expect(await act(ann.client, give(1_002), id)).toEqual({ status: 409, code: 'key_reused' });
    expect(await user.balance()).toBe(40);
    expect((await proposals(ann.client)).find((each) => each.id === id)).toMatchObject({
      isOwn: true,
      who: user.email,
    });
    expect(await decide(ann.client, id, 'agree')).toEqual({ status: 403, code: 'own_proposal' });
    const cleo = await shop.buyer();
    await makeOperator(shop.sql, cleo.userId);
    const answers = await Promise.all([
      decide(ben.client, id, 'agree'),
      decide(cleo.client, id, 'agree'),
      decide(ben.client, id, 'agree'),
    ]);
    expect(answers).toContainEqual(DONE);
    expect(await user.balance()).toBe(1_041);
    expect(await act(ann.client, give(1_001), id)).toEqual(DONE);
    expect(await decide(cleo.client, id, 'refuse')).toEqual({ status: 409, code: 'proposal_decided' });
    expect((await proposals(ann.client)).some((each) => each.id === id)).toBe(false);
    const { lines } = await read<AuditScreen>(ann.client, `/api/admin/audit?userId=${user.userId}`);
    expect(lines).toMatchObject([
      { actor: ann.email, act: 'grant', details: { credits: 1_001 } },
      { actor: ann.email, act: 'propose', subject: user.email, reason: 'because', details: { actId: id } },
    ]);
    expect([ben.email, cleo.email]).toContain(lines[0]?.details.agreedBy);
  });

  it('is refused by another one, and then never done', async () => {
    const id = randomUUID();
    expect(await act(ann.client, give(1_001), id)).toEqual(WAITING);
    expect(await decide(ben.client, id, 'refuse')).toEqual(DONE);
    expect(await decide(ben.client, id, 'refuse')).toEqual(DONE);
    expect(await decide(ben.client, id, 'agree')).toEqual({ status: 409, code: 'proposal_decided' });
    expect(await act(ann.client, give(1_001), id)).toEqual({ status: 409, code: 'proposal_refused' });
    expect(await user.balance()).toBe(40);
    const { lines } = await read<AuditScreen>(ann.client, `/api/admin/audit?userId=${user.userId}`);
    expect(lines).toMatchObject([
      { actor: ben.email, act: 'refuse', details: { actId: id, act: { credits: 1_001 } } },
      { actor: ann.email, act: 'propose', details: { actId: id, act: { credits: 1_001 } } },
    ]);
    expect(lines).toHaveLength(2);
  });

  it('cannot be split into small acts, one after the other or all at once', async () => {
    expect(await act(ann.client, give(600))).toEqual(DONE);
    const rest = await Promise.all(Array.from({ length: 6 }, () => act(ann.client, give(300))));
    expect(rest.filter(({ state }) => state === 'done')).toHaveLength(1);
    expect(await user.balance()).toBe(940);
    expect(await act(ben.client, give(300))).toEqual(DONE);
  });

  it('is whatever an operator does for themselves, and nobody agrees to what they are given', async () => {
    const id = randomUUID();
    expect(await act(ann.client, give(1, ann.userId), id)).toEqual(WAITING);
    expect(await decide(ann.client, id, 'agree')).toEqual({ status: 403, code: 'own_proposal' });
    const other = randomUUID();
    expect(await act(ann.client, give(1_001, ben.userId), other)).toEqual(WAITING);
    expect(await decide(ben.client, other, 'agree')).toEqual({ status: 403, code: 'own_proposal' });
    expect(await decide(ben.client, id, 'agree')).toEqual(DONE);
    expect(await ann.balance()).toBe(41);
  });

  it('is known by the owner of an order that an operator bought themselves', async () => {
    const { order } = await ann.buy('creem');
    const id = randomUUID();
    expect(await act(ann.client, { act: 'adopt_order', orderId: order.id }, id)).toEqual(WAITING);
    expect((await proposals(ben.client)).find((each) => each.id === id)).toMatchObject({
      act: { orderId: order.id },
      who: ann.email,
    });
  });

  it('is known by whom it is for, however their id is written', async () => {
    const [id, own] = [randomUUID(), randomUUID()];
    expect(await act(ann.client, give(1_001, ben.userId.toUpperCase()), id)).toEqual(WAITING);
    expect((await proposals(ann.client)).find((each) => each.id === id)?.who).toBe(ben.email);
    expect(await decide(ben.client, id, 'agree')).toEqual({ status: 403, code: 'own_proposal' });
    expect(await act(ann.client, give(1, ann.userId.toUpperCase()), own)).toEqual(WAITING);
    const spellings = [own, own.toUpperCase(), own];
    await Promise.all(spellings.map((each) => act(ann.client, give(1, ann.userId), each)));
    expect(await ann.balance()).toBe(40);
  });

  it('is not done for an operator whose account is closed, nor by the word of one', async () => {
    const [id, other] = [randomUUID(), randomUUID()];
    const cleo = await shop.buyer();
    await makeOperator(shop.sql, cleo.userId);
    expect(await act(cleo.client, give(1_001), id)).toEqual(WAITING);
    await shop.sql`update users set leaving_at = now() where id = ${cleo.userId}`;
    expect((await proposals(ben.client)).some((each) => each.id === id)).toBe(false);
    const waiting = await read<Today>(ben.client, '/api/admin/today');
    expect(waiting.waiting.proposals).toBe((await proposals(ben.client)).length);
    expect(await decide(ben.client, id, 'agree')).toEqual({ status: 404, code: 'not_found' });
    expect(await act(ann.client, give(1_001), other)).toEqual(WAITING);
    expect((await decide(cleo.client, other, 'agree')).status).toBe(404);
    expect(await user.balance()).toBe(40);
  });

  it('waits again when it could not be done, and when it was cut off after the agreement', async () => {
    const id = randomUUID();
    const take: Act = { act: 'take', userId: user.userId, credits: 1_001 };
    expect(await act(ann.client, give(1_000))).toEqual(DONE);
    expect(await act(ann.client, take, id)).toEqual(WAITING);
    expect(await act(ben.client, { act: 'take', userId: user.userId, credits: 100 })).toEqual(DONE);
    expect(await decide(ben.client, id, 'agree')).toEqual({ status: 402, code: 'insufficient_credits' });
    expect((await proposals(ben.client)).some((each) => each.id === id)).toBe(true);
    expect(await act(ben.client, give(100))).toEqual(DONE);
    await shop.sql`
      update billing.proposals set decision = 'agree', decided_by = ${ben.userId}, decided_at = now() where id = ${id}`;
    expect((await proposals(ben.client)).some((each) => each.id === id)).toBe(true);
    expect(await decide(ben.client, id, 'agree')).toEqual(DONE);
    expect(await user.balance()).toBe(39);
  });

  it('can be refused once its agreement was cut off, and not once it was carried out', async () => {
    const [cut, done] = [randomUUID(), randomUUID()];
    for (const id of [cut, done]) expect(await act(ann.client, give(1_001), id)).toEqual(WAITING);
    await shop.sql`
      update billing.proposals set decision = 'agree', decided_by = ${ben.userId}, decided_at = now() where id = ${cut}`;
    expect(await decide(ben.client, cut, 'refuse')).toEqual(DONE);
    expect(await decide(ben.client, cut, 'agree')).toEqual({ status: 409, code: 'proposal_decided' });
    expect(await decide(ben.client, done, 'agree')).toEqual(DONE);
    expect(await decide(ben.client, done, 'refuse')).toEqual({ status: 409, code: 'proposal_decided' });
    expect(await user.balance()).toBe(1_041);
  });

  it('is agreed to or refused where both come at once, never both', async () => {
    const id = randomUUID();
    expect(await act(ann.client, give(1_001), id)).toEqual(WAITING);
    const answers = await Promise.all([decide(ben.client, id, 'agree'), decide(ben.client, id, 'refuse')]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await user.balance()).toBe(answers[0].status === 200 ? 1_041 : 40);
  });
});
