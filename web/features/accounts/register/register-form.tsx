import { type FormEvent, useRef, useState } from 'react';
import { MAX_PASSWORD } from '#contract/limits.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { useCaptcha } from '../captcha/use-captcha.tsx';
import { checkRegistration, type FieldErrors, type Registration } from '../form/check-registration.ts';
import { EmailField } from '../form/email-field.tsx';
import { NewPasswordFields } from '../form/new-password-fields.tsx';
import { useIsResting } from '../form/one-at-a-time.tsx';
import { useAfterSignIn } from '../sign-in/use-after-sign-in.ts';
import { signUp, signUpProblem } from './sign-up.ts';
import { TermsCheckbox } from './terms-checkbox.tsx';

function readRegistration(form: HTMLFormElement): Registration {
  const data = new FormData(form);
  return {
    email: String(data.get('email')),
    password: String(data.get('password')),
    confirmation: String(data.get('confirmation')),
    agreed: data.has('agreed'),
  };
}

/** Email, password twice and the terms; leads on when the account is made. */
export function RegisterForm() {
  const { t } = useTranslation('common');
  const formRef = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors<keyof Registration | 'form'>>({});
  const [busy, setBusy] = useState(false);
  const goOn = useAfterSignIn();
  const isResting = useIsResting(busy);
  const { asHuman, captcha } = useCaptcha();
  const say = (key: TextKey | undefined) => key && t(key, { max: MAX_PASSWORD });

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || isResting) return;
    const form = event.currentTarget;
    const read = () => {
      const registration = readRegistration(form);
      const found = checkRegistration(registration);
      setErrors(found);
      if (Object.keys(found).length === 0) return registration;
      focusFirstError(form);
      return null;
    };
    if (!read()) return;
    setBusy(true);
    try {
      // What is corrected while a question waits counts.
      const isIn = await asHuman(async (proof) => {
        const registration = read();
        if (registration) await signUp(registration, proof);
        return registration !== null;
      });
      if (isIn) await goOn();
    } catch (error) {
      const { field, text } = signUpProblem(error);
      setErrors({ [field]: text });
      focusFirstError(formRef.current);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form ref={formRef} method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <EmailField error={errors.email} />
      <NewPasswordFields
        label={t('account.password')}
        required
        errors={{ password: say(errors.password), confirmation: say(errors.confirmation) }}
      />
      <TermsCheckbox error={say(errors.agreed)} />
      {captcha}
      <FieldError>{say(errors.form)}</FieldError>
      <Button type="submit" busy={busy} disabled={isResting} className="w-full">
        {t(busy ? 'account.registerBusy' : 'account.registerSubmit')}
      </Button>
    </form>
  );
}
