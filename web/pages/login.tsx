import { useTranslation } from 'react-i18next';

export default function LoginPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} login</h1>;
}
