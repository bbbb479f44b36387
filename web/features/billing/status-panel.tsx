import { plans } from 'virtual:plans';
import type { ReactNode } from 'react';
import type { UserRecord } from '#contract/accounts.ts';
import type { Subscription } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import { daysLeft } from './days-left.ts';

/** Credits, subscription, when it changed last, when it ends, days left. */
export function StatusPanel({ user }: { user: UserRecord }) {
  const { t, i18n } = useTranslation('common');
  const { subscription } = user;
  const now = Date.now();
  const dates = new Intl.DateTimeFormat(languageTag(i18n.language), { dateStyle: 'long' });
  const dateOf = (time: number | null | undefined) => (time ? dates.format(time) : t('subscription.none'));
  const expiresAt = subscription?.expiresAt;
  return (
    <dl className="grid gap-x-8 gap-y-6 rounded-card border border-line bg-raised p-6 sm:grid-cols-2 lg:grid-cols-5">
      <Entry name={t('subscription.credits')}>
        <span className="headline text-3xl tabular-nums">{user.credits}</span>
      </Entry>
      <Entry name={t('subscription.status')}>{useStatusText(subscription, now)}</Entry>
      <Entry name={t('subscription.updated')}>{dateOf(subscription?.updatedAt)}</Entry>
      <Entry name={t('subscription.expires')}>{dateOf(expiresAt)}</Entry>
      <Entry name={t('subscription.daysLeft')}>
        {expiresAt ? t('subscription.days', { days: daysLeft(expiresAt, now) }) : t('subscription.none')}
      </Entry>
    </dl>
  );
}

function useStatusText(subscription: Subscription | null, now: number): string {
  const { t, i18n } = useTranslation('common');
  const plan = plans.find(({ key }) => subscription !== null && key === subscription.planKey);
  if (!subscription || !plan) return t('subscription.free');
  const title = plan.title[i18n.language];
  const usable = subscription.active && (subscription.expiresAt === null || subscription.expiresAt > now);
  if (!usable) return t('subscription.expired', { plan: title });
  return t('subscription.active', { plan: title, cycle: t(`subscription.cycle.${subscription.cycle}`) });
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <dt className="text-soft text-sm">{name}</dt>
      <dd className="mt-auto tabular-nums">{children}</dd>
    </div>
  );
}
