import { useTranslation } from 'react-i18next';

export default function RegisterPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} register</h1>;
}
