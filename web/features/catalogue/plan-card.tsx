import type { PlanWithModels } from 'virtual:plans';
import { defaultModelTitle } from 'virtual:site';
import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Cycle } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatCharge, formatMonthly, formatSaving, messagesFor, planOffer } from './plan-price.ts';
import { usePrices } from './use-prices.ts';

const ICON = {
  'aria-hidden': true,
  size: 16,
  strokeWidth: 1.5,
  className: 'mt-0.5 shrink-0 text-soft',
} as const;

interface PlanCardProps {
  plan: PlanWithModels;
  /** The card before: what has all of its models says so and names the others. */
  before: PlanWithModels | undefined;
  /** On a phone it counts its models and does not name them. */
  isBrief: boolean;
  cycle: Cycle;
  headingLevel: 'h2' | 'h3';
  badge: ReactNode;
  action: ReactNode;
}

/** One plan: name, price, what the year costs and saves, the way in, what it holds. */
export function PlanCard({
  plan,
  before,
  isBrief,
  cycle,
  headingLevel: Heading,
  badge,
  action,
}: PlanCardProps) {
  const { t, i18n } = useTranslation('common');
  const offer = planOffer(plan, cycle);
  return (
    <li className="grid gap-y-3 rounded-card border border-line bg-raised p-5 sm:gap-y-4 sm:p-6 md:row-span-8 md:grid-rows-subgrid">
      <div>
        <Heading className="flex items-baseline justify-between gap-3 font-semibold text-lg">
          {plan.title[i18n.language]}
          {badge ? <span className="font-normal text-soft text-sm">{badge}</span> : null}
        </Heading>
        <p className="text-soft text-sm">{plan.description[i18n.language]}</p>
      </div>
      <p className="flex items-baseline gap-1.5">
        <span className="headline text-4xl tabular-nums">{formatMonthly(offer.monthlyUSD)}</span>
        <span className="text-soft text-sm">{t('plan.perMonth')}</span>
      </p>
      <div className="text-soft text-sm md:min-h-11 tabular-nums">
        <PriceNote plan={plan} cycle={cycle} />
      </div>
      {action === undefined ? null : <div>{action}</div>}
      <PlanContents plan={plan} before={before} isBrief={isBrief} cycle={cycle} />
    </li>
  );
}

function PriceNote({ plan, cycle }: Pick<PlanCardProps, 'plan' | 'cycle'>) {
  const { t, i18n } = useTranslation('common');
  const offer = planOffer(plan, cycle);
  if (plan.key === null) return <p>{t('plan.freeNote')}</p>;
  if (cycle === 'monthly') return <p>{t('plan.monthlyNote')}</p>;
  return (
    <>
      <p>{t('plan.annualTotal', { total: formatCharge(i18n.language, offer.totalUSD) })}</p>
      <p className="text-success">
        {t('plan.annualSaved', {
          saved: formatSaving(i18n.language, offer.savedUSD),
          percent: offer.savedPercent,
        })}
      </p>
    </>
  );
}

interface Row {
  key: string;
  has: boolean;
  text: string;
  /** Beneath it, a line each. */
  more?: readonly string[];
}

function PlanContents({
  plan,
  before,
  isBrief,
  cycle,
}: Omit<PlanCardProps, 'headingLevel' | 'badge' | 'action'>) {
  const { t, i18n } = useTranslation('common');
  const { credits } = planOffer(plan, cycle);
  const { defaultCost } = usePrices();
  const byYear = cycle === 'annual' && plan.key !== null;
  const messages = messagesFor(credits, defaultCost);
  const rows: Row[] = [
    {
      key: 'credits',
      has: true,
      text: t(byYear ? 'plan.creditsAnnual' : 'plan.creditsMonthly', { credits }),
      more: [t('plan.messages', { messages, model: defaultModelTitle[i18n.language] })],
    },
    useModelRow(plan, before),
    {
      key: 'computer',
      has: plan.includesComputerUse,
      text: t(plan.includesComputerUse ? 'plan.computerUse' : 'plan.noComputerUse'),
    },
    {
      key: 'support',
      has: plan.prioritySupport,
      text: t(plan.prioritySupport ? 'plan.prioritySupport' : 'plan.noPrioritySupport'),
    },
  ];
  return (
    <ul className="grid gap-y-3 border-line border-t pt-4 text-sm md:row-span-4 md:grid-rows-subgrid">
      {rows.map(({ key, has, text, more = [] }) => (
        <li key={key} className={classNames('flex gap-2', !has && 'text-soft')}>
          {has ? <Check {...ICON} /> : <Minus {...ICON} />}
          <div className="min-w-0">
            {text}
            {more.map((line) => (
              <span
                key={line}
                className={classNames('block text-soft', isBrief && key === 'models' && 'max-md:hidden')}
              >
                {line}
              </span>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** How many models a plan has, and which: beside a card with fewer, that all of those are in it, and the others. */
function useModelRow(plan: PlanWithModels, before: PlanWithModels | undefined): Row {
  const { t, i18n } = useTranslation('common');
  const { isOffered } = usePrices();
  const offered = plan.models.filter(({ id }) => isOffered(id));
  const ids = new Set(offered.map(({ id }) => id));
  const base = before?.models.filter(({ id }) => isOffered(id)) ?? [];
  const isBeyond = before !== undefined && base.every(({ id }) => ids.has(id));
  const named = isBeyond ? offered.filter(({ id }) => !base.some((model) => model.id === id)) : offered;
  return {
    key: 'models',
    has: true,
    text: t('plan.models', { count: offered.length }),
    more: [
      ...(isBeyond ? [t('plan.modelsBeyond', { plan: before.title[i18n.language] })] : []),
      ...named.map(({ title }) => title[i18n.language]),
    ],
  };
}
