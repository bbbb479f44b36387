import { globSync, readFileSync } from 'node:fs';
import { checkBudgets } from './structure/check-budgets.ts';
import { checkCycles } from './structure/check-cycles.ts';
import { checkForbidden } from './structure/check-forbidden.ts';
import { checkImports } from './structure/check-imports.ts';
import { checkRooms } from './structure/check-rooms.ts';
import { checkVocabulary } from './structure/check-vocabulary.ts';
import { EXCEPTIONS, type Exception } from './structure/exceptions.ts';
import { type Problem, parseSource, type SourceFile } from './structure/source-file.ts';
import { NOUNS } from './structure/vocabulary.ts';

const SOURCES = ['{bench,contract,e2e,emulators,i18n,scripts,server,test,web}/**/*.{ts,tsx}', '*.ts'];

interface Lists {
  exceptions: Exception[];
  /** Paths named by a noun, each with its reason. */
  nouns: Record<string, string>;
}

/** Every finding in a set of files, less what `lists` excuses; what a list names in vain is a finding too. */
export function checkStructure(files: SourceFile[], lists: Lists): Problem[] {
  const { exceptions, nouns } = lists;
  const found = [
    ...checkImports(files),
    ...checkCycles(files),
    ...checkRooms(files),
    ...checkVocabulary(files),
    ...checkBudgets(files),
    ...checkForbidden(files),
  ];
  const excuses = (one: Exception, problem: Problem) =>
    one.rule === problem.rule && one.path === problem.path;
  const paths = new Set(files.map((file) => file.path));
  const idle = [
    ...exceptions
      .filter((one) => !found.some((problem) => excuses(one, problem)))
      .map((one) => `the exception ${one.rule} for ${one.path} excuses nothing; delete it`),
    ...Object.keys(nouns)
      .filter((path) => !paths.has(path))
      .map((path) => `${path} is listed but does not exist; delete it from the list`),
  ];
  return [
    ...found.filter((problem) => !exceptions.some((one) => excuses(one, problem))),
    ...idle.map((text) => ({ rule: 'lists', path: 'scripts/structure', line: null, text })),
  ];
}

if (import.meta.main) {
  const files = globSync(SOURCES).map((path) => parseSource(path, readFileSync(path, 'utf8')));
  const problems = checkStructure(files, { exceptions: EXCEPTIONS, nouns: NOUNS });
  for (const { path, line, rule, text } of problems)
    console.log(`${path}${line ? `:${line}` : ''} [${rule}] ${text}`);
  console.log(`structure: ${files.length} files, ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
