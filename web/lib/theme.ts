import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'theme';

/** The theme the reader chose on this device; `system` when none. */
function readTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Shows the theme and keeps it on this device. */
function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

function subscribeTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme on this device and the way to choose another. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribeTheme, readTheme, () => 'system' as const);
  return [theme, chooseTheme];
}

/** Whether the page is dark now, by the reader's choice or the system's. */
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
