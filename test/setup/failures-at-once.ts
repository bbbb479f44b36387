import type { Reporter, TestCase } from 'vitest/node';

type Failure = NonNullable<ReturnType<TestCase['result']>['errors']>[number];

/** Prints why a test failed as soon as it did: a long run that is cut off has told it by then. */
export class FailuresAtOnce implements Reporter {
  onTestCaseResult(test: TestCase): void {
    for (const error of test.result().errors ?? [])
      process.stdout.write(`FAILED ${test.module.relativeModuleId}: ${test.fullName}\n${reasonOf(error)}\n`);
  }
}

function reasonOf({ stack, message, diff, cause }: Failure): string {
  const lines = [stack ?? message, diff, cause && `Caused by: ${reasonOf(cause as Failure)}`];
  return lines.filter((line) => line).join('\n');
}
