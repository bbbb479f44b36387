import { useTranslation } from '#web/lib/i18n.tsx';

/** Informs a visitor without scripts that this part of the product needs them. */
export function NeedsScript() {
  const { t } = useTranslation('common');
  return (
    <noscript>
      <p className="text-soft">{t('account.needsScript')}</p>
    </noscript>
  );
}
