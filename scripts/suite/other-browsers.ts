import { existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { buildWeb } from '../build/build-web.ts';
import { browserCounts } from './browser-suite.ts';
import { runProgram } from './run-program.ts';
import { type Counts, oneFailed } from './step.ts';

const TIMEOUT_MINUTES = 20;

/** A browser, what drives it, and the Debian packages that have both. */
const BROWSERS = {
  firefox: { packages: 'firefox-esr', programs: { browser: findProgram('firefox-esr') } },
  webkit: {
    packages: 'webkit2gtk-driver xvfb',
    programs: {
      driver: findProgram('WebKitWebDriver'),
      browser: globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').sort().at(-1) ?? null,
      display: findProgram('Xvfb'),
    },
  },
};

/**
 * The journeys of chat, sign-in and purchase in Firefox and WebKit. A browser that is not on this machine is named with the
 * packages that bring it, and counts as skipped.
 */
export async function runOtherBrowsers(folder: string): Promise<Counts> {
  const here: Record<string, Record<string, string | null>> = {};
  let skipped = 0;
  for (const [name, { packages, programs }] of Object.entries(BROWSERS)) {
    const missing = Object.entries(programs).filter(([, path]) => path === null);
    if (missing.length === 0) here[name] = programs;
    else {
      skipped += 1;
      console.log(
        `${name}: skipped, its ${missing.map(([part]) => part).join(' and ')} is missing. Debian: ${packages}`,
      );
    }
  }
  if (Object.keys(here).length === 0) return { passed: 0, failed: 0, skipped, failures: [] };
  const report = join(folder, 'other-browsers.json');
  try {
    await buildWeb();
    const env = { OTHER_BROWSERS: JSON.stringify(here), PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    const flags = ['test', '--reporter=list,json', '--workers=1', 'other-browsers'];
    const { ok } = await runProgram('playwright', flags, {
      env,
      live: true,
      timeoutMinutes: TIMEOUT_MINUTES,
    });
    const counts = browserCounts(JSON.parse(readFileSync(report, 'utf8')), ok);
    return { ...counts, skipped: counts.skipped + skipped };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(reason);
    return oneFailed(reason);
  }
}

function findProgram(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
