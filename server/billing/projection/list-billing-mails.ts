import type { Cycle } from '#contract/billing.ts';
import { DAY_MS, dayOf, HOUR_MS } from '#contract/time.ts';
import type { MailParams } from '#server/platform/mail/mail-queue.ts';
import type { ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { PaidPeriod } from './link-orders.ts';
import { isReplaced } from './project-cancellations.ts';
import { hasRenewalFailed, isLive, type ProjectedSubscription } from './project-subscriptions.ts';
import type { ProjectedWish } from './project-wish.ts';

/** How long before a renewal its reminder goes out. */
const REMINDER_MS: Record<Cycle, number> = { monthly: 3 * DAY_MS, annual: 7 * DAY_MS };
/** A reminder that could not go out within this time does not go out. */
const REMINDER_LATE_MS = DAY_MS;
/** A renewal that is unknown this long after its time counts as failed, unless the provider says so earlier. */
const RENEWAL_FAILED_MS = 6 * HOUR_MS;
/** Older events were learnt late: the server sends no mail about them. */
const RECENT_MS = 3 * DAY_MS;

/** The state of a user's purchases at one moment. */
export interface Standing {
  snapshot: ProviderSnapshot;
  /** The subscriptions, the shown one first. */
  subscriptions: readonly ProjectedSubscription[];
  paid: readonly PaidPeriod[];
  /** The charges (`paymentKey`) that granted Credits. */
  granting: ReadonlySet<string>;
  /** Subscriptions (`provider:id`) whose end is wanted and not confirmed. */
  endings: ReadonlyMap<string, unknown>;
  /** The lower plan that follows the present one. */
  wish?: ProjectedWish | null;
  /** Now, in epoch milliseconds. */
  now: number;
}

export interface BillingMail {
  template: 'receipt' | 'renewal_reminder' | 'payment_failed' | 'plan_ended' | 'downgrade_offer';
  /** The key of the mail: one for each event, in whatever order and number its facts arrive. */
  key: string;
  params: MailParams;
}

/** Why a plan is not usable any more. */
export type EndReason = 'refunded' | 'disputed' | 'unpaid' | 'cancelled';

/** The mails that this state calls for; most of them were sent before. `wasActive`: whether the shown plan was usable until now. */
export function listBillingMails(standing: Standing, userId: string, wasActive: boolean): BillingMail[] {
  const { paid, subscriptions, now } = standing;
  const about = (template: BillingMail['template'], each: ProjectedSubscription): BillingMail => {
    const period = periodKeyOf(standing, each);
    return { template, key: `${template}:${period}`, params: { userId, period } };
  };
  const receipts = paid
    .filter(({ paidAt }) => now - paidAt < RECENT_MS)
    .map(({ paymentKey }): BillingMail => {
      return { template: 'receipt', key: `receipt:${paymentKey}`, params: { userId, paymentKey } };
    });
  const [shown] = subscriptions;
  return [
    ...receipts,
    ...subscriptions
      .filter((each) => isReminderDue(standing, each))
      .map((each) => about('renewal_reminder', each)),
    ...subscriptions.filter((each) => isOverdue(standing, each)).map((each) => about('payment_failed', each)),
    ...subscriptions
      .filter((each) => isOfferDue(standing, each))
      .map((each) => about('downgrade_offer', each)),
    ...(shown && isEndNews(shown, now, wasActive) ? [about('plan_ended', shown)] : []),
  ];
}

/** When time alone makes a mail due next; null: it does not. */
export function nextMailAt({
  subscriptions,
  wish,
  now,
}: Pick<Standing, 'subscriptions' | 'wish' | 'now'>): number | null {
  const times = subscriptions
    .filter(({ renews }) => renews)
    .flatMap((each) => [reminderAt(each), overdueAt(each)])
    .concat(wish ? [wish.from] : [])
    .filter((time) => time !== null && time > now);
  return times.length > 0 ? Math.min(...times.map(Number)) : null;
}

/** The key of the last paid period of a subscription, refunded or not: `creem:<order>:2026-09-01`. */
export function periodKeyOf({ paid }: Pick<Standing, 'paid'>, { order }: ProjectedSubscription): string {
  const last = lastPaid({ paid }, order.id);
  const start = last ? dayOf(last.start) : 'none';
  return `${order.provider}:${order.id}:${start}`;
}

/** The charge of an order whose period ends last. */
function lastPaid({ paid }: Pick<Standing, 'paid'>, orderId: string): PaidPeriod | null {
  return paid
    .filter(({ order }) => order.id === orderId)
    .reduce<PaidPeriod | null>((last, each) => (last && last.end >= each.end ? last : each), null);
}

/** What the next charge of an order takes, in minor units of its currency: as much as the last one, before that what it was ordered for. */
export function nextAmount(standing: Pick<Standing, 'paid'>, order: ProjectedSubscription['order']): number {
  return lastPaid(standing, order.id)?.amount ?? order.priceMinor;
}

/** Whether its renewal is near, will be charged as far as we know, and it is not too late for the reminder. */
export function isReminderDue(standing: Standing, each: ProjectedSubscription): boolean {
  const { subscriptions, endings, now } = standing;
  const at = reminderAt(each);
  if (at === null || now < at || now >= at + REMINDER_LATE_MS) return false;
  return (
    each.state === 'active' &&
    each.renews &&
    !endings.has(`${each.provider}:${each.subscriptionId}`) &&
    !isReplaced(each, subscriptions, now)
  );
}

/**
 * Whether its renewal is late: the provider reported a failure, whatever followed, or there was no news for some hours. A user who
 * cancelled before is not charged again and expects no renewal.
 */
export function isOverdue({ snapshot, endings, now }: Standing, each: ProjectedSubscription): boolean {
  const { state, provider, subscriptionId, paidUntil } = each;
  const key = `${provider}:${subscriptionId}`;
  if (state !== 'past_due' || paidUntil === null || endings.has(key)) return false;
  const entry = snapshot.subscriptions.get(key);
  if (entry && hasRenewalFailed(entry, paidUntil)) return true;
  return now >= (overdueAt(each) ?? Number.POSITIVE_INFINITY);
}

/** Whether the lower plan that follows this subscription can be paid for now, and the user was not told yet. */
export function isOfferDue({ wish, now }: Standing, { order }: ProjectedSubscription): boolean {
  return wish?.orderId === order.id && now >= wish.from && now < wish.until + RECENT_MS;
}

/** Why a subscription is over; null while it is usable or about to begin. */
export function endReasonOf(each: ProjectedSubscription, now: number): EndReason | null {
  if (isLive(each, now)) return null;
  if (each.state === 'refunded' || each.state === 'disputed') return each.state;
  if (each.state !== 'expired') return null;
  return each.renews || each.hasLapsed ? 'unpaid' : 'cancelled';
}

function isEndNews(shown: ProjectedSubscription, now: number, wasActive: boolean): boolean {
  const reason = endReasonOf(shown, now);
  if (reason === null) return false;
  if (reason === 'refunded' || reason === 'disputed')
    return wasActive || now - (shown.firstPaidAt ?? 0) < RECENT_MS;
  return wasActive && now - (shown.accessUntil ?? 0) < RECENT_MS;
}

function reminderAt({ paidUntil, order }: ProjectedSubscription): number | null {
  return paidUntil === null ? null : paidUntil - REMINDER_MS[order.cycle];
}

function overdueAt({ paidUntil, accessUntil }: ProjectedSubscription): number | null {
  if (paidUntil === null || accessUntil === null || accessUntil <= paidUntil) return null;
  return paidUntil + Math.min(RENEWAL_FAILED_MS, (accessUntil - paidUntil) / 2);
}
