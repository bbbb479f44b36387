/** The screens in the order of the menu, by their paths under `/admin`. */
export const SCREENS = [
  'today',
  'users',
  'abuse',
  'models',
  'margin',
  'ledger',
  'orders',
  'inbox',
  'disputes',
  'failures',
  'personal-data',
  'proposals',
  'audit',
] as const;
export type ScreenName = (typeof SCREENS)[number];

/** Today is what the console opens with. */
export function screenPath(screen: ScreenName): string {
  return screen === 'today' ? '/admin' : `/admin/${screen}`;
}
