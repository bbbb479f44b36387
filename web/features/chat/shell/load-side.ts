/** Fetches the list of conversations and the menu of the site, which stand at the side, or on a phone in a drawer. */
export const loadSide = () => import('./side.ts');
