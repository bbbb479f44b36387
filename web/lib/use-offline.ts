import { useEffect, useState } from 'react';

const AGAIN_MS = 5_000;

/**
 * True while the browser says it has no network and the server cannot be reached either: a machine that reaches only itself
 * has no network and may still run the product.
 */
export function useOffline(): boolean {
  const [offline, setOffline] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async () => {
      clearTimeout(timer);
      const lost = !navigator.onLine && !(await reachesServer());
      if (isOver) return;
      setOffline(lost);
      if (!navigator.onLine) timer = setTimeout(look, AGAIN_MS);
    };
    void look();
    window.addEventListener('offline', look);
    window.addEventListener('online', look);
    return () => {
      isOver = true;
      clearTimeout(timer);
      window.removeEventListener('offline', look);
      window.removeEventListener('online', look);
    };
  }, []);
  return offline;
}

function reachesServer(): Promise<boolean> {
  return fetch('/healthz', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}
