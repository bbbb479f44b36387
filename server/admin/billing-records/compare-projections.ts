import type { Difference } from '#contract/admin/order-facts.ts';
import type { Comparison } from '#server/billing/compare-order.ts';
import type { BillingProjection } from '#server/billing/projection/project-billing.ts';

/** What is compared, before it is known which side has it. */
type Line = Difference extends infer One ? Omit<One, 'change'> : never;

/** What would change if what the provider says were taken over. */
export function compareProjections({ before, after }: Pick<Comparison, 'before' | 'after'>): Difference[] {
  const left = linesOf(before);
  const right = linesOf(after);
  const of = (change: Difference['change'], lines: Map<string, Line>, others: Map<string, Line>) =>
    [...lines].flatMap(([key, line]) => (others.has(key) ? [] : [{ ...line, change } as Difference]));
  return [...of('gone', left, right), ...of('new', right, left)];
}

/** One difference in a line of English, for the command line. */
export function writeDifference(line: Difference): string {
  switch (line.what) {
    case 'order':
      return `order ${line.orderId} ${line.status}`;
    case 'subscription':
      return `subscription ${line.subscriptionId} ${line.state} renews=${line.renews} paid until ${textOf(line.paidUntil)}`;
    case 'grant':
      return `grant ${line.paymentKey} ${line.credits} until ${textOf(line.endsAt)}`;
    case 'revocation':
      return `take back ${line.paymentKey} ${line.credits} (${line.reason})`;
    case 'set_aside':
      return `set aside ${line.subject} (${line.reason})`;
  }
}

/** Equal lines have equal keys. */
function linesOf({ orders, subscriptions, grants, revocations, quarantine }: BillingProjection) {
  const lines: Line[] = [
    ...orders.map(({ orderId, status }) => ({ what: 'order', orderId, status }) as const),
    ...subscriptions.map(
      ({ subscriptionId, state, renews, paidUntil }) =>
        ({ what: 'subscription', subscriptionId, state, renews, paidUntil }) as const,
    ),
    ...grants.map(
      ({ paymentKey, amount, expiresAt }) =>
        ({ what: 'grant', paymentKey, credits: amount, endsAt: expiresAt.getTime() }) as const,
    ),
    ...revocations.map(
      ({ paymentKey, revokeTarget, reason }) =>
        ({ what: 'revocation', paymentKey, credits: revokeTarget, reason }) as const,
    ),
    ...quarantine.map(({ subject, reason }) => ({ what: 'set_aside', subject, reason }) as const),
  ];
  return new Map(lines.map((line) => [JSON.stringify(line), line]));
}

function textOf(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString();
}
