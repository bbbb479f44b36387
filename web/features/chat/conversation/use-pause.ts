import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { ApiError } from '#web/lib/api.ts';

/** Nothing can be sent for a while, in any conversation. */
interface Pause {
  refusal: ApiError;
  /** In milliseconds of this machine's clock, which need not be the server's. */
  endsAt: number;
}

const PREFIX = 'chat.pause.';

/** The pause that a refusal of the server began, until its time has come; null while there is none. It outlives the page. */
export function usePause(userId: string): { pause: Pause | null; begin: (refusal: ApiError) => void } {
  const client = useQueryClient();
  const queryKey = ['sending-pause', userId];
  const { data: pause = null } = useQuery<Pause | null>({
    queryKey,
    queryFn: skipToken,
    initialData: () => readPause(userId),
  });
  useEffect(() => {
    if (!pause) return;
    const timer = setTimeout(() => {
      client.setQueryData(['sending-pause', userId], null);
      keepPause(userId, null);
    }, pause.endsAt - Date.now());
    return () => clearTimeout(timer);
  }, [client, userId, pause]);
  const begin = useCallback(
    (refusal: ApiError) => {
      const begun = { refusal, endsAt: Date.now() + Number(refusal.params.seconds ?? 0) * 1_000 };
      client.setQueryData<Pause>(['sending-pause', userId], begun);
      keepPause(userId, begun);
    },
    [client, userId],
  );
  return { pause, begin };
}

/** Forgets the pauses of all users: for signing out. */
export function clearPauses(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Nothing was kept where storage is forbidden.
  }
}

function readPause(userId: string): Pause | null {
  try {
    const kept = JSON.parse(localStorage.getItem(PREFIX + userId) ?? 'null') as Pause | null;
    if (!kept || !(kept.endsAt > Date.now())) return null;
    const { code, params, status } = kept.refusal;
    return { refusal: new ApiError(code, params, status), endsAt: kept.endsAt };
  } catch {
    return null;
  }
}

function keepPause(userId: string, pause: Pause | null): void {
  try {
    if (pause) localStorage.setItem(PREFIX + userId, JSON.stringify(pause));
    else localStorage.removeItem(PREFIX + userId);
  } catch {
    // Storage is forbidden: the pause is known as long as the page lives.
  }
}
