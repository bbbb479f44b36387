import { Link, useSearchParams } from 'react-router';
import { useSecondStep } from '#web/features/accounts/second-step/use-second-step.ts';
import { GoogleSignIn, OrDivider } from '#web/features/accounts/sign-in/google-sign-in.tsx';
import { LoginForm } from '#web/features/accounts/sign-in/login-form.tsx';
import { SignInByPasskey } from '#web/features/accounts/sign-in/sign-in-by-passkey.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Spinner } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { RichText } from '#web/ui/text/rich-text.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { KeptQuestion } from './kept-question.tsx';

export default function LoginPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const [search] = useSearchParams();
  const { step, Form, problem, begin, leave } = useSecondStep();
  const toRegister = (text: string) => (
    <Link
      to={{ pathname: pathTo('register'), search: search.toString() }}
      className="font-medium underline underline-offset-4"
    >
      {text}
    </Link>
  );
  return (
    <>
      <PageHead page="login" />
      {step ? (
        <AuthLayout title={t('secondStep.title')} key="second">
          {Form ? <Form step={step} onBack={leave} /> : <Spinner />}
        </AuthLayout>
      ) : (
        <AuthLayout title={t('account.loginTitle')} key="first">
          <KeptQuestion />
          <FieldError>{problem && t(problem)}</FieldError>
          <LoginForm onSecondStep={begin} />
          <p className="text-sm">
            <RichText text={t('account.toRegister')} parts={{ link: toRegister }} />
          </p>
          <OrDivider />
          <div className="flex flex-col gap-3">
            <SignInByPasskey />
            <GoogleSignIn purpose="sign-in" />
          </div>
        </AuthLayout>
      )}
    </>
  );
}
