import type { ESTree } from 'vite';
import { type Problem, type SourceFile, walk } from './source-file.ts';

const MAX_FILE = 400;
const FILE_MEDIAN = 70;
const FILE_P95 = 250;
const MAX_FUNCTION = 70;
const MAX_COMPONENT = 120;
const MAX_COMMENT = 3;
const MAX_IMPORTS = 15;

/** Sizes: files, functions, comment blocks, imports. */
export function checkBudgets(files: SourceFile[]): Problem[] {
  return [
    ...files.flatMap(fileSize),
    ...files.filter((file) => !file.isTest).flatMap(functionSizes),
    ...files.flatMap(commentSizes),
    ...files.flatMap(importCount),
    ...distribution(files.filter((file) => !file.isTest)),
  ];
}

function fileSize({ path, lineCount }: SourceFile): Problem[] {
  if (lineCount <= MAX_FILE) return [];
  const text = `${lineCount} lines, the limit is ${MAX_FILE}; split it by act or by noun`;
  return [{ rule: 'file-size', path, line: null, text }];
}

function distribution(files: SourceFile[]): Problem[] {
  const sizes = files.map((file) => file.lineCount).sort((a, b) => a - b);
  const at = (share: number) => sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))] ?? 0;
  const fault = (name: string, value: number, limit: number) =>
    value <= limit
      ? []
      : [
          {
            rule: 'file-distribution',
            path: '.',
            line: null,
            text: `the ${name} of ${sizes.length} source files is ${value} lines, the limit is ${limit}; split the files that do two things`,
          },
        ];
  return [...fault('median', at(0.5), FILE_MEDIAN), ...fault('95th percentile', at(0.95), FILE_P95)];
}

function functionSizes(file: SourceFile): Problem[] {
  const problems: Problem[] = [];
  const measure = (node: ESTree.Node, name: string) => {
    const line = file.lineOf(node.start);
    const size = file.lineOf(node.end) - line + 1;
    const component = file.path.endsWith('.tsx') && /^[A-Z]/.test(name);
    const limit = component ? MAX_COMPONENT : MAX_FUNCTION;
    if (size <= limit) return;
    const what = component ? 'component' : 'function';
    const text = `${what} ${name} has ${size} lines, the limit is ${limit}; give its parts names of their own`;
    problems.push({ rule: 'function-size', path: file.path, line, text });
  };
  let declared = '(unnamed)';
  walk(file.program, (node) => {
    if (node.type === 'VariableDeclarator')
      declared = node.id.type === 'Identifier' ? node.id.name : declared;
    if (node.type === 'MethodDefinition' && 'name' in node.key) declared = String(node.key.name);
    if (
      node.type !== 'FunctionDeclaration' &&
      node.type !== 'FunctionExpression' &&
      node.type !== 'ArrowFunctionExpression'
    ) {
      return true;
    }
    measure(node, ('id' in node && node.id?.name) || declared);
    return false;
  });
  return problems;
}

function commentSizes(file: SourceFile): Problem[] {
  const problems: Problem[] = [];
  const fault = (line: number, size: number) =>
    problems.push({
      rule: 'comment-size',
      path: file.path,
      line,
      text: `a comment of ${size} lines, the limit is ${MAX_COMMENT}; say only why, and put a page into docs/decisions/`,
    });
  let first = 0;
  let last = -1;
  const flush = () => {
    if (last - first + 1 > MAX_COMMENT) fault(first, last - first + 1);
    last = -1;
  };
  for (const comment of file.comments) {
    const start = file.lineOf(comment.start);
    const end = file.lineOf(comment.end);
    if (comment.type === 'Line') {
      if (last >= 0 && start !== last + 1) flush();
      if (last < 0) first = start;
      last = start;
      continue;
    }
    flush();
    if (!comment.value.startsWith('*') && end - start + 1 > MAX_COMMENT) fault(start, end - start + 1);
  }
  flush();
  return problems;
}

function importCount(file: SourceFile): Problem[] {
  const sources = new Set(file.imports.map((one) => one.specifier));
  if (sources.size <= MAX_IMPORTS || file.isTest) return [];
  const text = `${sources.size} imports, the limit is ${MAX_IMPORTS}; a file that needs so many does more than one thing`;
  return [{ rule: 'import-count', path: file.path, line: null, text }];
}
