import { useSyncExternalStore } from 'react';
import { readTheme, subscribeTheme } from './theme.ts';

/** Is the page dark now, by the reader's choice or the system's? */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark, () => false);
}

function system(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}

function isDark(): boolean {
  const theme = readTheme();
  return theme === 'system' ? system().matches : theme === 'dark';
}

function subscribe(listener: () => void): () => void {
  const query = system();
  const leave = subscribeTheme(listener);
  query.addEventListener('change', listener);
  return () => {
    leave();
    query.removeEventListener('change', listener);
  };
}
