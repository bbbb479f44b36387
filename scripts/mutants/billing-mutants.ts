/** One mistake: texts of files in server/billing, each of which stands there once, and what replaces them. */
export interface Mutant {
  name: string;
  changes: { file: string; from: string; to: string }[];
}

const isDisputed = 'const isDisputed = snapshot.disputes.has(paymentKey);';

/** Mistakes that others shipped (the first five) or that would cost money here. The suite must notice each of them. */
export const MUTANTS: readonly Mutant[] = [
  one('the last arrival wins', 'facts/merge-facts.ts', 'return order > 0 ? left : right;', 'return right;'),
  {
    name: 'one grant per event',
    changes: [
      {
        file: 'facts/merge-facts.ts',
        from: 'function mergePayment(snapshot: Draft, provider: Provider, fact: PaymentFact): void {',
        to: 'function mergePayment(snapshot: Draft, provider: Provider, event: PaymentFact): void {\n  const fact = { ...event, transactionId: [event.transactionId, snapshot.payments.size].join() };',
      },
      {
        file: 'projection/project-grants.ts',
        from: 'made.length > 0 ? made : group.charges.slice(0, 1)',
        to: 'group.charges',
      },
    ],
  },
  one(
    'refunds are added up',
    'facts/merge-facts.ts',
    'Math.max(known?.total ?? 0, refunded ?? 0)',
    '(known?.total ?? 0) + (refunded ?? 0)',
  ),
  one(
    'a dispute is added to a refund',
    'projection/project-loss.ts',
    'isDisputed || isRefunded ? order.credits : refundTarget(',
    '(isDisputed ? order.credits : 0) + refundTarget(',
  ),
  one(
    'cancelling takes credits back',
    'projection/project-loss.ts',
    isDisputed,
    isDisputed.replace(
      '(paymentKey);',
      "(paymentKey) || [...snapshot.subscriptions.values()].some((each) => each.latest?.status === 'canceled');",
    ),
  ),
  one('facts of the other world count', 'facts/merge-facts.ts', 'fact.mode !== mode', 'false'),
  one(
    'any amount pays',
    'projection/recognise-payment.ts',
    'amount >= priceMinor && (amount === priceMinor || net === priceMinor)',
    'amount >= 0',
  ),
  one('any user pays', 'projection/recognise-payment.ts', "? 'other_user' : null", '? null : null'),
  {
    name: 'a guess grants',
    changes: [
      { file: 'facts/merge-facts.ts', from: "match === 'inferred' ? null : fact", to: 'fact' },
      { file: 'facts/merge-facts.ts', from: "match === 'told' ? fact.orderId : null", to: 'fact.orderId' },
    ],
  },
  one('a pending refund counts', 'facts/merge-facts.ts', "fact.status === 'succeeded' ?", 'true ?'),
  one(
    'a plan lasts one moment longer',
    'projection/project-subscriptions.ts',
    'now < accessUntil',
    'now <= accessUntil',
  ),
  one(
    'a late renewal has no grace',
    'projection/project-subscriptions.ts',
    '(renews || hasLapsed) && !lastRefunded ? graceMs : 0',
    '0',
  ),
  one(
    'a refund leaves the plan',
    'projection/project-subscriptions.ts',
    'disputed || standing.length === 0 ? null',
    'disputed ? null',
  ),
  one(
    'a dispute leaves the plan',
    'projection/project-subscriptions.ts',
    'disputed || standing.length',
    'standing.length',
  ),
  one(
    'the old plan goes on renewing',
    'projection/project-cancellations.ts',
    'if (newest && isNewer(newest, each))',
    'if (false)',
  ),
  one(
    'short months run over',
    'facts/period-rules.ts',
    'Math.min(start.getUTCDate(), lastDay)',
    'start.getUTCDate()',
  ),
  one(
    'months are those of the host',
    'facts/period-rules.ts',
    'first.setUTCMonth(start.getUTCMonth()',
    'first.setMonth(start.getMonth()',
  ),
  one('a refund is rounded down', 'facts/period-rules.ts', 'Math.ceil(', 'Math.floor('),
  one(
    'likeness outweighs the id of the order',
    'projection/recognise-payment.ts',
    'if (payment.orderIds.length > 0) return [...ownIds(payment.orderIds)];',
    '',
  ),
  one(
    'a subscription belongs to every order that a charge of it names',
    'projection/link-subscriptions.ts',
    '!named.has(key) && !bound.has(key)',
    'true',
  ),
  one(
    'a contradiction takes the plan away',
    'projection/recognise-payment.ts',
    "if (typeof paid === 'string') return refuse(paid, orderId);",
    "if (typeof paid === 'string') return refuse(paid, orderId);\n  if (isContradictory(payment)) return refuse('contradictory', orderId);",
  ),
  one(
    'what was booked is forgotten',
    'projection/recognise-payment.ts',
    'world.booked.get(keyOf(payment))',
    'world.booked.get(null)',
  ),
  one(
    'a claw-back goes by what was reported last',
    'projection/recognise-payment.ts',
    'amount: Math.min(...amounts)',
    'amount: Math.max(...payment.sums.map((sum) => sum.amount))',
  ),
  one(
    'one refund of two charges takes the period back',
    'projection/project-grants.ts',
    'Math.min(...losses.map(',
    'Math.max(...losses.map(',
  ),
  one(
    'what was taken back never comes back',
    'projection/project-grants.ts',
    'const mayFall = charges.length > 1;',
    'const mayFall = false;',
  ),
  one(
    'one refund of two charges ends the plan',
    'projection/merge-periods.ts',
    'if (!losses.every(isLost))',
    'if (!losses.some(isLost))',
  ),
  one(
    'midnight divides a period',
    'projection/merge-periods.ts',
    'charge.start - each.start < SAME_PERIOD_MS',
    'Math.floor(charge.start / 86_400_000) === Math.floor(each.start / 86_400_000)',
  ),
  one(
    'two charges of one period are two grants',
    'projection/merge-periods.ts',
    'charge.start - each.start < SAME_PERIOD_MS',
    'false',
  ),
  one(
    'a switched plan is granted as it was ordered',
    'projection/recognise-payment.ts',
    '{ ...order, ...offer }, true)',
    '{ ...order, ...offer, credits: order.credits }, true)',
  ),
  one('refunds reported one by one count as one', 'facts/merge-facts.ts', 'Math.max(total, sum)', 'total'),
  one(
    'a pending refund after another one is forgotten',
    'projection/project-questions.ts',
    'if (isWaiting && refunded < announced) return true;',
    '',
  ),
  one(
    'a late renewal runs from the day it is paid',
    'facts/period-rules.ts',
    'return { start: startOf(index), end: startOf(index + 1) };',
    'return { start: paidAt, end: addMonths(paidAt, MONTHS[cycle]) };',
  ),
  one(
    'a first charge that failed is waited for',
    'projection/project-billing.ts',
    'const subscriptions = all.filter(({ isFailing }) => !isFailing);',
    'const subscriptions = all;',
  ),
  one(
    'what fails is charged beside a later purchase',
    'projection/project-cancellations.ts',
    'setAside === null && !isFailing',
    'setAside === null',
  ),
  one(
    'a renewal for nothing that was refunded is charged again',
    'projection/project-subscriptions.ts',
    'setAsideOf(snapshot, listAfter(unpaying, last))',
    'null',
  ),
  one(
    'what ended unpaid is waited for',
    'projection/project-subscriptions.ts',
    "['canceled', 'expired', 'past_due', 'unpaid', 'paused']",
    "['canceled', 'expired']",
  ),
];

function one(name: string, file: string, from: string, to: string): Mutant {
  return { name, changes: [{ file, from, to }] };
}
