import { useTranslation } from '#web/lib/i18n.tsx';

/** Says plainly that nothing can be bought here yet. */
export function PurchaseNotice() {
  const { t } = useTranslation('common');
  return (
    <div id="purchase-notice" className="max-w-prose border-warning border-l-2 pl-4">
      <p className="font-medium">{t('pricing.notOpenTitle')}</p>
      <p className="text-soft">{t('pricing.notOpenText')}</p>
    </div>
  );
}
