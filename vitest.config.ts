import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{bench,contract,server,emulators,test,scripts,i18n,web}/**/*.test.{ts,tsx}'],
    globalSetup: ['./test/global-setup.ts'],
    environment: 'node',
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
