import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MUTANTS, type Mutant } from './mutants/billing-mutants.ts';

const SUITES = [
  'projection/projection.property',
  'projection/charges.property',
  'projection/paid-periods',
  'projection/set-aside',
  'projection/subscription-states',
];
/** How many of the tests that notice a mutant are named. */
const NAMED = 4;
/** The cases are those of `npm test`, also in the long run: half as many, or others, overlook one mistake or another. */
const CASES = { TEST_LONG: '0', TEST_TIMES: '1' };
const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'parley-mutants-'));

interface Report {
  testResults: { message: string; assertionResults: { title: string; status: string }[] }[];
}

try {
  copyTree();
  const fails = failing();
  if (fails.length > 0) throw new Error(`the suite fails without any mutant: ${fails.join('; ')}`);
  const survivors = MUTANTS.filter((mutant) => !hunt(mutant));
  console.log(`\n${MUTANTS.length - survivors.length} of ${MUTANTS.length} mutants killed`);
  process.exitCode = survivors.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The sources that the suite needs, to be changed in a copy. */
function copyTree(): void {
  for (const each of ['contract', 'server', 'test', 'package.json'])
    cpSync(join(root, each), join(folder, each), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const include = SUITES.map((suite) => `server/billing/${suite}.test.ts`);
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default ${JSON.stringify({ test: { include, setupFiles: ['./test/setup/seed.ts'], testTimeout: 60_000 } })};`,
  );
}

/** The titles of the tests that fail in the copy, as far as their letter and number where they have one. */
function failing(): string[] {
  const output = join(folder, 'report.json');
  rmSync(output, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const run = spawnSync(
    process.execPath,
    [vitest, 'run', '--reporter=json', `--outputFile=${output}`, '--config=vitest.config.mjs'],
    { cwd: folder, env: { ...process.env, ...CASES }, encoding: 'utf8' },
  );
  const report = readReport(output, run.stderr);
  const broken = report.testResults.filter(({ assertionResults }) => assertionResults.length === 0);
  if (broken.length > 0) throw new Error(`the suite did not run: ${broken[0]?.message}`);
  return report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ title }) => /^P\d+[a-z]?/.exec(title)?.[0] ?? `"${title}"`);
}

function readReport(output: string, problem: string): Report {
  try {
    return JSON.parse(readFileSync(output, 'utf8')) as Report;
  } catch {
    throw new Error(`the suite wrote no report: ${problem}`);
  }
}

/** Puts the mutant into the copy, runs the suite, takes it out. True: a test noticed. */
function hunt({ name, changes }: Mutant): boolean {
  const originals = new Map<string, string>();
  for (const { file, from, to } of changes) {
    const path = join(folder, 'server/billing', file);
    const text = readFileSync(path, 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${name}: ${file} does not hold once: ${from}`);
    originals.set(path, originals.get(path) ?? text);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
  }
  const killers = failing();
  for (const [path, text] of originals) writeFileSync(path, text);
  const named = [...new Set(killers)].sort((a, b) => a.length - b.length);
  const more = named.length > NAMED ? ` and ${named.length - NAMED} more` : '';
  const by = `${named.slice(0, NAMED).join(', ')}${more}`;
  console.log(killers.length > 0 ? `killed    ${name}  by ${by}` : `SURVIVED  ${name}`);
  return killers.length > 0;
}
