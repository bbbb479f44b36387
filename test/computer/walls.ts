import { findChromium, findProgram } from '#server/computer/host/walls/find-programs.ts';

const path = process.env.PATH ?? '';
const bwrap = findProgram('bwrap', path);
const chromium = findChromium(process.env.CHROMIUM_PATH || null, path);

/** What tests of the browser's walls need, where this machine has it. */
export const PROGRAMS = bwrap !== null && chromium !== null ? { bwrap, chromium } : null;

/** Why tests of the walls are skipped here; null where they run. */
export const NO_WALLS =
  bwrap === null ? 'bubblewrap is not installed' : chromium === null ? 'no Chromium is installed' : null;

/** The title of a group of tests, with the reason where it is skipped. */
export function walled(title: string): string {
  return NO_WALLS === null ? title : `${title} (skipped: ${NO_WALLS})`;
}
