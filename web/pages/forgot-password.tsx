import { useTranslation } from 'react-i18next';

export default function ForgotPasswordPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} forgot-password</h1>;
}
