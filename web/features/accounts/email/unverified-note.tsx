import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { addressProblem, emailQuery } from './email-query.ts';

/** Why to verify the address, and the button that has the mail sent. */
export function UnverifiedNote({ email }: { email: string }) {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);

  const send = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await callApi('/api/me/email/verification', { method: 'POST' });
      setSent(true);
    } catch (error) {
      setProblem(addressProblem(error));
      // It may be verified by now, as on the phone that has the mail.
      void queryClient.invalidateQueries(emailQuery);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-soft text-sm">{t('email.why')}</p>
      <Button variant="secondary" busy={busy} onClick={() => void send()}>
        {t('email.send')}
      </Button>
      <p role="status" className="text-soft text-sm">
        {sent ? t('email.sent', { email }) : ''}
      </p>
      <FieldError>{problem && t(problem)}</FieldError>
    </div>
  );
}
