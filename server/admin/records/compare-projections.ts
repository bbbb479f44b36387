import type { Comparison } from '#server/billing/compare-order.ts';
import type { BillingProjection } from '#server/billing/projection/project-billing.ts';

export interface Difference {
  /** `gone`: we have it, and would not by what the provider says; `new`: the other way round. */
  change: 'gone' | 'new';
  text: string;
}

/** What would change if what the provider says were taken over. */
export function compareProjections({ before, after }: Pick<Comparison, 'before' | 'after'>): Difference[] {
  const left = linesOf(before);
  const right = linesOf(after);
  return [
    ...[...left].filter((text) => !right.has(text)).map((text) => ({ change: 'gone' as const, text })),
    ...[...right].filter((text) => !left.has(text)).map((text) => ({ change: 'new' as const, text })),
  ];
}

function linesOf({ orders, subscriptions, grants, revocations, quarantine }: BillingProjection): Set<string> {
  return new Set([
    ...orders.map(({ orderId, status }) => `order ${orderId} ${status}`),
    ...subscriptions.map(
      ({ subscriptionId, state, renews, paidUntil }) =>
        `subscription ${subscriptionId} ${state} renews=${renews} paid until ${textOf(paidUntil)}`,
    ),
    ...grants.map(
      ({ paymentKey, amount, expiresAt }) => `grant ${paymentKey} ${amount} until ${expiresAt.toISOString()}`,
    ),
    ...revocations.map(
      ({ paymentKey, revokeTarget, reason }) => `take back ${paymentKey} ${revokeTarget} (${reason})`,
    ),
    ...quarantine.map(({ subject, reason }) => `set aside ${subject} (${reason})`),
  ]);
}

function textOf(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString();
}
