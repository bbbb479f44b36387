import { useTranslation } from '#web/lib/i18n.tsx';

/** Stands between a form and the other ways in. */
export function OrDivider() {
  const { t } = useTranslation('common');
  return (
    <p className="flex items-center gap-4 text-soft text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {t('google.or')}
    </p>
  );
}
