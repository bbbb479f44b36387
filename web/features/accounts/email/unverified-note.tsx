import { X } from 'lucide-react';
import { useState } from 'react';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { addressProblem } from './email-query.ts';

const DISMISSED = 'unverified-note';

/** Why to verify the address; who knows closes the line, and can still have the mail sent. */
export function UnverifiedNote({ email }: { email: string }) {
  const { t } = useTranslation('common');
  const [open, setOpen] = useState(() => localStorage.getItem(DISMISSED) !== email);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);

  const dismiss = () => {
    localStorage.setItem(DISMISSED, email);
    setOpen(false);
  };
  const send = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await callApi('/api/me/email/verification', { method: 'POST' });
      setSent(true);
    } catch (error) {
      setProblem(addressProblem(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="flex flex-col items-start gap-3">
      {open ? (
        <div className="flex w-full items-start justify-between gap-3 text-soft text-sm">
          <p className="pt-2">{t('email.why')}</p>
          <IconButton label={t('email.dismiss')} onClick={dismiss}>
            <X aria-hidden size={18} strokeWidth={1.5} />
          </IconButton>
        </div>
      ) : null}
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
