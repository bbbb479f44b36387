import { useTranslation } from '#web/lib/i18n.tsx';

export default function ForgotPasswordPage() {
  const { t } = useTranslation('common');
  return <h1>{t('page.forgot-password.title')}</h1>;
}
