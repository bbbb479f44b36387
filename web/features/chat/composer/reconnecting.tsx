import { useEffect, useState, useSyncExternalStore } from 'react';
import { isLiveLost, subscribeLive } from '#web/features/live/live-state.ts';
import { useTranslation } from '#web/lib/i18n.tsx';

/** A connection is often back sooner than it takes to read that it was gone. */
const NOTICE_DELAY_MS = 3000;

/** A line while the live channel is lost: what is on screen may be behind. */
export function Reconnecting() {
  const { t } = useTranslation('common');
  const lost = useSyncExternalStore(subscribeLive, isLiveLost, () => false);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) return setShown(false);
    const timer = setTimeout(() => setShown(true), NOTICE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [lost]);
  return (
    <p role="status" className="text-center text-soft text-sm">
      {shown ? t('chat.reconnecting') : null}
    </p>
  );
}
