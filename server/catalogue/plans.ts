import type { Cycle, PlanKey } from '#contract/billing.ts';
import type { Bilingual, Tier } from '#contract/catalogue.ts';

/** One cycle of a plan. Money is in US cents. */
export interface PlanPrice {
  cycle: Cycle;
  /** What a card shows for a month. */
  monthlyCents: number;
  /** What is charged for the whole cycle. */
  totalCents: number;
  /** Granted for the whole cycle; for Free each month, under either cycle. */
  credits: number;
}

/** One plan of the specification, section 9. */
export interface Plan {
  /** Null: Free, which is not sold. */
  key: PlanKey | null;
  tier: Tier;
  title: Bilingual;
  description: Bilingual;
  prices: readonly [monthly: PlanPrice, annual: PlanPrice];
  includesComputerUse: boolean;
  prioritySupport: boolean;
}

/** Credits of a free month. */
export const FREE_CREDITS = 40;

/** The plans in the order of their cards. */
export const PLANS: readonly Plan[] = [
  {
    key: null,
    tier: 'free',
    title: { zh: '免费版', en: 'Free' },
    description: { zh: '先试试看，随时可以升级。', en: 'Try it, and upgrade any time.' },
    prices: [
      { cycle: 'monthly', monthlyCents: 0, totalCents: 0, credits: FREE_CREDITS },
      { cycle: 'annual', monthlyCents: 0, totalCents: 0, credits: FREE_CREDITS },
    ],
    includesComputerUse: false,
    prioritySupport: false,
  },
  {
    key: 'gemini_basic',
    tier: 'basic',
    title: { zh: '基础版', en: 'Basic' },
    description: { zh: '适合每天使用，模型更多。', en: 'For daily use, with more models.' },
    prices: [
      { cycle: 'monthly', monthlyCents: 690, totalCents: 690, credits: 500 },
      { cycle: 'annual', monthlyCents: 490, totalCents: 490 * 12, credits: 6000 },
    ],
    includesComputerUse: false,
    prioritySupport: false,
  },
  {
    key: 'gemini_pro',
    tier: 'pro',
    title: { zh: '专业版', en: 'Pro' },
    description: {
      zh: '含全部模型和 Computer Use，优先支持。',
      en: 'Every model, Computer Use included, with priority support.',
    },
    prices: [
      { cycle: 'monthly', monthlyCents: 1190, totalCents: 1190, credits: 1500 },
      { cycle: 'annual', monthlyCents: 990, totalCents: 990 * 12, credits: 18_000 },
    ],
    includesComputerUse: true,
    prioritySupport: true,
  },
];
