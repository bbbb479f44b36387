import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBrowser } from './suite/browser-suite.ts';
import { CHECKS } from './suite/checks.ts';
import { releaseChecks } from './suite/release-checks.ts';
import { stopPrograms } from './suite/run-program.ts';
import type { Counts, Step } from './suite/step.ts';
import { runVitest } from './suite/vitest-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-report-'));
const flags = process.argv.slice(2);
const isLong = flags[0] === '--long';
if (isLong) process.env.TEST_LONG = '1';
const VITEST: Step = { name: 'vitest', run: (selection) => runVitest(folder, selection, isLong) };
const BROWSER: Step = {
  name: 'browser',
  run: (selection) => runBrowser(folder, selection, isLong),
};
/** Groups run one after the other; the lanes of a group run side by side, each its steps in turn. */
const GROUPS: Step[][][] = [[CHECKS, [VITEST]], [[BROWSER]], ...(isLong ? [[releaseChecks(folder)]] : [])];
const STEPS = GROUPS.flat(2);

const [flag, only, ...selection] = isLong ? flags.slice(1) : flags;
const isChosen = (step: Step) => flag !== '--only' || step.name === only;
if ((flag && flag !== '--only') || !STEPS.some(isChosen)) {
  console.error(`usage: npm test [-- --only ${STEPS.map((step) => step.name).join('|')} [arguments …]]`);
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopPrograms(signal);
    rmSync(folder, { recursive: true, force: true });
    process.exit(130);
  });
}

const results = new Map<Step, { seconds: number; counts: Counts }>();
for (const lanes of GROUPS) await Promise.all(lanes.map(runInTurn));
rmSync(folder, { recursive: true, force: true });

console.log('');
for (const [{ name }, { seconds, counts }] of [...results].sort(byPlace)) {
  console.log(
    `${counts.failed > 0 ? '✗' : '✓'} ${name.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s  ${line(counts)}`,
  );
}
for (const [{ name }, { counts }] of results)
  for (const failure of counts.failures) console.log(`\n✗ ${name}: ${failure}`);
const sum = (key: 'passed' | 'failed' | 'skipped') =>
  [...results.values()].reduce((total, { counts }) => total + counts[key], 0);
const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
console.log(`\n${line(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;

function byPlace([one]: [Step, unknown], [other]: [Step, unknown]): number {
  return STEPS.indexOf(one) - STEPS.indexOf(other);
}

async function runInTurn(steps: Step[]): Promise<void> {
  for (const step of steps.filter(isChosen)) {
    console.log(`\n── ${step.name}`);
    const started = performance.now();
    const counts = await step.run(selection);
    const seconds = (performance.now() - started) / 1000;
    results.set(step, { seconds, counts });
    console.log(`── ${step.name}: ${counts.failed > 0 ? 'FAILED' : 'ok'} in ${seconds.toFixed(1)} s`);
  }
}

function line({ passed, failed, skipped }: Omit<Counts, 'failures'>): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
