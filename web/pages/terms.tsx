import { useTranslation } from '#web/lib/i18n.tsx';

export default function TermsPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} terms</h1>;
}
