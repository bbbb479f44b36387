import { useTranslation } from 'react-i18next';

export default function HomePage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} home</h1>;
}
