import { useTranslation } from 'react-i18next';

export default function ApiPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} api</h1>;
}
