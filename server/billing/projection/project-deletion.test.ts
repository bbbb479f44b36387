import { expect, it } from 'vitest';
import { BEGIN, orderOf, paymentFact, refundFact } from '#test/billing/world.ts';
import { mergeFacts } from '../facts/merge-facts.ts';
import { GRACE_MS } from '../facts/period-rules.ts';
import { EMPTY_SNAPSHOT } from '../facts/provider-snapshot.ts';
import { linkOrders } from './link-orders.ts';
import { projectBilling } from './project-billing.ts';
import { projectDeletion } from './project-deletion.ts';

it('a second charge for a refunded period gives nothing back to a deleted account, and is owed', () => {
  const order = orderOf('order-1', BEGIN);
  const first = paymentFact(order, { transactionId: 'tran_1' });
  const second = paymentFact(order, { transactionId: 'tran_2' });
  const snapshot = mergeFacts(EMPTY_SNAPSHOT, {
    ...{ provider: 'creem', mode: 'test' },
    facts: [first, refundFact(first, first.amountMinor), second],
  });
  const living = projectBilling(snapshot, [order], { now: BEGIN, graceMs: GRACE_MS });
  expect(living.revocations).toMatchObject([{ revokeTarget: 0, mayFall: true }]);

  const { paid } = linkOrders(snapshot, [order]);
  const deleted = projectDeletion(living, snapshot, paid, new Set(['creem:tran_1']));
  expect(deleted.revocations).toMatchObject([{ revokeTarget: 0, mayFall: false }]);
  expect(deleted.quarantine).toMatchObject([{ subject: 'tran_2', reason: 'account_deleted' }]);
});
