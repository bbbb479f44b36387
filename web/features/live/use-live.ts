import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Keeps the page in step with the signed-in user's other tabs and devices; null follows nothing. */
export function useLive(userId: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (userId === null) return;
    let stop: (() => void) | null = null;
    let left = false;
    import('./follow-live.ts').then(
      ({ followLive }) => {
        if (!left) stop = followLive(client);
      },
      () => {},
    );
    return () => {
      left = true;
      stop?.();
    };
  }, [client, userId]);
}
