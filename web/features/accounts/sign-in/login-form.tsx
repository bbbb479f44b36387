import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import type { FieldErrors } from '../form/check-registration.ts';
import { EmailField } from '../form/email-field.tsx';
import { useIsResting } from '../form/one-at-a-time.tsx';
import { PasswordField } from '../form/password-field.tsx';
import { signIn, signInProblem } from './sign-in.ts';
import { useAfterSignIn } from './use-after-sign-in.ts';
import { useSignInChallenge } from './use-sign-in-challenge.tsx';

interface LoginFormProps {
  /** The password was right, and the account asks for more. */
  onSecondStep: (step: NonNullable<Awaited<ReturnType<typeof signIn>>>) => void;
}

/** Email, password and remember-me; leads on when the server agrees. */
export function LoginForm({ onSecondStep }: LoginFormProps) {
  const { t } = useTranslation('common');
  const formRef = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors<'email' | 'password'>>({});
  const [problem, setProblem] = useState<TextKey | null>(null);
  const [busy, setBusy] = useState(false);
  const goOn = useAfterSignIn();
  const isResting = useIsResting(busy);
  const { asHuman, captcha, refused, link, isWaiting } = useSignInChallenge(() => setProblem(null));

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || isResting) return;
    const data = new FormData(event.currentTarget);
    const email = String(data.get('email'));
    const password = String(data.get('password'));
    const missing: typeof errors = {
      ...(email.trim() ? {} : { email: 'account.emailMissing' }),
      ...(password ? {} : { password: 'account.passwordMissing' }),
    };
    setErrors(missing);
    setProblem(null);
    if (Object.keys(missing).length > 0) return focusFirstError(formRef.current);
    setBusy(true);
    try {
      const credentials = { email, password, rememberMe: data.has('rememberMe') };
      const step = await asHuman((proof) => signIn(credentials, proof));
      if (step) onSecondStep(step);
      else await goOn();
    } catch (error) {
      setProblem(signInProblem(error));
      refused(error, email);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form ref={formRef} method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <EmailField error={errors.email} />
      <PasswordField
        label={t('account.password')}
        name="password"
        autoComplete="current-password"
        required
        error={errors.password && t(errors.password)}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Checkbox label={t('account.rememberMe')} name="rememberMe" defaultChecked />
        <Link to="/forgot-password" className="text-sm underline underline-offset-4">
          {t('account.forgotPassword')}
        </Link>
      </div>
      {captcha}
      <FieldError>{problem && t(problem)}</FieldError>
      {link}
      <Button
        type="submit"
        variant={isWaiting ? 'secondary' : 'primary'}
        busy={busy}
        disabled={isResting}
        className="w-full"
      >
        {t(busy ? 'account.loginBusy' : 'account.loginSubmit')}
      </Button>
    </form>
  );
}
