import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { ApiError } from '#web/lib/api.ts';

/** Nothing can be sent for a while, in any conversation. */
interface Pause {
  refusal: ApiError;
  /** In milliseconds of this machine's clock, which need not be the server's. */
  endsAt: number;
}

const KEY = ['sending-pause'];

/** The pause that a refusal of the server began, until its time has come; null while there is none. */
export function usePause(): { pause: Pause | null; begin: (refusal: ApiError) => void } {
  const client = useQueryClient();
  const { data: pause = null } = useQuery<Pause | null>({ queryKey: KEY, queryFn: skipToken });
  useEffect(() => {
    if (!pause) return;
    const timer = setTimeout(() => client.setQueryData(KEY, null), pause.endsAt - Date.now());
    return () => clearTimeout(timer);
  }, [client, pause]);
  const begin = useCallback(
    (refusal: ApiError) => {
      const endsAt = Date.now() + Number(refusal.params.seconds ?? 0) * 1_000;
      client.setQueryData<Pause>(KEY, { refusal, endsAt });
    },
    [client],
  );
  return { pause, begin };
}
