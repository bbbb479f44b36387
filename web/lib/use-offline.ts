import { useEffect, useState } from 'react';

/**
 * True while the browser says it has no network and the server cannot be reached either: a machine that reaches only itself
 * has no network and may still run the product.
 */
export function useOffline(): boolean {
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
