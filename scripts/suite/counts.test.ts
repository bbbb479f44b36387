import { expect, it } from 'vitest';
import { browserCounts } from './browser-suite.ts';
import { vitestCounts } from './vitest-suite.ts';

const vitest = {
  ...{ numPassedTests: 7, numFailedTests: 0, numPendingTests: 2, numTodoTests: 1 },
  ...{ numFailedTestSuites: 0, testResults: [] },
};
const test = { status: 'unexpected', results: [{ errors: [{ message: '\u001b[31mExpected 1\u001b[39m' }] }] };
const passed = { status: 'expected', results: [{ errors: [] }] };
const suites = [
  {
    specs: [],
    suites: [
      {
        specs: [
          { file: 'chat.spec.ts', line: 7, title: 'a message is sent', tests: [passed, test] },
          { file: 'chat.spec.ts', line: 9, title: 'a message is read', tests: [passed] },
        ],
      },
    ],
  },
];
const playwright = { stats: { expected: 5, unexpected: 1, flaky: 0, skipped: 2 }, errors: [], suites };
const file = { name: 'a.test.ts', status: 'failed', message: 'no such import', assertionResults: [] };
const assertion = {
  ...{ fullName: 'a sum', ancestorTitles: ['sums'], status: 'failed' },
  failureMessages: ['expected 1 to be 2\n  at …'],
};
const loaded = (assertionResults: unknown[]) => ({ ...file, message: '', assertionResults });

it('tests passed, failed and left out are counted', () => {
  expect(vitestCounts(vitest, true)).toMatchObject({ passed: 7, failed: 0, skipped: 3 });
  expect(browserCounts(playwright, false)).toMatchObject({ passed: 5, failed: 1, skipped: 2 });
});

it('a file that does not load is one failure', () => {
  const testResults = [file, loaded([assertion])];
  const report = { ...vitest, numFailedTests: 1, numFailedTestSuites: 3, testResults };
  expect(vitestCounts(report, false).failed).toBe(2);
});

it('a hook that fails is a failure, also where tests fail beside it', () => {
  const skipped = { ...assertion, ancestorTitles: ['more'], status: 'skipped', failureMessages: [] };
  const beside = loaded([assertion, skipped]);
  const report = { ...vitest, numFailedTests: 1, numFailedTestSuites: 3, testResults: [beside] };
  const counts = vitestCounts(report, false);
  expect(counts.failed).toBe(2);
  expect(counts.failures[0]).toContain('a hook');
  const three = { ...report, numFailedTestSuites: 5, testResults: [beside, loaded([skipped])] };
  expect(vitestCounts(three, false).failed).toBe(3);
  const ofFile = {
    ...report,
    numFailedTestSuites: 2,
    testResults: [{ ...file, assertionResults: [assertion] }],
  };
  expect(vitestCounts(ofFile, false).failed).toBe(2);
});

it('an exit code that no test explains is one failure', () => {
  expect(vitestCounts(vitest, false).failed).toBe(1);
  const stats = { ...playwright.stats, unexpected: 0 };
  expect(browserCounts({ ...playwright, stats }, false).failed).toBe(1);
  expect(browserCounts({ ...playwright, stats }, true).failed).toBe(0);
});

it('a journey that passed only when repeated, or a broken setup, is a failure', () => {
  const stats = { ...playwright.stats, unexpected: 0, flaky: 1 };
  expect(browserCounts({ stats, errors: [{}], suites: [] }, false).failed).toBe(2);
});

it('what failed is named with the beginning of its reason', () => {
  const testResults = [file, loaded([assertion, { ...assertion, status: 'passed' }])];
  const report = { ...vitest, numFailedTests: 1, numFailedTestSuites: 3, testResults };
  expect(vitestCounts(report, false).failures).toEqual([
    'a.test.ts\n    no such import',
    'a.test.ts: a sum\n    expected 1 to be 2\n      at …',
  ]);
  expect(browserCounts(playwright, false).failures).toEqual([
    'chat.spec.ts:7: a message is sent\n    Expected 1',
  ]);
});
