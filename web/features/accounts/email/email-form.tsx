import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { EmailState } from '#contract/email.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { ConfirmationDismissed, useConfirmation } from '../confirmation/use-confirmation.tsx';
import { emailProblem } from '../form/check-registration.ts';
import { addressProblem, emailQuery } from './email-query.ts';

/** Asks for another address; both the old and the new one are then to confirm. */
export function EmailForm() {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const formRef = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const { confirmed, dialog } = useConfirmation();

  const fail = (key: TextKey) => {
    setProblem(key);
    focusFirstError(formRef.current);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const email = String(new FormData(event.currentTarget).get('newEmail')).trim();
    const wrong = emailProblem(email);
    setProblem(null);
    if (wrong) return fail(wrong);
    setBusy(true);
    try {
      const state = await confirmed(() =>
        callApi<EmailState>('/api/me/email', { method: 'POST', body: { email } }),
      );
      queryClient.setQueryData(emailQuery.queryKey, state);
    } catch (error) {
      if (!(error instanceof ConfirmationDismissed)) fail(addressProblem(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <form ref={formRef} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t('email.newEmail')}
          name="newEmail"
          type="email"
          autoComplete="email"
          maxLength={254}
          hint={t('email.changeHint')}
          error={problem ? t(problem) : undefined}
        />
        <div>
          <Button type="submit" variant="secondary" busy={busy}>
            {t('email.change')}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  );
}
