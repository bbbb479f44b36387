import { expect, it } from 'vitest';
import { browserCounts } from './browser-suite.ts';
import { vitestCounts } from './vitest-suite.ts';

const vitest = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 2, numTodoTests: 1, testResults: [] };
const playwright = { stats: { expected: 5, unexpected: 1, flaky: 0, skipped: 2 }, errors: [] };

it('tests passed, failed and left out are counted', () => {
  expect(vitestCounts(vitest, true)).toEqual({ passed: 7, failed: 0, skipped: 3 });
  expect(browserCounts(playwright, false)).toEqual({ passed: 5, failed: 1, skipped: 2 });
});

it('a file that does not load is one failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{}] },
  ];
  expect(vitestCounts({ ...vitest, numFailedTests: 1, testResults }, false).failed).toBe(2);
});

it('an exit code that no test explains is one failure', () => {
  expect(vitestCounts(vitest, false).failed).toBe(1);
  const stats = { ...playwright.stats, unexpected: 0 };
  expect(browserCounts({ ...playwright, stats }, false).failed).toBe(1);
  expect(browserCounts({ ...playwright, stats }, true).failed).toBe(0);
});

it('a journey that passed only when repeated, or a broken setup, is a failure', () => {
  const stats = { ...playwright.stats, unexpected: 0, flaky: 1 };
  expect(browserCounts({ stats, errors: [{}] }, false).failed).toBe(2);
});
