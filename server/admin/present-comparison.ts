import type { Comparison } from '#server/billing/compare-order.ts';
import { compareProjections, writeDifference } from './billing-records/compare-projections.ts';
import { textOfFact } from './billing-records/present-fact.ts';
import type { Section } from './present-sections.ts';

/** What the provider reports of an order beside what we have, and what would change. */
export function presentComparison(comparison: Comparison): Section[] {
  const { order, answered } = comparison;
  const differences = compareProjections(comparison);
  return [
    {
      title: '订单 Order',
      rows: [
        {
          id: order.id,
          provider: order.provider,
          plan: order.planKey,
          cycle: order.cycle,
          status: order.status,
          checkout: order.checkoutId,
          created: order.createdAt,
          paid: order.paidAt,
        },
      ],
    },
    {
      title: '支付平台的回答 The provider says now',
      rows: answered.map(({ fact, isKnown }) => ({
        known: isKnown ? '已知 yes' : '新 new',
        kind: fact.kind,
        fact: textOfFact(fact),
      })),
    },
    {
      title: '差别 Differences',
      rows: differences.map((difference) => ({
        change: difference.change === 'gone' ? '- 现有 ours' : '+ 将有 then',
        what: writeDifference(difference),
      })),
    },
    differences.length === 0
      ? '一致，没有差别。They agree.'
      : '有差别。加 --apply --reason … 可采纳。They differ; --apply --reason … takes it over.',
  ];
}
