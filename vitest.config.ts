import { defineConfig } from 'vitest/config';
import { sitePlugin } from './scripts/site-plugin.ts';

export default defineConfig({
  plugins: [sitePlugin({})],
  test: {
    include: ['{bench,contract,server,emulators,test,scripts,i18n,web}/**/*.test.{ts,tsx}'],
    globalSetup: ['./test/global-setup.ts'],
    environment: 'node',
    // Most tests wait for a server more than they compute.
    maxWorkers: 4,
    // What is polled for has come as a rule; on a slow machine it may take longer than the second that is the default.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
