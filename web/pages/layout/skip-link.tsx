import { useTranslation } from '#web/lib/i18n.tsx';

/** The first stop of the keyboard: leads past what stands above the page's content. */
export function SkipLink() {
  const { t } = useTranslation('common');
  return (
    <a
      href="#main"
      className="absolute top-2 left-2 z-50 -translate-y-20 rounded-control bg-ink px-4 py-2 text-paper focus:translate-y-0 print:hidden"
    >
      {t('nav.skip')}
    </a>
  );
}
