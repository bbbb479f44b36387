import { plans as allPlans, type PlanWithModels } from 'virtual:plans';
import type { ReactNode } from 'react';
import type { Cycle } from '#contract/billing.ts';
import { PlanCard } from './plan-card.tsx';

interface PlanCardsProps {
  /** The heading of a card, one below the heading above the cards. */
  headingLevel: 'h2' | 'h3';
  cycle: Cycle;
  /** Which plans are shown; all without it. */
  plans?: readonly PlanWithModels[];
  /** On phones the cards count their models and do not name them: where another page does. */
  isBrief?: boolean;
  /** A word beside the name of a card, by its plan and its place from 0. */
  renderBadge?: (plan: PlanWithModels, place: number) => ReactNode;
  /** The way in, beneath the price. */
  renderAction?: (plan: PlanWithModels) => ReactNode;
}

/** The plans side by side, lined up row by row. */
export function PlanCards({
  plans = allPlans,
  isBrief = false,
  renderBadge,
  renderAction,
  ...card
}: PlanCardsProps) {
  return (
    <ul className="grid gap-4 md:auto-cols-fr md:grid-flow-col md:grid-rows-[repeat(8,auto)] md:gap-y-0">
      {plans.map((plan, place) => (
        <PlanCard
          key={plan.tier}
          {...card}
          plan={plan}
          before={plans[place - 1]}
          isBrief={isBrief}
          badge={renderBadge?.(plan, place)}
          action={renderAction?.(plan)}
        />
      ))}
    </ul>
  );
}
