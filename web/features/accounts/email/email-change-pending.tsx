import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EmailState } from '#contract/email.ts';
import { formatMoment } from '#i18n/formats.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { addressProblem, emailQuery } from './email-query.ts';

interface PendingProps {
  change: NonNullable<EmailState['change']>;
  oldEmail: string;
}

/** A change of address that waits for its two confirmations. */
export function EmailChangePending({ change, oldEmail }: PendingProps) {
  const { t, i18n } = useTranslation('common');
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const sides = [
    { email: oldEmail, done: change.oldConfirmed },
    { email: change.email, done: change.newConfirmed },
  ];

  const cancel = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await callApi('/api/me/email/change', { method: 'DELETE' });
      await queryClient.invalidateQueries(emailQuery);
    } catch (error) {
      setProblem(addressProblem(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="flex flex-col items-start gap-4">
      <p role="status">{t('email.pending', { email: change.email })}</p>
      <ul className="w-full border-line border-t">
        {sides.map(({ email, done }) => (
          <li key={email} className="flex justify-between gap-4 border-line border-b py-3">
            <span className="min-w-0 break-words">{email}</span>
            <span className="shrink-0 text-soft text-sm">
              {t(done ? 'email.confirmed' : 'email.waiting')}
            </span>
          </li>
        ))}
      </ul>
      <p className="text-soft text-sm">
        {t('email.pendingNote', { time: formatMoment(i18n.language, change.expiresAt) })}
      </p>
      <Button variant="secondary" busy={busy} onClick={() => void cancel()}>
        {t('email.cancelChange')}
      </Button>
      <FieldError>{problem && t(problem)}</FieldError>
    </div>
  );
}
