import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { duplicatesOf } from './measure/duplicates.ts';
import { exportsOnlyForTests } from './measure/exports.ts';
import { arrowsOf, arrowsUp } from './measure/rooms.ts';
import {
  type Distribution,
  distributionOf,
  filesPerFolder,
  functionLines,
  sizesByFolder,
  verbsOf,
} from './measure/sizes.ts';
import { parseSource, type SourceFile } from './structure/source-file.ts';
import { isVerb } from './structure/vocabulary.ts';

/**
 * `npm run measure:code [-- FOLDER]`: prints what can be counted of the code in a checkout, this one or the one at FOLDER, so that
 * two versions can be laid side by side.
 */

const SOURCES = '{bench,contract,e2e,emulators,i18n,scripts,server,test,web}/**/*.{ts,tsx}';
const CROWDED = 20;
const DOMAINS = [
  'server/accounts',
  'server/billing',
  'server/chat',
  'server/platform',
  'web/features/accounts',
  'web/features/chat',
  'web/features/billing',
];

const folder = process.argv[2] ?? '.';
const files = globSync(SOURCES, { cwd: folder })
  .toSorted()
  .map((path) => parseSource(path, readFileSync(join(folder, path), 'utf8')));
const source = files.filter((file) => !file.isTest);

printFolders();
printShapes();
printRooms();
printNames();
printDuplicates();

function printFolders() {
  console.log('folder                        files   lines    tests   lines');
  for (const one of sizesByFolder(files, 2)) {
    const numbers = [one.sourceFiles, one.sourceLines, one.testFiles, one.testLines];
    console.log(`${one.folder.padEnd(28)}${numbers.map((number) => String(number).padStart(8)).join('')}`);
  }
  const lines = (some: SourceFile[]) => some.reduce((sum, file) => sum + file.lineCount, 0);
  const [all, product] = [lines(source), lines(source.filter(({ path }) => /^(server|web)\//.test(path)))];
  const tests = lines(files) - all;
  console.log(`\nlines: ${all} source (${product} in server/ and web/), ${tests} tests`);
  console.log(`tests to source: ${(tests / all).toFixed(2)}`);
}

function printShapes() {
  const perFolder = filesPerFolder(files);
  const crowded = [...perFolder].filter(([, count]) => count > CROWDED).toSorted((a, b) => b[1] - a[1]);
  console.log(`\nlines of a file: ${shape(distributionOf(source.map((file) => file.lineCount)))}`);
  console.log(`lines of a function: ${shape(distributionOf(functionLines(source)))}`);
  console.log(`files in a folder: ${shape(distributionOf([...perFolder.values()]))}`);
  console.log(`folders with more than ${CROWDED} source files: ${crowded.length}`);
  for (const [name, count] of crowded) console.log(`  ${name}: ${count}`);
}

function shape({ count, median, p95, max }: Distribution): string {
  return `${count}, median ${median}, 95th percentile ${p95}, most ${max}`;
}

function printRooms() {
  console.log('\nrooms (folders) of a domain, arrows between them, and those that run up:');
  for (const domain of DOMAINS) {
    const roomOf = (path: string) =>
      path.startsWith(`${domain}/`) ? path.split('/').slice(0, -1).join('/') : null;
    report(domain, roomOf);
  }
  report('the domains of the server', (path) => /^server\/[^/]+(?=\/)/.exec(path)?.[0] ?? null);
}

function report(name: string, roomOf: (path: string) => string | null) {
  const rooms = new Set(source.flatMap(({ path }) => roomOf(path) ?? []));
  const arrows = arrowsOf(source, roomOf);
  const up = arrowsUp(arrows);
  const said = up.map(({ from, to, imports }) => `${from} -> ${to} (${imports})`);
  console.log(
    `  ${name}: ${rooms.size} rooms, ${arrows.length} arrows, ${up.length} up ${said.join(', ')}`.trimEnd(),
  );
}

function printNames() {
  const verbs = verbsOf(files, isVerb);
  console.log(`\nverbs in names of files: ${verbs.size}`);
  const ordered = [...verbs].toSorted((a, b) => b[1] - a[1]);
  console.log(`  ${ordered.map(([verb, count]) => `${verb} ${count}`).join(', ')}`);
  const lonely = exportsOnlyForTests(files);
  console.log(`exports that only tests use: ${lonely.length}`);
  for (const { path, name } of lonely) console.log(`  ${path}: ${name}`);
}

function printDuplicates() {
  const found = duplicatesOf(source);
  console.log(`\nruns of eight and more lines that stand twice: ${found.length}`);
  for (const { path, line, otherPath, otherLine, lines } of found.slice(0, 20)) {
    console.log(`  ${lines} lines: ${path}:${line} and ${otherPath}:${otherLine}`);
  }
}
