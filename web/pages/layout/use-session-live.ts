import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useLive } from '#web/features/live/use-live.ts';

/** Keeps what is shown of the signed-in user in step with their other tabs and devices. */
export function useSessionLive(): void {
  const session = useSession();
  useLive(session.state === 'signed-in' ? session.user.uid : null);
}
