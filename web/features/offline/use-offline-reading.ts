import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showNotice } from '#web/ui/toast-store.ts';

/** Keeps what the signed-in reader opens in the chat, and the chat itself, for reading without a network; null keeps nothing. */
export function useOfflineReading(userId: string | null): void {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const sayUpdated = useEffectEvent(() =>
    showNotice(t('offline.updated'), { label: t('offline.reload'), run: () => window.location.reload() }),
  );
  useEffect(() => {
    if (userId === null) return;
    let stop: (() => void) | null = null;
    const left = new AbortController();
    const begin = async () => {
      const [keeping, worker] = await Promise.all([
        import('./keep-opened.ts'),
        import('./register-worker.ts'),
      ]);
      if (left.signal.aborted) return;
      stop = keeping.keepOpened(client, userId);
      await worker.registerWorker(sayUpdated, left.signal);
    };
    begin().catch(() => {});
    return () => {
      left.abort();
      stop?.();
    };
  }, [client, userId]);
}
