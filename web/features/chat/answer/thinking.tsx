import { useEffect, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';

/** From so long without a first word on, the reader is told that this is unusual. */
const SLOW_MS = 8000;

/** Shown until the first word; `since` is when the question was sent, in epoch milliseconds. */
export function Thinking({ since }: { since: number }) {
  const { t } = useTranslation('common');
  const [slow, setSlow] = useState(() => Date.now() - since > SLOW_MS);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), Math.max(0, since + SLOW_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [since]);
  return (
    <div role="status" className="text-soft">
      <p className="animate-pulse motion-reduce:animate-none">{t('chat.thinking')}</p>
      {slow ? <p className="mt-1 text-sm">{t('chat.slow')}</p> : null}
    </div>
  );
}
