import { useTranslation } from 'react-i18next';

export default function PricingPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} pricing</h1>;
}
