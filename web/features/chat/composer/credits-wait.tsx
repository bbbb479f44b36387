import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { entriesQuery } from '#web/features/credits/entries-query.ts';
import { useFreeWithheld, waitsForMail } from '#web/features/credits/use-free-withheld.ts';
import { ActionNote } from '#web/ui/action-note.tsx';

interface CreditsWaitProps {
  /** Says that the credits do not do, and how to buy some. */
  note: ReactNode;
  /** The way to buy some, by itself. */
  buy: ReactNode;
}

/** Why there are no credits: those of the free month wait for something, or they are used up. */
export function CreditsWait({ note, buy }: CreditsWaitProps) {
  const session = useSession();
  const { data } = useInfiniteQuery(entriesQuery(null));
  const isPaying = session.state === 'signed-in' && session.user.subscription?.active === true;
  const reason = isPaying ? undefined : data?.pages[0]?.freeWithheld;
  const why = useFreeWithheld(reason);
  if (!reason) return note;
  if (waitsForMail(reason)) return <ActionNote {...why}>{buy}</ActionNote>;
  return (
    <>
      {note}
      <ActionNote {...why} />
    </>
  );
}
