import { defineConfig } from '@playwright/test';
import { e2eFolder } from '#test/e2e-folder.ts';

/** Run by `npm test`, which finds a Chromium, builds the web and sets `CHROMIUM_PATH`. */
export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  outputDir: `${e2eFolder()}/results`,
  use: {
    baseURL: process.env.E2E_ORIGIN,
    viewport: { width: 1280, height: 800 },
    locale: 'zh-CN',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    },
  },
  webServer: {
    command: 'npm start',
    env: { PORT: '0', DATA_DIR: `${e2eFolder()}/data`, LOG_LEVEL: 'error', NO_COLOR: '1', FORCE_COLOR: '0' },
    wait: { stdout: /(?<E2E_ORIGIN>http:\/\/localhost:\d+)[\s\S]*\bmail +(?<E2E_MAILBOX>http:\S+)/ },
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
});
