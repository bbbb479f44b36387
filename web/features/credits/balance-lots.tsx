import type { CreditLot } from '#contract/credits.ts';
import { formatDay } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';

/** The balance, and what of it ends when: where all of it ends on one day, only the day. */
export function BalanceLots({ balance, lots }: { balance: number; lots: readonly CreditLot[] }) {
  const { t, i18n } = useTranslation('common');
  const tag = languageTag(i18n.language);
  const days = byDay(lots, i18n.language);
  return (
    <dl className="mb-10 flex flex-wrap items-start gap-x-12 gap-y-5 tabular-nums">
      <div className="flex flex-col gap-2">
        <dt className="text-soft text-sm">{t('statement.balanceNow')}</dt>
        <dd className="headline text-4xl leading-none">
          {t('credits.amount', { amount: balance.toLocaleString(tag) })}
        </dd>
      </div>
      {days.length > 0 ? (
        <div className="flex flex-col gap-2 text-sm">
          <dt className="text-soft">{t('statement.lots')}</dt>
          {days.map(({ day, credits }, place) => (
            <dd key={day} className={place === 0 ? 'beside-amount' : undefined}>
              {days.length === 1 ? day : t('statement.lot', { credits: credits.toLocaleString(tag), day })}
            </dd>
          ))}
        </div>
      ) : null}
    </dl>
  );
}

function byDay(lots: readonly CreditLot[], language: Parameters<typeof formatDay>[0]) {
  const days = new Map<string, number>();
  for (const { credits, expiresAt } of lots) {
    const day = formatDay(language, expiresAt);
    days.set(day, (days.get(day) ?? 0) + credits);
  }
  return [...days].map(([day, credits]) => ({ day, credits }));
}
