import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UserRecord } from '#contract/accounts.ts';
import type { BillingStatus, HeldSubscription } from '#contract/billing.ts';
import type { Language } from '#contract/choices.ts';
import { formatDay } from '#i18n/formats.ts';
import { entriesQuery } from '#web/features/credits/entries-query.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import type { Translate } from '#web/lib/translate.ts';
import { classNames } from '#web/ui/class-names.ts';
import { isOwed } from '../plan-status/plan-status.ts';
import { daysLeft, statusText } from './status-text.ts';

const FREE = { planKey: null, active: false, updatedAt: null, expiresAt: null } as const;

/** Credits, subscription, when it changed last, when it ends, days left, their values in one line. Without a `status`, what the user record has. */
export function StatusPanel({ user, status }: { user: UserRecord; status: BillingStatus | null }) {
  const { t, i18n } = useTranslation('common');
  const { planKey, updatedAt, ...shown } = status ?? user.subscription ?? FREE;
  const expiresAt = isStopped(shown, Date.now()) ? null : shown.expiresAt;
  const day = (time: number) => formatDay(i18n.language, time);
  return (
    <dl className="grid grid-cols-2 gap-x-4 rounded-card border border-line bg-raised p-4 sm:gap-x-8 sm:p-6 lg:grid-cols-5">
      <Entry name={t('subscription.credits')} isWide>
        <span className="headline text-3xl leading-none tabular-nums">
          {user.credits.toLocaleString(languageTag(i18n.language))}
        </span>
      </Entry>
      <Entry name={t('subscription.status')}>{planText(t, i18n.language, user, status)}</Entry>
      <Entry name={t('subscription.updated')}>
        {updatedAt ? day(updatedAt) : t(planKey === null ? 'subscription.freeUpdated' : 'subscription.none')}
      </Entry>
      {planKey === null ? (
        <FreeEnd />
      ) : (
        <>
          <Entry
            name={t(isRenewed(status) ? 'subscription.paidUntil' : 'subscription.expires')}
            note={isRenewed(status) ? t('subscription.expiresRenewed') : undefined}
          >
            {expiresAt ? day(expiresAt) : t('subscription.none')}
          </Entry>
          <Entry name={t('subscription.daysLeft')}>
            {expiresAt
              ? t('subscription.days', { days: daysLeft(expiresAt, Date.now()) })
              : t('subscription.none')}
          </Entry>
        </>
      )}
    </dl>
  );
}

/** Whether the plan that is shown is renewed when it expires. */
function isRenewed(status: BillingStatus | null): boolean {
  const held = status?.active ? heldOf(status) : undefined;
  return held?.renews === true && held.state === 'active';
}

/** The subscription that is shown; undefined where it is over. */
function heldOf({ planKey, cycle, subscriptions }: BillingStatus): HeldSubscription | undefined {
  return subscriptions.find((each) => each.planKey === planKey && each.cycle === cycle);
}

/** Whether a plan ended before what was paid did, because the payment was given back or is under dispute. */
function isStopped(
  { active, expiresAt, state }: { active: boolean; expiresAt: number | null; state?: BillingStatus['state'] },
  now: number,
): boolean {
  if (active) return false;
  return state === 'refunded' || state === 'disputed' || (expiresAt ?? 0) > now;
}

/** Free itself does not end; its Credits do, on the day on which the next ones come. Whoever was given none has none that end. */
function FreeEnd() {
  const { t, i18n } = useTranslation('common');
  const { data } = useInfiniteQuery(entriesQuery(null));
  const newest = data?.pages[0];
  const isWithheld = newest?.freeWithheld !== undefined;
  const nextAt = isWithheld ? undefined : newest?.nextFreeAt;
  const creditsEnd = nextAt
    ? t('subscription.freeCreditsUntil', { date: formatDay(i18n.language, nextAt) })
    : t('subscription.freeCreditsMonthly');
  return (
    <>
      <Entry name={t('subscription.expires')} note={isWithheld ? undefined : creditsEnd}>
        {t('subscription.freeExpires')}
      </Entry>
      <Entry name={t('subscription.daysLeft')} note={nextAt ? t('subscription.freeDaysNote') : '\u00a0'}>
        {nextAt
          ? t('subscription.days', { days: daysLeft(nextAt, Date.now()) })
          : t('subscription.freeDaysLeft')}
      </Entry>
    </>
  );
}

function planText(t: Translate, language: Language, user: UserRecord, status: BillingStatus | null): string {
  const { planKey, cycle, active, state } = status ?? { ...user.subscription, state: null };
  if (!planKey || !cycle) return t('subscription.free');
  const shown = { planKey, cycle, active: active ?? false, state: state ?? (active ? 'active' : 'expired') };
  const held = status ? heldOf(status) : undefined;
  return statusText(t, language, shown, Boolean(status && held && isOwed(status, held)));
}

interface EntryProps {
  name: string;
  /** It takes both columns where there are only two. */
  isWide?: boolean;
  /** Beneath, in small. */
  note?: string | undefined;
  children: ReactNode;
}

function Entry({ name, isWide = false, note, children }: EntryProps) {
  return (
    <div
      className={classNames(
        'row-span-2 grid grid-rows-subgrid items-baseline gap-y-2 max-lg:not-first:mt-5',
        isWide && 'max-lg:col-span-2',
      )}
    >
      <dt className="text-soft text-sm">{name}</dt>
      <dd className="tabular-nums">
        {children}
        {note ? <span className="block text-soft text-sm">{note}</span> : null}
      </dd>
    </div>
  );
}
