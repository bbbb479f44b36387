import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { RegisterForm } from '#web/features/accounts/register/register-form.tsx';
import { GoogleSignIn } from '#web/features/accounts/sign-in/google-sign-in.tsx';
import { signInOptionsQuery } from '#web/features/accounts/sign-in/sign-in-options.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { RichText } from '#web/ui/text/rich-text.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { KeptQuestion } from './kept-question.tsx';

export default function RegisterPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const [search] = useSearchParams();
  const { data: options } = useQuery(signInOptionsQuery);
  const toLogin = (text: string) => (
    <Link
      to={{ pathname: pathTo('login'), search: search.toString() }}
      className="font-medium underline underline-offset-4"
    >
      {text}
    </Link>
  );
  return (
    <>
      <PageHead page="register" />
      <AuthLayout title={t('account.registerTitle')}>
        <div className="border-edge border-l-2 pl-4">
          <p className="font-semibold text-lg">{t('account.registerBanner')}</p>
          <p className="text-soft text-sm">
            {t(options?.creditsWait ? 'account.registerBannerWait' : 'account.registerBannerNote')}
          </p>
        </div>
        <KeptQuestion />
        <RegisterForm />
        <p className="text-sm">
          <RichText text={t('account.toLogin')} parts={{ link: toLogin }} />
        </p>
        <GoogleSignIn purpose="sign-up" />
      </AuthLayout>
    </>
  );
}
