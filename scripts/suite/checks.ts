import { globSync } from 'node:fs';
import { buildWeb } from '../build/build-web.ts';
import { runProgram } from './run-program.ts';
import { checkCounts, oneFailed, type Step } from './step.ts';

const timeoutMinutes = 5;

/**
 * Lint and format, types, dead code, structure, dictionaries: what is checked without running the product. Then the pages are built,
 * which the browser step wants: here a core is free for it.
 */
export const CHECKS: Step[] = [
  check('lint', 'biome', ['check', '--error-on-warnings', '--colors=off']),
  { name: 'types', run: checkTypes },
  check('dead-code', 'knip', ['--no-progress']),
  check('structure', 'scripts/check-structure.ts', []),
  check('i18n', 'scripts/check-i18n.ts', []),
  { name: 'build', run: checkBuild },
];

function check(name: string, program: string, flags: string[]): Step {
  return {
    name,
    run: async (selection) => {
      const { ok, output } = await runProgram(program, [...flags, ...selection], { timeoutMinutes });
      return checkCounts(ok, output);
    },
  };
}

/** Pages that are built already are left as they are. */
async function checkBuild() {
  const reason = await buildWeb().then(
    () => null,
    (error) => String(error),
  );
  if (reason !== null) console.log(reason);
  return reason === null ? checkCounts(true, '') : oneFailed(reason);
}

/**
 * The routes' types are generated first; then one run for each runtime: on one thread, because each further one checks again what it
 * shares with others, and with garbage collected less often. Both together take half the processor time.
 */
async function checkTypes() {
  let output = '';
  const routes = await runProgram('react-router', ['typegen'], { timeoutMinutes });
  let ok = routes.ok;
  if (!routes.ok) output += routes.output;
  for (const project of globSync('tsconfig*.json').sort()) {
    const flags = ['-p', project, '--pretty', 'false', '--singleThreaded'];
    const result = await runProgram('tsc', flags, { env: { GOGC: '400' }, timeoutMinutes });
    ok &&= result.ok;
    if (!result.ok) output += `${project}:\n${result.output}`;
  }
  return checkCounts(ok, output);
}
