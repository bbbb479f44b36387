import { globSync } from 'node:fs';
import { runProgram } from './run-program.ts';
import { checkCounts, type Step } from './step.ts';

const timeoutMinutes = 5;

/** Lint and format, types, dead code, structure, dictionaries: what is checked without running the product. */
export const CHECKS: Step[] = [
  check('lint', 'biome', ['check', '--error-on-warnings', '--colors=off']),
  { name: 'types', run: checkTypes },
  check('dead-code', 'knip', ['--no-progress']),
  check('structure', 'scripts/check-structure.ts', []),
  check('i18n', 'scripts/check-i18n.ts', []),
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

/** The routes' types are generated first; then one run for each runtime. */
async function checkTypes() {
  let output = '';
  const routes = await runProgram('react-router', ['typegen'], { timeoutMinutes });
  let ok = routes.ok;
  if (!routes.ok) output += routes.output;
  for (const project of globSync('tsconfig*.json').sort()) {
    const result = await runProgram('tsc', ['-p', project, '--pretty', 'false'], { timeoutMinutes });
    ok &&= result.ok;
    if (!result.ok) output += `${project}:\n${result.output}`;
  }
  return checkCounts(ok, output);
}
