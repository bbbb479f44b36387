import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { LedgerPage } from '#contract/credits.ts';
import { addressProblem, emailQuery } from '#web/features/accounts/email/email-query.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';

type Withheld = NonNullable<LedgerPage['freeWithheld']>;

const TEXTS = {
  disposable: 'statement.withheld.disposable',
  unverified: 'statement.withheld.unverified',
  address_used: 'statement.withheld.address_used',
  address_unproved: 'statement.withheld.address_unproved',
  domain_busy: 'statement.withheld.domain_busy',
  network_busy: 'statement.withheld.network_busy',
} as const satisfies Record<Withheld, TextKey>;

/** Whether the free credits come once the address is verified. */
export function waitsForMail(reason: Withheld): boolean {
  return reason === 'unverified' || reason === 'address_unproved' || reason === 'network_busy';
}

interface FreeWithheldProps {
  reason: Withheld;
  /** Another way on, beside the button that sends the mail. */
  children?: ReactNode;
}

/** Why the reader has no free credits, and the mail that brings them where the address is to be verified first. */
export function FreeWithheld({ reason, children }: FreeWithheldProps) {
  const { t } = useTranslation('common');
  const session = useSession();
  const { data } = useQuery(emailQuery);
  const [busy, setBusy] = useState(false);
  const [notice, setNotice] = useState<TextKey | null>(null);
  const email = session.state === 'signed-in' ? session.user.email : '';

  const send = async () => {
    setBusy(true);
    setNotice(null);
    try {
      await callApi('/api/me/email/verification', { method: 'POST' });
      setNotice('email.sent');
    } catch (error) {
      setNotice(addressProblem(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="flex flex-col items-start gap-2">
      {notice === 'email.sent' ? null : (
        <p className="max-w-prose break-words">{t(TEXTS[reason], { email })}</p>
      )}
      <p role="status" className="max-w-prose break-words empty:-mt-2">
        {notice ? t(notice, { email }) : null}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
        {data?.mail && waitsForMail(reason) ? (
          <Button variant="secondary" size="small" busy={busy} onClick={() => void send()}>
            {t('email.send')}
          </Button>
        ) : null}
        {children}
      </div>
    </div>
  );
}
