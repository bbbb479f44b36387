import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConfirmedEmail } from '#contract/email.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { sessionQuery } from '../session/use-session.ts';
import { type ChangeOutcome, EmailChangeOutcome } from './email-change-outcome.tsx';
import { emailQuery, linkProblem } from './email-query.ts';
import { addressOfRefusal, LinkOpener } from './link-opener.tsx';

/** Uses the link of a mail about a change of address once its reader says so: to confirm, or to stop it. */
export function EmailChangeConfirmation({ token, stops }: { token: string; stops: boolean }) {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const [outcome, setOutcome] = useState<ChangeOutcome | null>(token === '' ? { state: 'invalid' } : null);

  const [needsAccount, setNeedsAccount] = useState<string | null>(null);

  const stop = async (): Promise<ChangeOutcome> => {
    await callApi('/api/auth/stop-email-change', { method: 'POST', body: { token } });
    void queryClient.invalidateQueries(emailQuery);
    return { state: stops ? 'stopped' : 'notMine' };
  };
  const confirm = async (password?: string): Promise<ChangeOutcome> => {
    const body = { token, password };
    const answer = await callApi<ConfirmedEmail>('/api/auth/confirm-email-change', { method: 'POST', body });
    void queryClient.invalidateQueries(emailQuery);
    void queryClient.invalidateQueries(sessionQuery);
    return { state: answer.changed ? 'changed' : 'waiting', email: answer.email };
  };
  const refuse = (error: unknown) => {
    const code = error instanceof ApiError ? error.code : null;
    setNeedsAccount(addressOfRefusal(error));
    if (code === 'email_link_invalid') setOutcome({ state: 'invalid' });
    else if (code !== 'link_needs_account')
      setProblem(code === 'email_taken' ? 'confirmEmail.taken' : linkProblem(error));
  };
  const act = async () => {
    setBusy(true);
    setProblem(null);
    try {
      setOutcome(await (stops ? stop() : confirm()));
    } catch (error) {
      refuse(error);
    } finally {
      setBusy(false);
    }
  };

  if (outcome) return <EmailChangeOutcome outcome={outcome} />;
  if (needsAccount !== null)
    return (
      <LinkOpener
        about="change"
        email={needsAccount}
        onPassword={async (password) => setOutcome(await confirm(password))}
        onDisown={async () => setOutcome(await stop())}
        onOver={refuse}
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
