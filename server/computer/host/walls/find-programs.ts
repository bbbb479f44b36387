import { accessSync, constants, globSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** Names of installed Chromiums, the likeliest first. */
export const CHROMIUM_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
];
/** The program that a script of a distribution's package starts in the end. */
const BEHIND_SCRIPTS = ['/usr/lib/chromium/chromium', '/usr/lib/chromium-browser/chromium-browser'];
const OF_PLAYWRIGHT = [
  'chromium-*/chrome-linux*/chrome',
  'chromium_headless_shell-*/chrome-*/*headless*shell',
];

/** The path of a program by its name; null where it is not installed. */
export function findProgram(name: string, path: string): string | null {
  return (
    path
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find(isExecutable) ?? null
  );
}

/**
 * The path of a Chromium that is on this machine: the one that is named, an installed one, Playwright's, or the one that the tests
 * unpack from npm. Null where there is none. `npm test` is what installs one (scripts/setup-chromium.ts).
 */
export function findChromium(given: string | null, path: string): string | null {
  if (given !== null) return isExecutable(given) ? behindScript(given) : null;
  const installed = CHROMIUM_NAMES.map((name) => findProgram(name, path)).find((each) => each !== null);
  const others = [
    ...OF_PLAYWRIGHT.flatMap((pattern) => globSync(join(homedir(), '.cache/ms-playwright', pattern))),
    join(ROOT, '.cache/chromium/chromium'),
  ];
  return installed ? behindScript(installed) : (others.find(isExecutable) ?? null);
}

/**
 * A script of a package reads settings that are outside the walls: what it starts is started instead, the first of `behind` that is
 * there. Anything else is started as it is.
 */
export function behindScript(program: string, behind: readonly string[] = BEHIND_SCRIPTS): string {
  const isOfPackage = /^(\/usr)?\/bin\//.test(program) && isScript(program);
  return (isOfPackage && behind.find(isExecutable)) || program;
}

/** The folder that a program needs beside `/usr`; null where it is part of that. */
export function folderBeside(program: string): string | null {
  const folder = dirname(realpathSync(program));
  return folder.startsWith('/usr/') ? null : folder;
}

function isScript(path: string): boolean {
  return readFileSync(path).subarray(0, 2).toString() === '#!';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
