import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { EmailText } from './layout/email-text.tsx';

export default function ForgotPasswordPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <div className="page flex max-w-md flex-col items-start gap-6 py-12 sm:py-20">
      <PlainPageHead page="forgot-password" />
      <h1 className="headline text-4xl">{t('forgot.title')}</h1>
      <p>
        <EmailText text="forgot.text" />
      </p>
      <Link to={pathTo('login')} className={buttonStyle('secondary')}>
        {t('forgot.back')}
      </Link>
    </div>
  );
}
