import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { sitePlugin } from './scripts/site/site-plugin.ts';
import { PATIENT, WAIT_TIMEOUT_MS } from './test/patient.ts';
import { IS_LONG, timeoutFor } from './test/runs.ts';
import { FailuresAtOnce } from './test/setup/failures-at-once.ts';
import { LongestFirst } from './test/setup/longest-first.ts';

const TESTS = '{bench,contract,server,emulators,test,scripts,i18n,web}/**/*.test.{ts,tsx}';
/** Tests of what a whole process has or is: its time zone, its clock, its heap, its globals. */
const OF_A_PROCESS = [
  'server/billing/fourteen-months.long.test.ts',
  'server/billing/projection/paid-periods.test.ts',
  'server/personal-data/export.test.ts',
  'web/features/chat/composer/draft-storage.test.ts',
  'web/features/chat/messages/doubtful-messages.test.ts',
];
/** Tests that only `npm run test:long` runs: each of them starts programs, or tries very much. */
const LONG = IS_LONG ? [] : ['**/*.long.test.ts'];
/** Tests of what is drawn into a document. */
const IN_A_DOCUMENT = 'web/**/*.dom.test.tsx';

/** Young objects are collected less often, which is a seventh of what a property costs. */
const execArgv = ['--max-semi-space-size=64'];

/** The file for what `npm test` counts; none where Vitest is started by hand. */
const { TEST_REPORT: outputFile } = process.env;

const ofEach = {
  environment: 'node',
  expect: { poll: PATIENT },
  // Longer than one wait, so that what was waited for is named, and enough for a machine four times as slow.
  testTimeout: timeoutFor(4 * WAIT_TIMEOUT_MS),
  hookTimeout: 4 * WAIT_TIMEOUT_MS,
} as const;

export default defineConfig({
  plugins: [sitePlugin({})],
  test: {
    globalSetup: ['./test/setup/global-setup.ts'],
    setupFiles: ['./test/setup/seed.ts'],
    // Tests wait a little for their servers; each process more than this takes longer for all (decision 155).
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    reporters: [
      'default',
      ...(IS_LONG ? [new FailuresAtOnce()] : []),
      ...(outputFile ? [['json', { outputFile }] as ['json', object]] : []),
    ],
    projects: [
      // Modules are loaded once for many files: loading them anew is a third of the time.
      {
        extends: true,
        test: {
          ...ofEach,
          name: 'shared',
          include: [TESTS],
          exclude: [...OF_A_PROCESS, ...LONG, IN_A_DOCUMENT],
          isolate: false,
          execArgv,
        },
      },
      { extends: true, test: { ...ofEach, name: 'isolated', include: OF_A_PROCESS, exclude: LONG } },
      {
        extends: true,
        test: {
          ...ofEach,
          name: 'document',
          include: [IN_A_DOCUMENT],
          environment: 'happy-dom',
          isolate: false,
          execArgv,
        },
      },
    ],
  },
});
