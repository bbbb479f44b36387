import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ensureBubblewrap, ensureChromium } from '../setup-chromium.ts';
import { runProgram } from './run-program.ts';
import { type Counts, describeFailure, oneFailed } from './step.ts';

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numFailedTestSuites: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          ancestorTitles: z.array(z.string()),
          status: z.string(),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
});

/** Minutes after which a run is stopped: one with five times the cases is a long one. */
const TIMEOUT_MINUTES = { usual: 35, long: 120 };

/** Runs Vitest (all, or the files that `selection` names) and counts its tests; reports go into `folder`. */
export async function runVitest(folder: string, selection: string[], isLong: boolean): Promise<Counts> {
  const report = join(folder, 'vitest.json');
  // Tests of the browser's walls are skipped, and counted, where these cannot be had.
  const chromium = await ensureChromium().catch(() => null);
  if (chromium === null || !(await ensureBubblewrap()))
    console.log('skipped: tests of the walls of Computer Use need Chromium and the package bubblewrap');
  if (spawnSync('promtool', ['--version']).status !== 0)
    console.log('skipped: tests of the alert rules need promtool (Debian: the package prometheus)');
  const { ok } = await runProgram('vitest', ['run', ...selection], {
    env: { TEST_REPORT: report, ...(chromium === null ? {} : { CHROMIUM_PATH: chromium }) },
    live: true,
    timeoutMinutes: isLong ? TIMEOUT_MINUTES.long : TIMEOUT_MINUTES.usual,
  });
  try {
    return vitestCounts(JSON.parse(readFileSync(report, 'utf8')), ok);
  } catch (error) {
    const reason = `no report from vitest: ${String(error)}`;
    console.log(reason);
    return oneFailed(reason);
  }
}

type Report = z.infer<typeof reportSchema>;

/**
 * Counts of a report. A file that could not be loaded is one failure, and so is a group of tests whose hook failed, and an exit code
 * that nothing explains.
 */
export function vitestCounts(json: unknown, ok: boolean): Counts {
  const report = reportSchema.parse(json);
  const broken = report.testResults.filter(
    ({ status, message, assertionResults }) =>
      status === 'failed' && (message !== '' || assertionResults.length === 0),
  );
  const hooks = countHooks(report);
  const failures = report.testResults.flatMap((file) =>
    failedIn(file).map((test) =>
      describeFailure(`${file.name}: ${test.fullName}`, test.failureMessages.join('\n')),
    ),
  );
  const failed = report.numFailedTests + broken.length + hooks;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...broken.map((file) => describeFailure(file.name, file.message)),
      ...(hooks > 0 ? [`groups of tests that a hook failed: ${hooks}, named above`] : []),
      ...failures,
    ],
  };
}

/** Groups of tests that failed though none of their tests did: the report has only their number. */
function countHooks({ numFailedTestSuites, testResults }: Report): number {
  const explained = testResults
    .filter(({ status }) => status === 'failed')
    .map((file) => {
      const groups = failedIn(file).flatMap(({ ancestorTitles }) =>
        ancestorTitles.map((_, n) => JSON.stringify(ancestorTitles.slice(0, n + 1))),
      );
      return 1 + new Set(groups).size;
    });
  return Math.max(0, numFailedTestSuites - explained.reduce((sum, count) => sum + count, 0));
}

function failedIn({ assertionResults }: Report['testResults'][number]) {
  return assertionResults.filter(({ status }) => status === 'failed');
}
