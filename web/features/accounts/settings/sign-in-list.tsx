import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { ConfirmationDismissed, useConfirmation } from '../confirmation/use-confirmation.tsx';
import { GoogleLogo } from '../sign-in/google-logo.tsx';
import { signInOptionsQuery, signInsQuery } from '../sign-in/sign-in-options.ts';
import { googleProblem, useGoogle } from '../sign-in/use-google.ts';
import { PasswordRow } from './password-row.tsx';

/** The ways in of the user: the password, the Google accounts that are connected, and a way to connect one. */
export function SignInList() {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const { data, isError } = useQuery(signInsQuery);
  const options = useQuery(signInOptionsQuery);
  const [search] = useSearchParams();
  const purpose = search.get('purpose') === 'confirm' ? 'confirm' : 'link';
  const [failed, setFailed] = useState<TextKey | null>(googleProblem(search.get('google'), purpose));
  const { confirmed, dialog } = useConfirmation();
  const reload = () => queryClient.invalidateQueries(signInsQuery);
  const google = useGoogle('link', reload);

  const act = async (work: () => Promise<void>) => {
    setFailed(null);
    google.setProblem(null);
    try {
      await confirmed(work);
    } catch (error) {
      if (error instanceof ConfirmationDismissed) return;
      setFailed(problemOf(error));
    }
    await reload();
  };
  const connect = async () => {
    await callApi('/api/me/sign-ins', { method: 'POST' });
    void google.start({ returnTo: `${window.location.pathname}#sign-ins` });
  };

  if (isError && !data) return <p role="alert">{t('signIns.failed')}</p>;
  if (!data) return null;
  const problem = failed ?? google.problem;
  const accounts = data.signIns.filter(({ id }) => id !== null);
  return (
    <div className="flex flex-col gap-4">
      <ul className="-mt-3 divide-y divide-line">
        <PasswordRow isSet={accounts.length < data.signIns.length} />
        {accounts.map(({ id, account }) => (
          <GoogleRow
            key={id}
            account={account ?? t('signIns.google')}
            onEnd={() => act(() => callApi(`/api/me/sign-ins/${id}`, { method: 'DELETE' }))}
          />
        ))}
        {options.data?.google ? (
          <ConnectRow
            isFirst={accounts.length === 0}
            busy={google.busy}
            onConnect={() => void act(connect)}
          />
        ) : null}
      </ul>
      <FieldError>{problem && t(problem)}</FieldError>
      {dialog}
    </div>
  );
}

interface ConnectRowProps {
  /** No Google account is connected. */
  isFirst: boolean;
  busy: boolean;
  onConnect: () => void;
}

function ConnectRow({ isFirst, busy, onConnect }: ConnectRowProps) {
  const { t } = useTranslation('common');
  const state = isFirst ? 'signIns.notConnected' : 'signIns.another';
  return (
    <li className="flex min-h-16 items-center justify-between gap-4 py-3">
      <div className="flex min-w-0 items-center gap-3">
        <GoogleLogo />
        <div className="min-w-0">
          <p className="font-medium">{t('signIns.google')}</p>
          <p className="text-soft text-sm">{t(busy ? 'google.busy' : state)}</p>
        </div>
      </div>
      <Button variant="secondary" busy={busy} onClick={onConnect} aria-label={t('signIns.connectOne')}>
        {t('signIns.connect')}
      </Button>
    </li>
  );
}

function GoogleRow({ account, onEnd }: { account: string; onEnd: () => Promise<void> }) {
  const { t } = useTranslation('common');
  return (
    <li className="flex min-h-16 items-center justify-between gap-4 py-3">
      <div className="flex min-w-0 items-center gap-3">
        <GoogleLogo />
        <div className="min-w-0">
          <p className="font-medium">{t('signIns.google')}</p>
          <p className="break-words text-soft text-sm">{account}</p>
        </div>
      </div>
      <Button
        variant="quiet"
        onClick={() => void onEnd()}
        aria-label={t('signIns.disconnectOne', { account })}
      >
        {t('signIns.disconnect')}
      </Button>
    </li>
  );
}

/** What to say; null where a second click finds it disconnected. */
function problemOf(error: unknown): TextKey | null {
  if (!(error instanceof ApiError)) return 'profile.notSaved';
  if (error.code === 'not_found') return null;
  return error.code === 'last_sign_in' ? 'errors.last_sign_in' : 'profile.notSaved';
}
