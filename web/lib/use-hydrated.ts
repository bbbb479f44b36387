import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False in built HTML and while the browser takes it over, then true: for what only the browser knows, such as the query. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
