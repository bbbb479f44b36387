import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { entriesQuery } from '#web/features/credits/entries-query.ts';
import { FreeWithheld, waitsForMail } from '#web/features/credits/free-withheld.tsx';

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
  if (!reason) return note;
  if (waitsForMail(reason)) return <FreeWithheld reason={reason}>{buy}</FreeWithheld>;
  return (
    <>
      {note}
      <FreeWithheld reason={reason} />
    </>
  );
}
