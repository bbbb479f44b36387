import { useTranslation } from 'react-i18next';

export default function NewsPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} news</h1>;
}
