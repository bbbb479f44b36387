import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runProgram } from './run-program.ts';
import { type Counts, describeFailure, oneFailed } from './step.ts';

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

/** Minutes after which a run is stopped: one with ten times the cases is a long one. */
const LIMIT = { usual: 20, long: 150 };

/** Runs Vitest (all, or the files that `selection` names) and counts its tests; reports go into `folder`. */
export async function runVitest(folder: string, selection: string[], isLong: boolean): Promise<Counts> {
  const report = join(folder, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { ok } = await runProgram('vitest', ['run', ...reporters, ...selection], {
    live: true,
    timeoutMinutes: isLong ? LIMIT.long : LIMIT.usual,
  });
  try {
    return vitestCounts(JSON.parse(readFileSync(report, 'utf8')), ok);
  } catch (error) {
    const reason = `no report from vitest: ${String(error)}`;
    console.log(reason);
    return oneFailed(reason);
  }
}

/** Counts of a report; a file that could not be loaded is one failure, and so is an exit code that no test explains. */
export function vitestCounts(json: unknown, ok: boolean): Counts {
  const report = reportSchema.parse(json);
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const failures = report.testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => describeFailure(`${file.name}: ${test.fullName}`, test.failureMessages.join('\n'))),
  );
  const failed = report.numFailedTests + broken.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [...broken.map((file) => describeFailure(file.name, file.message)), ...failures],
  };
}
