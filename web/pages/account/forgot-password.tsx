import { useState } from 'react';
import { Link } from 'react-router';
import { ForgotForm } from '#web/features/accounts/reset/forgot-form.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { EmailText } from '../layout/email-text.tsx';
import { AuthLayout } from './auth-layout.tsx';

export default function ForgotPasswordPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const [sendsMail, setSendsMail] = useState(true);
  return (
    <>
      <PlainPageHead page="forgot-password" />
      <AuthLayout always title={t('forgot.title')}>
        {sendsMail ? (
          <ForgotForm onNoMail={() => setSendsMail(false)} />
        ) : (
          <p role="alert">
            <EmailText text="forgot.text" />
          </p>
        )}
        <Link to={pathTo('login')} className="text-sm underline underline-offset-4">
          {t('forgot.back')}
        </Link>
      </AuthLayout>
    </>
  );
}
