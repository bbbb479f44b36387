import { startTransition, useEffect, useState } from 'react';

/** What came already, by what loads it: shown again without waiting. */
const known = new WeakMap<() => Promise<unknown>, unknown>();

/** Milliseconds before what could not be fetched is tried again, first and later. */
const RETRY_DELAYS_MS = [500, 2_000, 5_000];
const LATER_MS = 15_000;

/** Loads code ahead: `useModule` has it at once from then on. False where it cannot be fetched. */
export async function preloadModule(load: () => Promise<unknown>): Promise<boolean> {
  const module = await load().catch(() => null);
  if (module) known.set(load, module);
  return module !== null;
}

/**
 * Code that is loaded once it is `wanted`; null until it is here. When it cannot be fetched, it is the `fallback`, and is tried
 * again as long as it is wanted. `load` is one function for good, such as `() => import('./menu.tsx')` outside the
 * component. React's `lazy` would wait longer: it shows nothing new for 300 ms after a fallback. What is drawn with it may be large,
 * and is drawn in slices.
 */
export function useModule<T>(
  wanted: boolean,
  load: () => Promise<T>,
  fallback: NoInfer<T> | null = null,
): T | null {
  const [loaded, setLoaded] = useState<T | null>(() => (known.get(load) as T | undefined) ?? null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!wanted || loaded) return;
    let left = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    fetchModule(0);
    function fetchModule(failures: number): void {
      load().then(
        (module) => {
          known.set(load, module);
          if (!left) startTransition(() => setLoaded(() => module));
        },
        () => {
          if (left) return;
          setFailed(true);
          timer = setTimeout(() => fetchModule(failures + 1), RETRY_DELAYS_MS[failures] ?? LATER_MS);
        },
      );
    }
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [wanted, loaded, load]);
  return loaded ?? (hasFailed ? fallback : null);
}
