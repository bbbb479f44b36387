import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { DisownedNotice, NoticeOffer } from '#contract/accounts.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { FieldError } from '#web/ui/field-error.tsx';
import { sessionQuery } from '../session/use-session.ts';
import { reachProblem } from '../sign-in/sign-in.ts';
import type { ResetState } from './reset-password.ts';

const NAMED = {
  passkey: 'disown.passkey',
  google: 'disown.google',
  api_key: 'disown.apiKey',
  second_factor: 'disown.secondFactor',
} as const satisfies Record<string, TextKey>;

/** Says what ends with the link of a notice, ends it where its reader says so, and goes on to a new password. */
export function DisownNotice({ token }: { token: string }) {
  const { t } = useTranslation('common');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [state, setState] = useState<'asking' | 'busy' | 'invalid'>('asking');
  const [problem, setProblem] = useState<TextKey | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['notice', token],
    queryFn: () => callApi<NoticeOffer>('/api/auth/disown-notice/offer', { method: 'POST', body: { token } }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const deny = async () => {
    setState('busy');
    setProblem(null);
    try {
      const body = { token };
      const answer = await callApi<DisownedNotice>('/api/auth/disown-notice', { method: 'POST', body });
      void queryClient.invalidateQueries(sessionQuery);
      const state: ResetState = { takenBack: true };
      await navigate(`/reset-password#token=${answer.resetToken}`, { replace: true, state });
    } catch (reason) {
      setProblem(reachProblem(reason) ?? 'disown.failed');
      setState(isOver(reason) ? 'invalid' : 'asking');
    }
  };
  if (token === '' || state === 'invalid' || isOver(error)) return <Over />;
  if (error)
    return (
      <>
        <p role="alert">{t('disown.failed')}</p>
        <Button onClick={() => void refetch()}>{t('reset.retry')}</Button>
      </>
    );
  if (!data) return <p role="status">{t('disown.loading')}</p>;
  return (
    <>
      <p className="break-words">{t('disown.lead', { email: data.email })}</p>
      <Ends offer={data} />
      {data.secondFactorStays ? <p>{t('disown.factorStays')}</p> : null}
      <p>{t(data.everything ? 'disown.nextEverything' : 'disown.next')}</p>
      <FieldError>{problem && t(problem)}</FieldError>
      <Button busy={state === 'busy'} onClick={() => void deny()}>
        {t(state === 'busy' ? 'disown.busy' : 'disown.submit')}
      </Button>
    </>
  );
}

function Ends({ offer: { named, everything } }: { offer: NoticeOffer }) {
  const { t } = useTranslation('common');
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5">
      {everything ? <li>{t('disown.everything')}</li> : null}
      {named && !everything ? (
        <li className="break-words">{t(NAMED[named.kind], { name: named.name })}</li>
      ) : null}
      {everything ? null : <li>{t('disown.password')}</li>}
      <li>{t('disown.sessions')}</li>
      <li>{t('disown.links')}</li>
    </ul>
  );
}

function Over() {
  const { t } = useTranslation('common');
  return (
    <>
      <p role="alert">{t('disown.invalid')}</p>
      <Link to="/forgot-password" className={buttonStyle()}>
        {t('disown.toForgot')}
      </Link>
    </>
  );
}

function isOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'email_link_invalid';
}
