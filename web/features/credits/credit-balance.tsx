import { usePrices } from '#web/features/catalogue/use-prices.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';

/** The spendable balance as the header shows it; a low one stands out. */
export function CreditBalance({ credits }: { credits: number }) {
  const { t } = useTranslation('common');
  const isLow = credits < usePrices().defaultCost;
  return (
    <span
      title={isLow ? t('credits.low') : undefined}
      className={classNames('whitespace-nowrap text-sm tabular-nums', isLow && 'text-warning')}
    >
      <span className="sr-only">{t('credits.balanceLabel')}</span>
      {isLow ? <span className="sr-only">{t('credits.low')}</span> : null}
      {t('credits.amount', { amount: credits })}
    </span>
  );
}
