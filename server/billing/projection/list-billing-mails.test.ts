import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DAY,
  disputeFact,
  orderOf,
  paymentFact,
  refundFact,
  standingAt,
  subscriptionFact,
} from '#test/billing/world.ts';
import { runs } from '#test/runs.ts';
import { addMonths, GRACE_MS } from '../facts/period-rules.ts';
import type { Fact } from '../providers/facts.ts';
import type { BillingOrder } from './link-orders.ts';
import { listBillingMails, nextMailAt } from './list-billing-mails.ts';

const HOUR = DAY / 24;
const T0 = Date.UTC(2027, 4, 1);
const END = addMonths(T0, 1);
const monthly = orderOf('basic', T0);
const annual = orderOf('yearly', T0, { cycle: 'annual' });
const payment = paymentFact(monthly);
const renewal = paymentFact(monthly, { transactionId: 'tran_2', periodStart: new Date(END) });

interface Look {
  order?: BillingOrder;
  endings?: string[];
  wasActive?: boolean;
}

function mailsAt(now: number, facts: readonly Fact[], look: Look = {}): string[] {
  const { order = monthly, endings = [], wasActive = true } = look;
  return listBillingMails(standingAt(now, facts, order, endings), 'user-1', wasActive).map(({ key }) => key);
}

const REMINDER = 'renewal_reminder:creem:basic:2027-05-01';
const FAILED = 'payment_failed:creem:basic:2027-05-01';
const ENDED = 'plan_ended:creem:basic:2027-05-01';

describe('receipts', () => {
  it('are for each charge of the last three days, one by the charge', () => {
    expect(mailsAt(T0 + HOUR, [payment])).toEqual(['receipt:creem:tran_basic']);
    expect(mailsAt(T0 + HOUR, [payment, payment, subscriptionFact(monthly, 'active', T0)])).toHaveLength(1);
    expect(mailsAt(T0 + 3 * DAY, [payment])).toEqual([]);
    expect(mailsAt(END + HOUR, [payment, renewal])).toEqual(['receipt:creem:tran_2']);
  });
});

describe('reminders', () => {
  it.each([
    ['three days before a monthly renewal', END - 3 * DAY, true],
    ['a day later at most', END - 2 * DAY - 1, true],
    ['not earlier', END - 3 * DAY - 1, false],
    ['not later', END - 2 * DAY, false],
  ])('%s', (_, now, isDue) => {
    expect(mailsAt(now, [payment])).toEqual(isDue ? [REMINDER] : []);
  });

  it('come seven days before an annual renewal', () => {
    const end = addMonths(T0, 12);
    const paid = paymentFact(annual);
    expect(mailsAt(end - 7 * DAY, [paid], { order: annual })).toEqual([
      'renewal_reminder:creem:yearly:2027-05-01',
    ]);
    expect(mailsAt(end - 3 * DAY, [paid], { order: annual })).toEqual([]);
  });

  it('come for no plan that is to end, as the provider says or the user asked', () => {
    const now = END - 3 * DAY;
    expect(mailsAt(now, [payment, subscriptionFact(monthly, 'scheduled_cancel', now - DAY)])).toEqual([]);
    expect(mailsAt(now, [payment, subscriptionFact(monthly, 'canceled', now - DAY)])).toEqual([]);
    expect(mailsAt(now, [payment], { endings: ['creem:sub_basic'] })).toEqual([]);
    expect(mailsAt(now, [payment, refundFact(payment, payment.amountMinor)], { wasActive: false })).toEqual(
      [],
    );
  });

  it('are woken by time', () => {
    expect(nextMailAt(standingAt(T0 + HOUR, [payment], monthly))).toBe(END - 3 * DAY);
    expect(nextMailAt(standingAt(END - 3 * DAY, [payment], monthly))).toBe(END + 6 * HOUR);
    const ending = subscriptionFact(monthly, 'scheduled_cancel', T0 + HOUR);
    expect(nextMailAt(standingAt(T0 + DAY, [payment, ending], monthly))).toBeNull();
  });
});

describe('failed payments', () => {
  it('are told when the provider says so, else six hours after the renewal was due', () => {
    expect(mailsAt(END + HOUR, [payment])).toEqual([]);
    expect(mailsAt(END + HOUR, [payment, subscriptionFact(monthly, 'past_due', END + 1)])).toEqual([FAILED]);
    expect(mailsAt(END + 6 * HOUR, [payment])).toEqual([FAILED]);
    expect(mailsAt(END + 6 * HOUR, [payment, renewal])).not.toContain(FAILED);
  });

  it.each(['expired', 'paused', 'canceled', 'scheduled_cancel'] as const)(
    'are told where the provider says so and then “%s”, whenever it does',
    (next) => {
      for (const after of [1, HOUR / 60, HOUR, 2 * HOUR]) {
        const told = [
          payment,
          subscriptionFact(monthly, 'past_due', END + 1),
          subscriptionFact(monthly, next, END + after),
        ];
        expect([after, mailsAt(END + 2 * HOUR, told)]).toEqual([after, [FAILED]]);
      }
    },
  );

  it('what the provider said of an earlier renewal does not count', () => {
    expect(mailsAt(END + HOUR, [payment, subscriptionFact(monthly, 'past_due', T0 + DAY)])).toEqual([]);
  });

  it('are not told where the end was asked for', () => {
    expect(mailsAt(END + 6 * HOUR, [payment], { endings: ['creem:sub_basic'] })).toEqual([]);
  });
});

describe('ends', () => {
  const over = END + GRACE_MS;
  const cancelled = subscriptionFact(monthly, 'canceled', T0 + DAY);

  it.each<[string, number, Fact[]]>([
    ['a grace that ran out', over, [payment]],
    ['a cancelled plan that ran out', END, [payment, cancelled]],
    ['a refund', T0 + 5 * DAY, [payment, refundFact(payment, payment.amountMinor)]],
    ['a dispute', T0 + 5 * DAY, [payment, disputeFact('tran_basic')]],
  ])('%s ends the plan, which is told once it was usable', (_, now, facts) => {
    expect(mailsAt(now, facts)).toEqual([ENDED]);
    expect(mailsAt(now, facts, { wasActive: false })).toEqual([]);
  });

  it('a purchase that is given back at once is told, whatever was heard first', () => {
    const mails = mailsAt(T0 + HOUR, [payment, refundFact(payment, payment.amountMinor)], {
      wasActive: false,
    });
    expect(mails).toEqual(['receipt:creem:tran_basic', ENDED]);
  });

  it('an end that was learnt days later is history', () => {
    expect(mailsAt(over + 4 * DAY, [payment])).toEqual([]);
  });
});

it('order and repetition of what was told make no other mail', () => {
  const facts: Fact[] = [
    payment,
    renewal,
    subscriptionFact(monthly, 'active', T0 + HOUR),
    subscriptionFact(monthly, 'past_due', END + HOUR),
    refundFact(renewal, renewal.amountMinor),
    subscriptionFact(monthly, 'canceled', END + DAY),
  ];
  const orders = fc.shuffledSubarray([...facts, ...facts], { minLength: 12 });
  const times = fc.integer({ min: T0, max: addMonths(T0, 3) });
  fc.assert(
    fc.property(orders, times, fc.boolean(), (told, now, wasActive) => {
      expect(mailsAt(now, told, { wasActive })).toEqual(mailsAt(now, facts, { wasActive }));
    }),
    { numRuns: runs(1_000) },
  );
});
