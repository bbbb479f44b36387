import { type FormEvent, useRef, useState } from 'react';
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/limits.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { type FieldErrors, passwordProblem } from './check-registration.ts';
import { focusFirstError } from './focus-first-error.ts';
import { PasswordField } from './password-field.tsx';
import { reachProblem } from './sign-in.ts';

type Fields = 'current' | 'password' | 'confirmation' | 'form';

/** Changes the password; every other browser is signed out then. `onChanged` reloads what shows them. */
export function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation('common');
  const formRef = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors<Fields>>({});
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const say = (key: TextKey | undefined) => key && t(key, { max: PASSWORD_MAX });

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    const found = checkForm(data);
    setErrors(found);
    setDone(false);
    if (Object.keys(found).length > 0) return focusFirstError(formRef.current);
    setBusy(true);
    try {
      const body = {
        currentPassword: String(data.get('current')),
        newPassword: String(data.get('password')),
      };
      await callApi('/api/me/password', { method: 'POST', body });
      form.reset();
      setDone(true);
      onChanged();
    } catch (error) {
      setErrors(problemOf(error));
      focusFirstError(formRef.current);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form ref={formRef} noValidate onSubmit={submit} className="flex max-w-md flex-col gap-4">
      <PasswordField
        label={t('profile.currentPassword')}
        name="current"
        autoComplete="current-password"
        error={say(errors.current)}
      />
      <PasswordField
        label={t('profile.newPassword')}
        name="password"
        autoComplete="new-password"
        hint={t('account.passwordHint', { min: PASSWORD_MIN })}
        error={say(errors.password)}
      />
      <PasswordField
        label={t('account.confirmation')}
        name="confirmation"
        autoComplete="new-password"
        error={say(errors.confirmation)}
      />
      <FieldError>{say(errors.form)}</FieldError>
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" variant="secondary" busy={busy}>
          {t('profile.changePassword')}
        </Button>
        <p role="status" className="text-soft text-sm">
          {done ? t('profile.passwordChanged') : ''}
        </p>
      </div>
    </form>
  );
}

function checkForm(data: FormData): FieldErrors<Fields> {
  const tooBad = passwordProblem(String(data.get('password')));
  const differs = data.get('password') !== data.get('confirmation');
  return {
    ...(data.get('current') ? {} : { current: 'account.passwordMissing' }),
    ...(tooBad ? { password: tooBad } : {}),
    ...(differs ? { confirmation: 'account.passwordMismatch' } : {}),
  };
}

function problemOf(error: unknown): FieldErrors<Fields> {
  if (error instanceof ApiError && error.code === 'invalid_credentials')
    return { current: 'profile.wrongPassword' };
  return { form: reachProblem(error) ?? 'profile.notSaved' };
}
