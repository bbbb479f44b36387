import { useTranslation } from '#web/lib/i18n.tsx';

/** The spendable balance as the header shows it. */
export function CreditBalance({ credits }: { credits: number }) {
  const { t } = useTranslation('common');
  return (
    <span className="whitespace-nowrap text-sm tabular-nums">
      <span className="sr-only">{t('credits.balanceLabel')}</span>
      {t('credits.amount', { amount: credits })}
    </span>
  );
}
