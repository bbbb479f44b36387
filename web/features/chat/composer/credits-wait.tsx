import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatDay } from '#i18n/formats.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { entriesQuery } from '#web/features/credits/entries-query.ts';
import { useFreeWithheld, waitsForMail } from '#web/features/credits/use-free-withheld.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ActionNote } from '#web/ui/action-note.tsx';

interface CreditsWaitProps {
  /** Says that the credits do not do. */
  note: ReactNode;
  /** The way to plans. */
  plans: ReactNode;
  /** Something has been answered here: before that nobody is asked for money who only has to open a mail. */
  isAnswered: boolean;
}

/** Why there are no credits and when the next ones come: those of the free month wait for something, or they are used up. Then the way to plans. */
export function CreditsWait({ note, plans, isAnswered }: CreditsWaitProps) {
  const { t, i18n } = useTranslation('common');
  const session = useSession();
  const { data } = useInfiniteQuery(entriesQuery(null));
  const newest = data?.pages[0];
  const isPaying = session.state === 'signed-in' && session.user.subscription?.active === true;
  const reason = isPaying ? undefined : newest?.freeWithheld;
  const why = useFreeWithheld(reason);
  if (reason && waitsForMail(reason)) return <ActionNote {...why}>{isAnswered ? plans : null}</ActionNote>;
  const next = newest?.nextFreeAt;
  return (
    <>
      {note}
      {reason ? <ActionNote {...why} /> : null}
      {next === undefined || reason ? null : (
        <p className="tabular-nums">{t('chat.nextFree', { date: formatDay(i18n.language, next) })}</p>
      )}
      {newest || isAnswered ? plans : null}
    </>
  );
}
