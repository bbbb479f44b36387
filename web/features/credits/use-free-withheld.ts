import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LedgerPage } from '#contract/credits.ts';
import { addressProblem, emailQuery } from '#web/features/accounts/email/email-query.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import type { NoteAction } from '#web/ui/action-note.tsx';

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

/** Why the reader has no free credits, then what became of the mail that brings them; how to send it where one does. */
export function useFreeWithheld(reason: Withheld | undefined): { text: string; action: NoteAction | null } {
  const { t } = useTranslation('common');
  const session = useSession();
  const { data } = useQuery({ ...emailQuery, enabled: reason !== undefined });
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<TextKey | null>(null);
  const email = session.state === 'signed-in' ? session.user.email : '';
  const send = async () => {
    setBusy(true);
    try {
      await callApi('/api/me/email/verification', { method: 'POST' });
      setOutcome('email.sent');
    } catch (error) {
      setOutcome(addressProblem(error));
    } finally {
      setBusy(false);
    }
  };
  if (!reason) return { text: '', action: null };
  const canSend = data?.mail === true && waitsForMail(reason);
  return {
    text: t(outcome ?? TEXTS[reason], { email }),
    action: canSend ? { label: t('email.send'), busy, run: () => void send() } : null,
  };
}
