import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Session, SessionList as SessionPage } from '#contract/accounts.ts';
import { describeAgent } from '#contract/describe-agent.ts';
import { formatMoment } from '#i18n/formats.ts';
import { callApi, deleteAt } from '#web/lib/api.ts';
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
  const sessions = data?.sessions ?? [];
  const list = useRef<HTMLUListElement>(null);
  const countBefore = useRef(sessions.length);
  // The button that was pressed goes with its row: from the body Tab would begin at the top of the page.
  useEffect(() => {
    const isShorter = sessions.length < countBefore.current;
    countBefore.current = sessions.length;
    if (isShorter && document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, [sessions.length]);

  const end = async (path: string) => {
    setFailed(false);
    try {
      await deleteAt(path);
    } catch {
      setFailed(true);
    }
    await queryClient.invalidateQueries(sessionsQuery);
  };

  if (isError && !data) return <p role="alert">{t('profile.sessionsFailed')}</p>;
  return (
    <div className="flex flex-col gap-4">
      <ul ref={list} tabIndex={-1} className="-mt-3 divide-y divide-line outline-none">
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
