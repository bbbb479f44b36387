import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Session, SessionList as SessionPage } from '#contract/accounts.ts';
import { describeAgent } from '#contract/describe-agent.ts';
import { formatMoment } from '#i18n/formats.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';

/** Where the user is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => callApi<SessionPage>('/api/sessions', { signal }),
});

/** Every signed-in browser, each with a way to sign it out. */
export function SessionList() {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const { data, isError } = useQuery(sessionsQuery);
  const [failed, setFailed] = useState(false);

  const end = async (path: string) => {
    setFailed(false);
    try {
      await callApi(path, { method: 'DELETE' });
    } catch (error) {
      // A second click finds the device logged out.
      setFailed(!(error instanceof ApiError && error.code === 'not_found'));
    }
    await queryClient.invalidateQueries(sessionsQuery);
  };

  if (isError && !data) return <p role="alert">{t('profile.sessionsFailed')}</p>;
  const sessions = data?.sessions ?? [];
  return (
    <div className="flex flex-col gap-4">
      <ul className="-mt-3 divide-y divide-line">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => end(`/api/sessions/${session.id}`)} />
        ))}
      </ul>
      <FieldError>{failed ? t('profile.notSaved') : null}</FieldError>
      {sessions.length > 1 ? (
        <Button variant="secondary" className="self-start" onClick={() => void end('/api/sessions')}>
          {t('profile.endOthers')}
        </Button>
      ) : null}
    </div>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => Promise<void> }) {
  const { t, i18n } = useTranslation('common');
  const device = describeAgent(session.userAgent) ?? t('profile.unknownDevice');
  return (
    <li className="flex min-h-16 items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-medium">
          {device}
          {session.current ? (
            <span className="ml-2 font-normal text-soft text-sm">{t('profile.thisDevice')}</span>
          ) : null}
        </p>
        <p className="break-words text-soft text-sm tabular-nums">
          {t('profile.lastUsed', { time: formatMoment(i18n.language, session.usedAt) })}
          {session.address ? ` · ${session.address}` : ''}
        </p>
      </div>
      {session.current ? null : (
        <Button variant="quiet" onClick={() => void onEnd()} aria-label={t('profile.endOne', { device })}>
          {t('profile.end')}
        </Button>
      )}
    </li>
  );
}
