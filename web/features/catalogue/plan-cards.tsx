import { plans as allPlans, type PlanWithModels } from 'virtual:plans';
import type { ReactNode } from 'react';
import type { Cycle } from '#contract/billing.ts';
import { PlanCard } from './plan-card.tsx';

interface PlanCardsProps {
  cycle: Cycle;
  /** Which plans are shown; all without it. */
  plans?: readonly PlanWithModels[];
  /** What stands at the foot of a card. */
  renderAction?: (plan: PlanWithModels) => ReactNode;
}

/** The plans side by side, lined up row by row. */
export function PlanCards({ cycle, plans = allPlans, renderAction }: PlanCardsProps) {
  return (
    <ul className="grid gap-4 md:auto-cols-fr md:grid-flow-col md:grid-rows-[repeat(5,auto)] md:gap-y-0">
      {plans.map((plan) => (
        <PlanCard key={plan.tier} plan={plan} cycle={cycle} action={renderAction?.(plan)} />
      ))}
    </ul>
  );
}
