import { PROVIDERS, type Provider } from '#contract/choices.ts';
import type { Scene } from './scene.ts';

/** Where a life must end, worked out by hand from the specification. Days are of UTC. */
export interface End {
  /** The plan that is shown, where it stands, and the last day that is paid. */
  plan: string;
  /** Of each order by its name. */
  orders: Record<string, string>;
  /** One line for each period that was paid: the order, its last day, and what is left of the credits it was granted. */
  credits: readonly string[];
}

export interface Life {
  name: string;
  providers: readonly Provider[];
  /** What happens and when. */
  acts: readonly (readonly [at: string, act: (scene: Scene) => unknown])[];
  /** When the end is looked at. */
  judgedAt: string;
  end: End;
  /** The plan may also stand so: the server ended a subscription when the only charge it knew of was given back. */
  endedPlan?: string;
  /** The last day of a period that nobody told and that is counted from a later charge than the first, and the day that it stands for. */
  laterDay?: readonly [later: string, day: string];
  /** Webhooks without which no one can know: no answer of the provider reports it as well. */
  onlyTold?: RegExp;
}

const ENDED_WITH_FEBRUARY = 'gemini_basic scheduled_cancel 2028-02-29';
const BASIC_UNTIL_FEBRUARY: End = {
  plan: 'gemini_basic active 2028-02-29',
  orders: { a: 'paid' },
  credits: ['a 2028-02-29 500/500'],
};

/** Whole lives of a purchase; every price and share in `end` is from the price list: Basic 6.90 for 500 a month, Pro 11.90 for 1,500. */
export const LIVES: readonly Life[] = [
  {
    name: 'bought and renewed',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-02-29T09:30:03Z', (scene) => scene.renew('a')],
      ['2028-03-31T09:30:03Z', (scene) => scene.renew('a')],
    ],
    judgedAt: '2028-04-02T00:00:00Z',
    end: {
      plan: 'gemini_basic active 2028-04-30',
      orders: { a: 'paid' },
      credits: ['a 2028-02-29 500/500', 'a 2028-03-31 500/500', 'a 2028-04-30 500/500'],
    },
  },
  {
    name: 'bought again after the end',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-02-10T12:00:00Z', (scene) => scene.end('a')],
      ['2028-03-05T18:00:00Z', (scene) => scene.buy('b')],
    ],
    judgedAt: '2028-03-10T00:00:00Z',
    end: {
      plan: 'gemini_basic active 2028-04-05',
      orders: { a: 'paid', b: 'paid' },
      credits: ['a 2028-02-29 500/500', 'b 2028-04-05 500/500'],
    },
  },
  {
    name: 'bought again after cancelling, before the end',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-02-10T12:00:00Z', (scene) => scene.end('a')],
      ['2028-02-20T18:00:00Z', (scene) => scene.buy('b')],
    ],
    judgedAt: '2028-02-25T00:00:00Z',
    end: {
      plan: 'gemini_basic active 2028-03-20',
      orders: { a: 'paid', b: 'paid' },
      credits: ['a 2028-02-29 500/500', 'b 2028-03-20 500/500'],
    },
  },
  {
    name: 'charged twice for one period, one given back',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-01-31T09:31:00Z', (scene) => scene.chargeAgain('a')],
      ['2028-02-02T12:00:00Z', (scene) => scene.refund('a', 0)],
    ],
    judgedAt: '2028-02-03T00:00:00Z',
    end: BASIC_UNTIL_FEBRUARY,
    endedPlan: ENDED_WITH_FEBRUARY,
  },
  {
    name: 'charged twice for one period, the other one given back',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-01-31T09:31:00Z', (scene) => scene.chargeAgain('a')],
      ['2028-02-02T12:00:00Z', (scene) => scene.refund('a', 1)],
    ],
    judgedAt: '2028-02-03T00:00:00Z',
    end: BASIC_UNTIL_FEBRUARY,
    endedPlan: ENDED_WITH_FEBRUARY,
  },
  {
    name: 'charged twice for one period, both given back',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-01-31T09:31:00Z', (scene) => scene.chargeAgain('a')],
      ['2028-02-02T12:00:00Z', (scene) => scene.refund('a', 0)],
      ['2028-02-03T12:00:00Z', (scene) => scene.refund('a', 1)],
    ],
    judgedAt: '2028-02-04T00:00:00Z',
    end: {
      plan: 'gemini_basic refunded 2028-02-29',
      orders: { a: 'refunded' },
      credits: ['a 2028-02-29 0/500'],
    },
  },
  {
    name: 'paid in two tabs, one given back',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-01-31T09:31:00Z', (scene) => scene.payAgain('a')],
      ['2028-02-02T12:00:00Z', (scene) => scene.refund('a', 0)],
    ],
    judgedAt: '2028-02-03T00:00:00Z',
    end: BASIC_UNTIL_FEBRUARY,
    endedPlan: ENDED_WITH_FEBRUARY,
  },
  {
    name: 'given back in two parts',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a', 'gemini_pro')],
      ['2028-02-02T12:00:00Z', (scene) => scene.refund('a', 0, 300)],
      ['2028-02-05T12:00:00Z', (scene) => scene.refund('a', 0, 295)],
    ],
    judgedAt: '2028-02-07T00:00:00Z',
    end: {
      plan: 'gemini_pro active 2028-02-29',
      orders: { a: 'paid' },
      credits: ['a 2028-02-29 750/1500'],
    },
  },
  {
    name: 'given back in part, then a part that takes its time',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a', 'gemini_pro')],
      ['2028-02-02T12:00:00Z', (scene) => scene.refund('a', 0, 300)],
      ['2028-02-05T12:00:00Z', (scene) => scene.beginRefund('a', 0, 295)],
      ['2028-02-06T12:00:00Z', (scene) => scene.finishRefund('a', 0, 295)],
    ],
    judgedAt: '2028-02-07T00:00:00Z',
    end: {
      plan: 'gemini_pro active 2028-02-29',
      orders: { a: 'paid' },
      credits: ['a 2028-02-29 750/1500'],
    },
  },
  {
    name: 'half is given back, and the list tells another amount than the webhooks',
    providers: ['bagelpay'],
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a', 'gemini_pro')],
      ['2028-02-01T12:00:00Z', (scene) => scene.misstate('a', 0, 1250)],
      ['2028-02-02T12:00:00Z', (scene) => scene.refund('a', 0, 595)],
    ],
    judgedAt: '2028-02-03T00:00:00Z',
    onlyTold: /^(checkout\.completed|subscription\.paid) /,
    end: {
      plan: 'gemini_pro active 2028-02-29',
      orders: { a: 'paid' },
      credits: ['a 2028-02-29 750/1500'],
    },
  },
  {
    name: 'declined, then paid on the same page',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.order('a')],
      ['2028-01-31T09:30:20Z', (scene) => scene.decline('a')],
      ['2028-01-31T09:31:00Z', (scene) => scene.pay('a')],
    ],
    judgedAt: '2028-02-01T00:00:00Z',
    end: BASIC_UNTIL_FEBRUARY,
  },
  {
    name: 'Basic replaced by Pro',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-02-10T12:00:00Z', (scene) => scene.buy('b', 'gemini_pro')],
      ['2028-02-10T12:01:00Z', (scene) => scene.end('a')],
    ],
    judgedAt: '2028-02-12T00:00:00Z',
    end: {
      plan: 'gemini_pro active 2028-03-10',
      orders: { a: 'paid', b: 'paid' },
      credits: ['a 2028-02-29 500/500', 'b 2028-03-10 1500/1500'],
    },
  },
  {
    name: 'plan switched at the provider',
    providers: ['creem'],
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-02-15T12:00:00Z', (scene) => scene.switchPlan('a', 'prod_pro_monthly')],
      ['2028-02-29T09:30:03Z', (scene) => scene.renew('a')],
    ],
    judgedAt: '2028-03-02T00:00:00Z',
    end: {
      plan: 'gemini_pro active 2028-03-31',
      orders: { a: 'paid' },
      credits: ['a 2028-02-29 500/500', 'a 2028-03-31 1500/1500'],
    },
  },
  {
    name: 'past due and recovered',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-02-29T09:30:03Z', (scene) => scene.failRenewal('a')],
      ['2028-03-03T09:30:00Z', (scene) => scene.renew('a')],
    ],
    judgedAt: '2028-03-04T00:00:00Z',
    end: {
      plan: 'gemini_basic active 2028-03-31',
      orders: { a: 'paid' },
      credits: ['a 2028-02-29 500/500', 'a 2028-03-31 500/500'],
    },
  },
  {
    name: 'cancelled, resumed and ended',
    providers: ['creem'],
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-02-05T12:00:00Z', (scene) => scene.scheduleEnd('a')],
      ['2028-02-06T12:00:00Z', (scene) => scene.resume('a')],
      ['2028-02-20T12:00:00Z', (scene) => scene.scheduleEnd('a')],
      ['2028-02-29T09:30:00Z', (scene) => scene.end('a')],
    ],
    judgedAt: '2028-03-02T00:00:00Z',
    end: {
      plan: 'gemini_basic expired 2028-02-29',
      orders: { a: 'paid' },
      credits: ['a 2028-02-29 500/500'],
    },
  },
  {
    name: 'renewed, cancelled and ended',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-02-29T09:30:03Z', (scene) => scene.renew('a')],
      ['2028-03-10T12:00:00Z', (scene) => scene.end('a')],
    ],
    judgedAt: '2028-04-02T00:00:00Z',
    end: {
      plan: 'gemini_basic expired 2028-03-31',
      orders: { a: 'paid' },
      credits: ['a 2028-02-29 500/500', 'a 2028-03-31 500/500'],
    },
  },
  {
    name: 'given back in part, then disputed and lost',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-02-29T09:30:03Z', (scene) => scene.renew('a')],
      ['2028-03-02T12:00:00Z', (scene) => scene.refund('a', 1, 230)],
      ['2028-03-05T12:00:00Z', (scene) => scene.dispute('a', 1)],
    ],
    judgedAt: '2028-03-10T00:00:00Z',
    onlyTold: /^checkout\.cancel /,
    end: {
      plan: 'gemini_basic disputed 2028-03-31',
      orders: { a: 'disputed' },
      credits: ['a 2028-02-29 500/500', 'a 2028-03-31 0/500'],
    },
  },
  {
    name: 'disputed and won',
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T09:30:00Z', (scene) => scene.buy('a')],
      ['2028-02-05T12:00:00Z', (scene) => scene.dispute('a', 0)],
      ['2028-02-20T12:00:00Z', (scene) => scene.winDispute('a', 0)],
    ],
    judgedAt: '2028-02-21T00:00:00Z',
    onlyTold: /^(checkout\.cancel|dispute\.created) /,
    end: {
      plan: 'gemini_basic disputed 2028-02-29',
      orders: { a: 'disputed' },
      credits: ['a 2028-02-29 0/500'],
    },
  },
  {
    name: 'a year from a leap day, renewed on the first of March',
    providers: PROVIDERS,
    acts: [
      ['2028-02-29T23:59:58Z', (scene) => scene.buy('a', 'gemini_basic', 'annual')],
      ['2029-03-01T00:00:01Z', (scene) => scene.renew('a')],
    ],
    judgedAt: '2029-03-05T00:00:00Z',
    end: {
      plan: 'gemini_basic active 2030-02-28',
      orders: { a: 'paid' },
      credits: ['a 2029-02-28 6000/6000', 'a 2030-02-28 6000/6000'],
    },
  },
  {
    name: "from a month's last second, renewed on the first",
    providers: PROVIDERS,
    acts: [
      ['2028-01-31T23:59:58Z', (scene) => scene.buy('a')],
      ['2028-03-01T00:00:01Z', (scene) => scene.renew('a')],
      ['2028-04-01T00:00:01Z', (scene) => scene.renew('a')],
    ],
    judgedAt: '2028-04-02T00:00:00Z',
    end: {
      plan: 'gemini_basic active 2028-04-30',
      orders: { a: 'paid' },
      credits: ['a 2028-02-29 500/500', 'a 2028-03-31 500/500', 'a 2028-04-30 500/500'],
    },
  },
  {
    name: 'charged twice around midnight',
    providers: PROVIDERS,
    laterDay: ['2029-02-01', '2029-01-31'],
    acts: [
      ['2028-01-31T23:59:58Z', (scene) => scene.buy('a', 'gemini_pro', 'annual')],
      ['2028-02-01T00:00:01Z', (scene) => scene.chargeAgain('a')],
    ],
    judgedAt: '2028-02-03T00:00:00Z',
    end: {
      plan: 'gemini_pro active 2029-01-31',
      orders: { a: 'paid' },
      credits: ['a 2029-01-31 18000/18000'],
    },
  },
];

/** An end in the days of its life, unless both days stand in it: then something was granted twice. */
export function inDaysOf({ laterDay }: Life, end: End): End {
  if (!laterDay || end.credits.some((line) => line.includes(laterDay[1]))) return end;
  const said = (line: string) => line.replace(...laterDay);
  return { ...end, plan: said(end.plan), credits: end.credits.map(said) };
}
