import { useTranslation } from 'react-i18next';

export default function ModelsPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} models</h1>;
}
