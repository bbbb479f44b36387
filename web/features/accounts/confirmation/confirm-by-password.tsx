import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { PasswordField } from '../form/password-field.tsx';
import { reachProblem } from '../sign-in/sign-in.ts';

interface ConfirmByPasswordProps {
  /** Sends the password; the field shows what it throws. */
  onPassword: (password: string) => Promise<void>;
}

/** Confirms with the password of the account. */
export function ConfirmByPassword({ onPassword }: ConfirmByPasswordProps) {
  const { t } = useTranslation('common');
  const formRef = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React hands the event on to the form around the dialog, though the page does not.
    event.stopPropagation();
    if (busy) return;
    const password = String(new FormData(event.currentTarget).get('password'));
    setProblem(password === '' ? 'account.passwordMissing' : null);
    if (password === '') return focusFirstError(formRef.current);
    setBusy(true);
    try {
      await onPassword(password);
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
      focusFirstError(formRef.current);
    }
  };

  return (
    <form ref={formRef} method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <PasswordField
        label={t('account.password')}
        name="password"
        autoComplete="current-password"
        autoFocus
        error={problem ? t(problem) : undefined}
      />
      <Button type="submit" busy={busy} className="w-full">
        {t('confirmation.submit')}
      </Button>
    </form>
  );
}

function problemOf(error: unknown): TextKey {
  if (error instanceof ApiError && error.code === 'invalid_credentials') return 'confirmation.wrongPassword';
  return reachProblem(error) ?? 'confirmation.failed';
}
