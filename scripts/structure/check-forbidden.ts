import type { ESTree } from 'vite';
import { placeOf } from './places.ts';
import { type Problem, type SourceFile, walk } from './source-file.ts';

/** Frameworks load these modules by their default export. */
const DEFAULT_EXPORTS =
  /^([^/]+\.config\.ts|web\/(root|entry\.[a-z]+|routes)\.tsx?|web\/pages\/.+\.tsx|test\/setup\/global-setup\.ts)$/;
const ENVIRONMENT = /^(server\/(config|main)\.ts|(scripts|emulators|test|e2e|bench)\/.+|[^/]+\.config\.ts)$/;
/** Who notifies other processes: by a statement, and by the driver's call. */
const NOTIFIERS = {
  statement: 'server/platform/database/bus.ts',
  call: 'server/platform/database/instance.ts',
};
const SUFFIXED_BOUND = /^[A-Z][A-Z0-9_]*_(MAX|MIN|LIMIT)(_(MS|S|MB|PX|BYTES))?$/;
const COMMENTS: [pattern: RegExp, text: string][] = [
  [/@ts-(ignore|nocheck|expect-error)/, 'the type checker is right or the type is wrong; mend the type'],
  [/\b(TODO|FIXME|XXX|HACK)\b/, 'nothing is left for later in the tree; do it, or open an issue'],
];

/** What is never written: escapes from types, bounds of other names, default exports, barrels, module mocks, tests left out, stray `process.env` and notifications. */
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

/** A number or a text; several numbers in an object are a limit. */
function isSuffixedBound({ id, init }: ESTree.VariableDeclarator): boolean {
  return id.type === 'Identifier' && SUFFIXED_BOUND.test(id.name) && init?.type !== 'ObjectExpression';
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
  if (node.type === 'VariableDeclarator' && isSuffixedBound(node)) {
    add('bound-name', node.start, 'a bound is found by one word: its name begins with `MAX_` or `MIN_`');
  }
  if (node.type === 'ExportAllDeclaration') {
    add('barrel', node.start, '`export *` hides where things are; import from the file itself');
  }
  if (!file.isTest && isNotification(file.path, node)) {
    add(
      'notify',
      node.start,
      'a transaction that writes and notifies has all others wait for the disk (decision 93); publish to the bus',
    );
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

function isNotification(path: string, node: ESTree.Node): boolean {
  if (node.type === 'TemplateElement') return isStatement(path, node.value.raw);
  if (node.type === 'Literal') return isStatement(path, node.value);
  if (node.type !== 'MemberExpression' || path === NOTIFIERS.call) return false;
  const { object, property } = node;
  const isSql = object.type === 'Identifier' && /^(sql|tx)$/.test(object.name);
  const isOfDatabase =
    object.type === 'MemberExpression' &&
    object.property.type === 'Identifier' &&
    object.property.name === 'sql';
  return (isSql || isOfDatabase) && property.type === 'Identifier' && property.name === 'notify';
}

function isStatement(path: string, text: unknown): boolean {
  return path !== NOTIFIERS.statement && typeof text === 'string' && /\bpg_notify\b/i.test(text);
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
