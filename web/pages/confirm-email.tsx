import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { ConfirmedEmail } from '#contract/email.ts';
import { emailQuery } from '#web/features/accounts/email-query.ts';
import { sessionQuery } from '#web/features/accounts/session-query.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { FieldError } from '#web/ui/field-error.tsx';
import { Entrance } from './layout/entrance.tsx';

type Outcome = { state: 'changed' | 'waiting'; email: string } | { state: 'stopped' | 'invalid' };

const OUTCOMES = {
  changed: 'confirmEmail.changed',
  waiting: 'confirmEmail.waiting',
  stopped: 'confirmEmail.stopped',
} as const satisfies Record<string, TextKey>;

/** Both links of an address change lead here: `#token=` agrees, `#stop=` says this was not me. */
export default function ConfirmEmailPage() {
  const { t } = useTranslation('common');
  const { hash } = useLocation();
  const hydrated = useHydrated();
  const params = new URLSearchParams(hash.slice(1));
  const stop = params.get('stop');
  const token = stop ?? params.get('token') ?? '';
  return (
    <>
      <PlainPageHead page="confirm-email" />
      <Entrance always title={t(hydrated && stop !== null ? 'confirmEmail.stopTitle' : 'confirmEmail.title')}>
        {hydrated ? <Confirmation key={token} token={token} stops={stop !== null} /> : null}
      </Entrance>
    </>
  );
}

function Confirmation({ token, stops }: { token: string; stops: boolean }) {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(token === '' ? { state: 'invalid' } : null);

  const redeem = async (): Promise<Outcome> => {
    const path = stops ? '/api/auth/stop-email-change' : '/api/auth/confirm-email-change';
    const answer = await callApi<ConfirmedEmail | undefined>(path, { method: 'POST', body: { token } });
    void queryClient.invalidateQueries(emailQuery);
    void queryClient.invalidateQueries(sessionQuery);
    if (!answer) return { state: 'stopped' };
    return { state: answer.changed ? 'changed' : 'waiting', email: answer.email };
  };
  const act = async () => {
    setBusy(true);
    setProblem(null);
    try {
      setOutcome(await redeem());
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null;
      if (code === 'email_link_invalid') setOutcome({ state: 'invalid' });
      else setProblem(code === 'email_taken' ? 'confirmEmail.taken' : 'confirmEmail.failed');
    } finally {
      setBusy(false);
    }
  };

  if (outcome) return <Told outcome={outcome} />;
  return (
    <>
      <p>{t(stops ? 'confirmEmail.stopText' : 'confirmEmail.text')}</p>
      <FieldError>{problem && t(problem)}</FieldError>
      <Button busy={busy} onClick={() => void act()}>
        {t(stops ? 'confirmEmail.stop' : 'confirmEmail.confirm')}
      </Button>
    </>
  );
}

function Told({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('common');
  if (outcome.state === 'invalid') return <p role="alert">{t('confirmEmail.invalid')}</p>;
  const stopped = outcome.state === 'stopped';
  const email = 'email' in outcome ? outcome.email : '';
  return (
    <>
      <p role="status" className="break-words">
        {t(OUTCOMES[outcome.state], { email })}
      </p>
      <Link to={stopped ? '/forgot-password' : '/profile'} className={buttonStyle()}>
        {t(stopped ? 'confirmEmail.newPassword' : 'confirmEmail.toProfile')}
      </Link>
    </>
  );
}
