import { type FormEvent, useRef, useState } from 'react';
import { MAX_PASSWORD } from '#contract/limits.ts';
import { ApiError, callApi, mayBeDone } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { ConfirmationDismissed, useConfirmation } from '../confirmation/use-confirmation.tsx';
import { type FieldErrors, passwordProblem } from '../form/check-registration.ts';
import { NewPasswordFields } from '../form/new-password-fields.tsx';
import { PasswordField } from '../form/password-field.tsx';
import { reachProblem } from '../sign-in/sign-in.ts';

type Fields = 'current' | 'password' | 'confirmation' | 'form';

interface PasswordFormProps {
  /** False: this sets the first one, for which no current one is asked but a proof that it is the user. */
  hasPassword: boolean;
  onDone: () => void;
  /** Called where it was to set the first one, and there is one already. */
  onFoundSet: () => void;
  /** Missing where it stays open. */
  onCancel?: (() => void) | undefined;
}

/** Changes the password, or sets the first one; every other browser is signed out then. */
export function PasswordForm({ hasPassword, onDone, onFoundSet, onCancel }: PasswordFormProps) {
  const { t } = useTranslation('common');
  const formRef = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors<Fields>>({});
  const [busy, setBusy] = useState(false);
  /** An earlier answer was lost: the password asked for now may be the new one. */
  const wasLost = useRef(false);
  const { confirmed, dialog } = useConfirmation();
  const say = (key: TextKey | undefined) => key && t(key, { max: MAX_PASSWORD });

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const data = new FormData(event.currentTarget);
    const found = checkForm(data, hasPassword);
    setErrors(found);
    if (Object.keys(found).length > 0) return focusFirstError(formRef.current);
    setBusy(true);
    try {
      const newPassword = String(data.get('password'));
      const body = hasPassword
        ? { currentPassword: String(data.get('current')), newPassword }
        : { newPassword };
      await confirmed(() => callApi('/api/me/password', { method: 'POST', body }));
      onDone();
    } catch (error) {
      if (error instanceof ConfirmationDismissed) return;
      const isThere = !hasPassword && isRefused(error);
      const isUnconfirmed = mayBeDone(error) || (wasLost.current && isRefused(error));
      wasLost.current = isUnconfirmed;
      if (isThere) setErrors({ form: 'signIns.passwordThere' });
      else setErrors(isUnconfirmed ? { form: 'profile.passwordUnconfirmed' } : problemOf(error));
      if (isThere) onFoundSet();
      focusFirstError(formRef.current);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <form ref={formRef} noValidate onSubmit={submit} className="flex max-w-md flex-col gap-4">
        {hasPassword ? (
          <PasswordField
            label={t('profile.currentPassword')}
            name="current"
            autoComplete="current-password"
            error={say(errors.current)}
          />
        ) : null}
        <NewPasswordFields
          label={t('profile.newPassword')}
          errors={{ password: say(errors.password), confirmation: say(errors.confirmation) }}
        />
        <FieldError>{say(errors.form)}</FieldError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant={hasPassword ? 'primary' : 'secondary'} busy={busy}>
            {t(hasPassword ? 'profile.changePassword' : 'signIns.setPassword')}
          </Button>
          {onCancel ? (
            <Button variant="quiet" disabled={busy} onClick={onCancel}>
              {t('dialog.cancel')}
            </Button>
          ) : null}
        </div>
      </form>
      {dialog}
    </>
  );
}

function checkForm(data: FormData, hasPassword: boolean): FieldErrors<Fields> {
  const tooBad = passwordProblem(String(data.get('password')));
  const differs = data.get('password') !== data.get('confirmation');
  return {
    ...(data.get('current') || !hasPassword ? {} : { current: 'account.passwordMissing' }),
    ...(tooBad ? { password: tooBad } : {}),
    ...(differs ? { confirmation: 'account.passwordMismatch' } : {}),
  };
}

/** Whether the current password is wrong, or missing where there is one. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_credentials';
}

function problemOf(error: unknown): FieldErrors<Fields> {
  if (isRefused(error)) return { current: 'profile.wrongPassword' };
  return { form: reachProblem(error) ?? 'profile.notSaved' };
}
