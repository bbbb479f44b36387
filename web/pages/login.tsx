import { Link, useSearchParams } from 'react-router';
import { GoogleEntrance } from '#web/features/accounts/google-entrance.tsx';
import { LoginForm } from '#web/features/accounts/login-form.tsx';
import { OrDivider } from '#web/features/accounts/or-divider.tsx';
import { SignInByPasskey } from '#web/features/accounts/sign-in-by-passkey.tsx';
import { useSecondStep } from '#web/features/accounts/use-second-step.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { FieldError } from '#web/ui/field-error.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { Entrance } from './layout/entrance.tsx';

export default function LoginPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const [search] = useSearchParams();
  const { step, Form, isOver, begin, leave } = useSecondStep();
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
        <Entrance title={t('secondStep.title')} key="second">
          {Form ? <Form step={step} onBack={leave} /> : <Spinner />}
        </Entrance>
      ) : (
        <Entrance title={t('account.loginTitle')} key="first">
          <FieldError>{isOver ? t('errors.second_step_over') : null}</FieldError>
          <LoginForm onSecondStep={begin} />
          <p className="text-sm">
            <RichText text={t('account.toRegister')} parts={{ link: toRegister }} />
          </p>
          <OrDivider />
          <SignInByPasskey />
          <GoogleEntrance purpose="sign-in" />
        </Entrance>
      )}
    </>
  );
}
