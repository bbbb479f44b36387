import { useSyncExternalStore } from 'react';
import { chooseTheme, readTheme, subscribeTheme, type Theme } from './theme.ts';

/** The theme on this device and the way to choose another. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribeTheme, readTheme, () => 'system' as const);
  return [theme, chooseTheme];
}
