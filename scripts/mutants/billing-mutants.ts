/** One mistake: texts of files in server/billing, each of which stands there once, and what replaces them. */
export interface Mutant {
  name: string;
  changes: { file: string; from: string; to: string }[];
}

const isDisputed = 'const isDisputed = book.disputes.has(paymentKey);\n    const target';

/** Mistakes that others shipped (the first five) or that would cost money here. The suite must notice each of them. */
export const MUTANTS: readonly Mutant[] = [
  one('the last arrival wins', 'merge-facts.ts', 'return order > 0 ? left : right;', 'return right;'),
  {
    name: 'one grant per event',
    changes: [
      {
        file: 'merge-facts.ts',
        from: 'function mergePayment(book: Draft, provider: Provider, fact: PaymentFact): void {',
        to: 'function mergePayment(book: Draft, provider: Provider, event: PaymentFact): void {\n  const fact = { ...event, transactionId: [event.transactionId, book.payments.size].join() };',
      },
      {
        file: 'project-grants.ts',
        from: 'if (grants.has(sourceKey)) {',
        to: 'if (grants.has(paymentKey)) {',
      },
      { file: 'project-grants.ts', from: 'grants.set(sourceKey, {', to: 'grants.set(paymentKey, {' },
    ],
  },
  one(
    'refunds are added up',
    'merge-facts.ts',
    'Math.max(known?.refunded ?? 0, refunded)',
    '(known?.refunded ?? 0) + refunded',
  ),
  one(
    'a dispute is added to a refund',
    'project-grants.ts',
    'isDisputed ? order.credits : refundTarget(',
    '(isDisputed ? order.credits : 0) + refundTarget(',
  ),
  one(
    'cancelling takes credits back',
    'project-grants.ts',
    isDisputed,
    isDisputed.replace(
      '(paymentKey);',
      "(paymentKey) || [...book.subscriptions.values()].some((each) => each.snapshot?.status === 'canceled');",
    ),
  ),
  one('facts of the other world count', 'merge-facts.ts', 'fact.mode !== mode', 'false'),
  one('any amount pays', 'link-orders.ts', "(isLess || !isPrice) ? 'other_amount'", "false ? 'other_amount'"),
  one('any user pays', 'link-orders.ts', "return 'other_user'", 'return null'),
  one('a guess grants', 'merge-facts.ts', "fact.match === 'told' ? fact : null", 'fact'),
  one('a pending refund counts', 'merge-facts.ts', "fact.status === 'succeeded' ?", 'true ?'),
  one(
    'a plan lasts one moment longer',
    'project-subscriptions.ts',
    'now < accessUntil',
    'now <= accessUntil',
  ),
  one(
    'a late renewal has no grace',
    'project-subscriptions.ts',
    'renews && !lastRefunded ? graceMs : 0',
    '0',
  ),
  one(
    'a refund leaves the plan',
    'project-subscriptions.ts',
    'disputed || standing.length === 0 ? null',
    'disputed ? null',
  ),
  one(
    'a dispute leaves the plan',
    'project-subscriptions.ts',
    'disputed || standing.length',
    'standing.length',
  ),
  one(
    'the old plan goes on renewing',
    'project-cancellations.ts',
    'if (newest && isNewer(newest, each))',
    'if (false)',
  ),
  one('short months run over', 'rules.ts', 'Math.min(start.getUTCDate(), lastDay)', 'start.getUTCDate()'),
  one(
    'months are those of the host',
    'rules.ts',
    'first.setUTCMonth(start.getUTCMonth()',
    'first.setMonth(start.getMonth()',
  ),
  one('a refund is rounded down', 'rules.ts', 'Math.ceil(', 'Math.floor('),
];

function one(name: string, file: string, from: string, to: string): Mutant {
  return { name, changes: [{ file, from, to }] };
}
