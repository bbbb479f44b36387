import { useEffect, useState } from 'react';

/**
 * Code that is loaded once it is `wanted`; null until it is here. When it cannot be fetched, it stays null and is tried again
 * the next time it is wanted. `load` is one function for good, such as `() => import('./menu.tsx')` outside the component.
 */
export function useModule<T>(wanted: boolean, load: () => Promise<T>): T | null {
  const [loaded, setLoaded] = useState<T | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let left = false;
    load().then(
      (module) => {
        if (!left) setLoaded(() => module);
      },
      () => {},
    );
    return () => {
      left = true;
    };
  }, [wanted, load]);
  return loaded;
}
