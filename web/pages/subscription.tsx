import { useTranslation } from 'react-i18next';

export default function SubscriptionPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} subscription</h1>;
}
