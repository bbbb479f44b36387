import { useTranslation } from 'react-i18next';

export default function FeaturesPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} features</h1>;
}
