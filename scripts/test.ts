import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBrowser } from './suite/browser-suite.ts';
import { CHECKS } from './suite/checks.ts';
import { stopPrograms } from './suite/run-program.ts';
import type { Counts, Step } from './suite/step.ts';
import { runVitest } from './suite/vitest-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-report-'));
const STEPS: Step[] = [
  ...CHECKS,
  { name: 'vitest', run: (selection) => runVitest(folder, selection) },
  { name: 'browser', run: (selection) => runBrowser(folder, selection) },
];

const [flag, only, ...selection] = process.argv.slice(2);
const chosen = flag === '--only' ? STEPS.filter((step) => step.name === only) : STEPS;
if ((flag && flag !== '--only') || chosen.length === 0) {
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

const results: { name: string; seconds: number; counts: Counts }[] = [];
for (const step of chosen) {
  console.log(`\n── ${step.name}`);
  const started = performance.now();
  const counts = await step.run(selection);
  const seconds = (performance.now() - started) / 1000;
  results.push({ name: step.name, seconds, counts });
  console.log(`── ${step.name}: ${counts.failed > 0 ? 'FAILED' : 'ok'} in ${seconds.toFixed(1)} s`);
}
rmSync(folder, { recursive: true, force: true });

const sum = (key: keyof Counts) => results.reduce((total, { counts }) => total + counts[key], 0);
console.log('');
for (const { name, seconds, counts } of results) {
  console.log(
    `${counts.failed > 0 ? '✗' : '✓'} ${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s  ${line(counts)}`,
  );
}
const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
console.log(`\n${line(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;

function line({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
