import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { ConfirmedEmail } from '#contract/email.ts';
import { emailQuery } from '#web/features/accounts/email-query.ts';
import { addressOfRefusal, LinkOpener } from '#web/features/accounts/link-opener.tsx';
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

type Outcome = { state: 'changed' | 'waiting'; email: string } | { state: 'stopped' | 'notMine' | 'invalid' };

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

  const [needsAccount, setNeedsAccount] = useState<string | null>(null);

  const stop = async (): Promise<Outcome> => {
    await callApi('/api/auth/stop-email-change', { method: 'POST', body: { token } });
    void queryClient.invalidateQueries(emailQuery);
    return { state: stops ? 'stopped' : 'notMine' };
  };
  const confirm = async (password?: string): Promise<Outcome> => {
    const body = { token, password };
    const answer = await callApi<ConfirmedEmail>('/api/auth/confirm-email-change', { method: 'POST', body });
    void queryClient.invalidateQueries(emailQuery);
    void queryClient.invalidateQueries(sessionQuery);
    return { state: answer.changed ? 'changed' : 'waiting', email: answer.email };
  };
  const act = async () => {
    setBusy(true);
    setProblem(null);
    try {
      setOutcome(await (stops ? stop() : confirm()));
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null;
      setNeedsAccount(addressOfRefusal(error));
      if (code === 'email_link_invalid') setOutcome({ state: 'invalid' });
      else if (code !== 'link_needs_account')
        setProblem(code === 'email_taken' ? 'confirmEmail.taken' : 'confirmEmail.failed');
    } finally {
      setBusy(false);
    }
  };

  if (outcome) return <Told outcome={outcome} />;
  if (needsAccount !== null)
    return (
      <LinkOpener
        about="change"
        email={needsAccount}
        onPassword={async (password) => setOutcome(await confirm(password))}
        onNotMe={async () => setOutcome(await stop())}
      />
    );
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
  if (outcome.state === 'notMine') return <p role="status">{t('confirmEmail.notMine')}</p>;
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
