import { useTranslation } from '#web/lib/i18n.tsx';

export default function ApiPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} api</h1>;
}
