import type { ESTree } from 'vite';
import { placeOf } from './places.ts';
import { type Problem, type SourceFile, walk } from './source-file.ts';

/** Frameworks load these modules by their default export. */
const DEFAULT_EXPORTS =
  /^([^/]+\.config\.ts|web\/(root|entry\.[a-z]+|routes)\.tsx?|web\/pages\/.+\.tsx|test\/setup\/global-setup\.ts)$/;
const ENVIRONMENT = /^(server\/(config|main)\.ts|(scripts|emulators|test|e2e|bench)\/.+|[^/]+\.config\.ts)$/;
const COMMENTS: [pattern: RegExp, text: string][] = [
  [/@ts-(ignore|nocheck|expect-error)/, 'the type checker is right or the type is wrong; mend the type'],
  [/\b(TODO|FIXME|XXX|HACK)\b/, 'nothing is left for later in the tree; do it, or open an issue'],
];

/** What is never written: escapes from types, default exports, barrels, module mocks, tests left out, stray `process.env`. */
export function checkForbidden(files: SourceFile[]): Problem[] {
  return files.flatMap((file) => {
    const problems: Problem[] = [];
    const add = (rule: string, offset: number, text: string) =>
      problems.push({ rule, path: file.path, line: file.lineOf(offset), text });
    walk(file.program, (node) => {
      inNode(file, node, add);
      return true;
    });
    for (const comment of file.comments) {
      for (const [pattern, text] of COMMENTS) {
        const found = pattern.exec(comment.value);
        if (found) add('comment-words', comment.start, `\`${found[0]}\`: ${text}`);
      }
    }
    if (isBarrel(file.program)) {
      add(
        'barrel',
        0,
        'a file that only re-exports hides where things are; import from the files themselves',
      );
    }
    return problems;
  });
}

type Add = (rule: string, offset: number, text: string) => void;

function inNode(file: SourceFile, node: ESTree.Node, add: Add): void {
  if (node.type === 'TSAnyKeyword')
    add('any', node.start, '`any` switches checking off; use `unknown` and parse');
  if (node.type === 'TSNonNullExpression') {
    add(
      'non-null',
      node.start,
      '`!` claims what the compiler cannot see; test for it, or throw with a sentence',
    );
  }
  if (node.type === 'ExportDefaultDeclaration' && !DEFAULT_EXPORTS.test(file.path)) {
    add('default-export', node.start, 'a default export has no name to search for; export by name');
  }
  if (node.type === 'ExportAllDeclaration') {
    add('barrel', node.start, '`export *` hides where things are; import from the file itself');
  }
  if (node.type === 'MemberExpression') {
    if (isProcessEnv(node) && !file.isTest && !ENVIRONMENT.test(file.path)) {
      add(
        'environment',
        node.start,
        'the environment is parsed once, in server/config.ts; take the value from `Config`',
      );
    }
    inTestCall(file, node, add);
  }
}

function inTestCall(file: SourceFile, node: ESTree.MemberExpression, add: Add): void {
  if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier') return;
  const object = node.object.name;
  const property = node.property.name;
  if (/^(vi|vitest|jest)$/.test(object) && /^(mock|doMock|unstable_mockModule)$/.test(property)) {
    add('module-mock', node.start, 'no module mocks: pass another value in, or start an emulator');
  }
  const { area } = placeOf(file.path);
  if (!file.isTest && area !== 'test') return;
  if (/^(it|test|describe|bench)$/.test(object) && /^(skip|only|todo|fixme|fails)$/.test(property)) {
    add(
      'test-left-out',
      node.start,
      `\`${object}.${property}\` leaves tests out of the count; mend or delete them`,
    );
  }
}

function isProcessEnv(node: ESTree.MemberExpression): boolean {
  return (
    node.object.type === 'Identifier' &&
    node.object.name === 'process' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'env'
  );
}

function isBarrel(program: ESTree.Program): boolean {
  const body = program.body.filter((node) => node.type !== 'ImportDeclaration');
  return (
    body.length > 0 && body.every((node) => node.type === 'ExportNamedDeclaration' && node.source !== null)
  );
}
