import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS } from '#scripts/suite/chromium-flags.ts';
import { e2eFolder } from '#test/e2e-folder.ts';
import { WAIT_TIMEOUT_MS } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';

/** Journeys that start a product or drive a browser of their own. They begin first, so that none is left over when all else is done. */
const LONGEST = ['computer', 'payments', 'leaving', 'captcha'].map((name) => `**/e2e/${name}.spec.ts`);
/** Journeys in browsers that Playwright does not drive are a step of their own (scripts/suite/other-browsers.ts). */
const ELSEWHERE = process.env.OTHER_BROWSERS ? [] : ['**/other-browsers/**'];

/** Run by `npm test`, which finds a Chromium, builds the web and sets `CHROMIUM_PATH`. */
export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'longest', testMatch: LONGEST },
    { name: 'others', testIgnore: [...LONGEST, ...ELSEWHERE] },
  ],
  grepInvert: IS_LONG ? [] : /@long/,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  // They wait for the product more than they compute.
  workers: 4,
  timeout: 8 * WAIT_TIMEOUT_MS,
  expect: { timeout: WAIT_TIMEOUT_MS, toPass: { timeout: WAIT_TIMEOUT_MS } },
  outputDir: `${e2eFolder()}/results`,
  use: {
    baseURL: process.env.E2E_ORIGIN,
    viewport: { width: 1280, height: 800 },
    locale: 'zh-CN',
    // What a service worker fetches cannot be routed by a test; where one is meant, the test allows it.
    serviceWorkers: 'block',
    // A trace of every test would cost a sixth of the time; what a failed one saw is kept all the same.
    screenshot: 'only-on-failure',
    // What moves is drawn sixty times a second: the short run is as for somebody who asked for less motion.
    contextOptions: IS_LONG ? {} : { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '',
      args: CHROMIUM_FLAGS,
    },
  },
  webServer: {
    command: 'npm start',
    env: {
      PASSWORD_HASH_MEMORY_KIB: '8',
      PORT: '0',
      DATA_DIR: `${e2eFolder()}/data`,
      LOG_LEVEL: 'error',
      NO_COLOR: '1',
      FORCE_COLOR: '0',
    },
    wait: {
      stdout:
        /(?<E2E_ORIGIN>http:\/\/localhost:\d+)[\s\S]*\bmail +(?<E2E_MAILBOX>http:\S+)[\s\S]*\bgoogle +(?<E2E_GOOGLE>http:\S+)/,
    },
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
});
