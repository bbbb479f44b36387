import { useEffect, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';

/** A line under the header while there is no network: what that means, and that nothing is lost. */
export function OfflineNotice() {
  const { t } = useTranslation('common');
  const offline = useOffline();
  return (
    <div role="status" className="sticky top-16 z-20 bg-sunken print:hidden">
      {offline ? <p className="page border-line border-b py-2 text-sm">{t('offline.text')}</p> : null}
    </div>
  );
}

/**
 * True while the browser says it has no network and the server cannot be reached either: a machine that reaches only itself
 * has no network and may still run the product.
 */
function useOffline(): boolean {
  const [offline, setOffline] = useState(false);
  useEffect(() => {
    const look = () => {
      if (navigator.onLine) setOffline(false);
      else fetch('/healthz', { method: 'HEAD' }).catch(() => setOffline(!navigator.onLine));
    };
    look();
    window.addEventListener('offline', look);
    window.addEventListener('online', look);
    return () => {
      window.removeEventListener('offline', look);
      window.removeEventListener('online', look);
    };
  }, []);
  return offline;
}
