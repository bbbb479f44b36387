import type { ESTree } from 'vite';
import { type SourceFile, walk } from '../structure/source-file.ts';

export interface Distribution {
  count: number;
  median: number;
  p95: number;
  max: number;
}

/** Median, 95th percentile and maximum of some numbers; zeros without any. */
export function distributionOf(values: number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, median: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? 0 };
}

export interface FolderSize {
  folder: string;
  sourceFiles: number;
  sourceLines: number;
  testFiles: number;
  testLines: number;
}

/** Files and lines of the first `depth` folders of each path. */
export function sizesByFolder(files: SourceFile[], depth: number): FolderSize[] {
  const sizes = new Map<string, FolderSize>();
  for (const { path, isTest, lineCount } of files) {
    const folder = path.split('/').slice(0, -1).slice(0, depth).join('/') || '.';
    const size = sizes.get(folder) ?? { folder, sourceFiles: 0, sourceLines: 0, testFiles: 0, testLines: 0 };
    sizes.set(folder, size);
    size[isTest ? 'testFiles' : 'sourceFiles'] += 1;
    size[isTest ? 'testLines' : 'sourceLines'] += lineCount;
  }
  return [...sizes.values()].toSorted((a, b) => a.folder.localeCompare(b.folder));
}

/** How many source files lie directly in each folder. */
export function filesPerFolder(files: SourceFile[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of files.filter((file) => !file.isTest)) {
    const folder = path.split('/').slice(0, -1).join('/') || '.';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** Lines of every function that is not inside another one. */
export function functionLines(files: SourceFile[]): number[] {
  const lines: number[] = [];
  for (const file of files) {
    walk(file.program, (node) => {
      if (!isFunction(node)) return true;
      lines.push(file.lineOf(node.end) - file.lineOf(node.start) + 1);
      return false;
    });
  }
  return lines;
}

function isFunction({ type }: ESTree.Node): boolean {
  return (
    type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
  );
}

/** The verbs that begin the names of source files of the product, with how many files begin with each. */
export function verbsOf(files: SourceFile[], isVerb: (word: string) => boolean): Map<string, number> {
  const verbs = new Map<string, number>();
  for (const { path } of files.filter((file) => !file.isTest && /^(server|web)\//.test(file.path))) {
    const [word = '', ...rest] = (path.split('/').at(-1) ?? '').replace(/\.tsx?$/, '').split('-');
    if (rest.length > 0 && isVerb(word)) verbs.set(word, (verbs.get(word) ?? 0) + 1);
  }
  return verbs;
}
