import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { addressProblem, emailQuery } from '#web/features/accounts/email/email-query.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';

/** Why there are no credits yet, where they wait for the verification of the address; else what it stands in for. */
export function CreditsWait({ children }: { children: ReactNode }) {
  const { t } = useTranslation('common');
  const { data } = useQuery(emailQuery);
  const [notice, setNotice] = useState<TextKey | null>(null);
  if (!data?.creditsWait) return children;
  const { email } = data;

  const send = async () => {
    setNotice(null);
    try {
      await callApi('/api/me/email/verification', { method: 'POST' });
      setNotice('email.sent');
    } catch (error) {
      setNotice(addressProblem(error));
    }
  };

  return (
    <>
      <p className="break-words">
        {t('email.creditsWait', { email })}{' '}
        <button
          type="button"
          className="whitespace-nowrap text-ink underline underline-offset-4"
          onClick={() => void send()}
        >
          {t('email.again')}
        </button>
      </p>
      <p role="status" className="text-soft">
        {notice ? t(notice, { email }) : ''}
      </p>
    </>
  );
}
