import type { Comparison } from '#server/billing/compare-order.ts';
import type { BillingProjection } from '#server/billing/projection/project-billing.ts';
import { presentFact } from './present-fact.ts';
import type { Section } from './present-sections.ts';

/** What the provider reports of an order beside what we have, and what would change. */
export function presentComparison({ order, answered, before, after }: Comparison): Section[] {
  const differences = differencesOf(before, after);
  return [
    {
      title: '订单 Order',
      rows: [
        {
          ...{
            id: order.id,
            provider: order.provider,
            plan: order.planKey,
            cycle: order.cycle,
            status: order.status,
          },
          ...{ checkout: order.checkoutId, created: order.createdAt, paid: order.paidAt },
        },
      ],
    },
    {
      title: '服务商现在说 The provider says now',
      rows: answered.map(({ fact, isKnown }) => ({
        known: isKnown ? '已知 yes' : '新 new',
        kind: fact.kind,
        fact: presentFact(fact),
      })),
    },
    { title: '差别 Differences', rows: differences },
    differences.length === 0
      ? '一致，没有差别。They agree.'
      : '有差别。加 --apply --reason … 可采纳。They differ; --apply --reason … takes it over.',
  ];
}

function differencesOf(before: BillingProjection, after: BillingProjection) {
  const left = linesOf(before);
  const right = linesOf(after);
  const gone = [...left]
    .filter((line) => !right.has(line))
    .map((line) => ({ change: '- 现有 ours', what: line }));
  const added = [...right]
    .filter((line) => !left.has(line))
    .map((line) => ({ change: '+ 将有 then', what: line }));
  return [...gone, ...added];
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
