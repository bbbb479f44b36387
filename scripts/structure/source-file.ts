import { posix } from 'node:path';
import { type ESTree, type ParseResult, parseSync } from 'vite';

/** One finding: what is wrong and what to do instead. `rule` is the name an exception would use. */
export interface Problem {
  rule: string;
  path: string;
  line: number | null;
  text: string;
}

export interface SourceImport {
  specifier: string;
  /** Path in the repository, or null for a package or a Node module. */
  target: string | null;
  /** `import type`, which is erased: it loads nothing. */
  typeOnly: boolean;
  line: number;
}

export interface SourceFile {
  path: string;
  text: string;
  lineCount: number;
  program: ESTree.Program;
  comments: ParseResult['comments'];
  imports: SourceImport[];
  isTest: boolean;
  lineOf(offset: number): number;
}

/** Parses one file; `path` is relative to the repository, with `/`. Throws on a syntax error. */
export function parseSource(path: string, text: string): SourceFile {
  const result = parseSync(path, text, { sourceType: 'module' });
  const fault = result.errors[0];
  if (fault) throw new Error(`${path}: ${fault.message}`);
  const lineOf = lineCounter(text);
  return {
    path,
    text,
    lineCount: text.length === 0 ? 0 : text.replace(/\n$/, '').split('\n').length,
    program: result.program,
    comments: result.comments,
    imports: importsOf(path, result.program, lineOf),
    isTest: /\.(test|spec)\.tsx?$/.test(path),
    lineOf,
  };
}

/** Calls `visit` for `root` and everything beneath it; a visit that returns false leaves out what is beneath. */
export function walk(root: ESTree.Node, visit: (node: ESTree.Node) => boolean): void {
  if (!visit(root)) return;
  for (const [key, value] of Object.entries(root)) {
    if (key === 'parent') continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit);
    }
  }
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function importsOf(
  path: string,
  program: ESTree.Program,
  lineOf: (offset: number) => number,
): SourceImport[] {
  const found: SourceImport[] = [];
  const add = (specifier: string, typeOnly: boolean, offset: number) =>
    found.push({ specifier, target: resolveImport(path, specifier), typeOnly, line: lineOf(offset) });
  walk(program, (node) => {
    if (node.type === 'ImportDeclaration') add(node.source.value, node.importKind === 'type', node.start);
    if (node.type === 'ExportAllDeclaration') add(node.source.value, node.exportKind === 'type', node.start);
    if (node.type === 'ExportNamedDeclaration' && node.source) {
      add(node.source.value, node.exportKind === 'type', node.start);
    }
    if (node.type === 'TSImportType') add(node.source.value, true, node.start);
    if (node.type === 'ImportExpression' && node.source.type === 'Literal') {
      add(String(node.source.value), false, node.start);
    }
    return true;
  });
  return found;
}

function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  return null;
}
