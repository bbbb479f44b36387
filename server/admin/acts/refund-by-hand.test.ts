import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Act, ActPreview } from '#contract/admin/acts.ts';
import type { AuditScreen, UserScreen } from '#contract/admin/screens.ts';
import { act, read, send } from '#test/admin/console.ts';
import { openPeople, type Person } from '#test/admin/people.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { stopPolling, stopReviews } from '#test/billing/stop-asking.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { resumeRefunds } from './refund-by-hand.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ env: { OPERATOR_REFUND_LIMIT: '2000' } });
  await stopReviews(shop.sql);
});
afterAll(() => shop.close());

let ann: Person;
let ben: Person;
let user: Person;
beforeEach(async () => {
  [ann, ben, user] = await openPeople(shop);
});

const decide = (client: TestClient, id: string, decision: 'agree' | 'refuse') =>
  send(client, `/api/admin/proposals/${id}`, { decision });
const DONE = { status: 200, state: 'done' };
const WAITING = { status: 200, state: 'waiting' };

describe('a refund', () => {
  const charged = async (): Promise<Act> => {
    await user.buy('creem');
    await stopPolling(shop.sql, user.userId);
    const { charges } = await read<UserScreen>(ann.client, `/api/admin/users/${user.userId}`);
    return { act: 'refund', userId: user.userId, paymentKey: charges[0]?.paymentKey ?? '' };
  };

  it('of a charge of which no amount is known needs a second operator', async () => {
    const refund = await charged();
    await shop.sql`
      update billing.facts set fact = fact || '{"amountMinor": null, "netMinor": null}' where user_id = ${user.userId} and kind = 'payment'`;
    expect(await act(ann.client, refund)).toEqual(WAITING);
  });

  it('is asked for once at a time, whoever asks and under whatever id', async () => {
    const refund = await charged();
    const answers = await Promise.all([ann, ben, ann, ben].map(({ client }) => act(client, refund)));
    expect(answers.filter(({ state }) => state === 'done')).toHaveLength(1);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const lines = await shop.sql`select from billing.audit where act = 'refund' and user_id = ${user.userId}`;
    expect(lines.count).toBe(1);
  });

  const FAILED = { status: 502, code: 'payment_provider_failed' };
  const transactionOf = (refund: Act) =>
    'paymentKey' in refund ? (refund.paymentKey.split(':')[1] ?? '') : '';
  /** How often the provider gave it back. */
  const given = async (refund: Act) => {
    const { refunds } = await shop.creem.control.ledger();
    return refunds.filter(({ transactionId }) => transactionId === transactionOf(refund)).length;
  };
  const left = async () => {
    const { charges } = await read<UserScreen>(ann.client, `/api/admin/users/${user.userId}`);
    return (charges[0]?.paid?.minor ?? 0) - (charges[0]?.refundedMinor ?? 0);
  };
  /** As the job does, after some minutes. */
  async function resume(minutes = 4) {
    await shop.moveDays(minutes / 1_440);
    await resumeRefunds(shop.app.deps);
  }

  it('that its provider could not make is made by itself once it can, and once', async () => {
    const refund = await charged();
    const id = randomUUID();
    await shop.creem.control.apiFault({ match: 'refunds', status: 500 });
    expect(await act(ann.client, refund, id)).toEqual(FAILED);
    expect(await act(ben.client, refund)).toEqual({ status: 409, code: 'act_under_way' });
    await resumeRefunds(shop.app.deps);
    expect([await given(refund), await left()]).toEqual([0, 690]);
    await resume();
    expect([await given(refund), await left()]).toEqual([1, 0]);
    await resume();
    expect(await act(ann.client, refund, id)).toEqual(DONE);
    expect(await given(refund)).toBe(1);
    await expectNoDrift(shop.sql, user.userId);
  });

  it('whose answer was lost after it was made is not made again', async () => {
    const refund = await charged();
    await shop.creem.control.apiFault({ match: 'refunds', kind: 'reset' });
    expect(await act(ann.client, refund)).toEqual(FAILED);
    await shop.creem.control.act('refund', { transaction: transactionOf(refund) });
    await shop.creem.control.apiFault({ match: 'refunds', status: 500, times: null });
    await resume();
    await shop.creem.control.clearFaults();
    expect([await given(refund), await left()]).toEqual([1, 0]);
  });

  it('that was noted when its process ended is made by one of the others, whoever asks besides', async () => {
    const refund = await charged();
    const id = randomUUID();
    await shop.sql`
      insert into billing.audit (act_id, operator_id, actor, act, user_id, subject, reason, details, at)
      values (${id}, ${ann.userId}, ${ann.email}, 'refund', ${user.userId}, ${`creem:${transactionOf(refund)}`}, 'because',
              ${JSON.stringify({ act: refund, minor: 690 })}::text::jsonb, ${shop.clock.now()})`;
    await resumeRefunds(shop.app.deps);
    expect(await given(refund)).toBe(0);
    await shop.moveDays(4 / 1_440);
    const [again, another] = await Promise.all([
      act(ann.client, refund, id),
      act(ben.client, refund),
      resumeRefunds(shop.app.deps),
      resumeRefunds(shop.app.deps),
    ]);
    expect([200, 409]).toContain(again.status);
    expect(another.status).toBe(409);
    expect([await given(refund), await left()]).toEqual([1, 0]);
    await expectNoDrift(shop.sql, user.userId);
  });

  it('that its provider refuses is not asked for again and counts no more; one that may yet be made counts', async () => {
    const charge = async (person: Person): Promise<Act> => {
      await person.buy('creem', 'gemini_pro');
      const { charges } = await read<UserScreen>(ann.client, `/api/admin/users/${person.userId}`);
      return { act: 'refund', userId: person.userId, paymentKey: charges[0]?.paymentKey ?? '' };
    };
    const [one, other] = [await charge(user), await charge(await shop.buyer())];
    const needsSecondOperator = async () =>
      ((await (await ann.client.post('/api/admin/acts/preview', { act: other })).json()) as ActPreview)
        .needsSecondOperator;
    const id = randomUUID();
    await shop.creem.control.apiFault({ match: 'refunds', status: 400, message: 'Insufficient balance' });
    expect(await act(ann.client, one, id)).toEqual(FAILED);
    expect(await needsSecondOperator()).toBe(false);
    expect(await act(ann.client, one, id)).toEqual(FAILED);
    await resume();
    expect(await given(one)).toBe(0);
    const { lines } = await read<AuditScreen>(ann.client, `/api/admin/audit?userId=${user.userId}`);
    expect(lines).toMatchObject([
      { act: 'refund_failed', actor: ann.email, details: { actId: id, error: 'Insufficient balance' } },
      { act: 'refund' },
    ]);
    await shop.creem.control.apiFault({ match: 'refunds', status: 500 });
    expect(await act(ann.client, one)).toEqual(FAILED);
    expect(await needsSecondOperator()).toBe(true);
    await resume();
    expect(await given(one)).toBe(1);
    expect(await needsSecondOperator()).toBe(true);
  });

  it('that an operator agreed to is made by itself as well', async () => {
    const refund = await charged();
    await shop.sql`
      update billing.facts set fact = fact || '{"amountMinor": null, "netMinor": null}' where user_id = ${user.userId} and kind = 'payment'`;
    const id = randomUUID();
    expect(await act(ann.client, refund, id)).toEqual(WAITING);
    await shop.creem.control.apiFault({ match: 'refunds', status: 500 });
    expect(await decide(ben.client, id, 'agree')).toEqual(FAILED);
    await resume();
    expect(await given(refund)).toBe(1);
    expect(await decide(ben.client, id, 'agree')).toEqual(DONE);
    expect(await given(refund)).toBe(1);
  });

  it('that its provider has no call for leaves no line', async () => {
    await user.buy('bagelpay');
    const { charges } = await read<UserScreen>(ann.client, `/api/admin/users/${user.userId}`);
    const paymentKey = charges[0]?.paymentKey ?? '';
    expect(await act(ann.client, { act: 'refund', userId: user.userId, paymentKey })).toEqual({
      status: 503,
      code: 'not_configured',
    });
    expect((await shop.sql`select from billing.audit where user_id = ${user.userId}`).count).toBe(0);
  });
});
