import { existsSync, readFileSync } from 'node:fs';

interface CitedTest {
  path: string;
  /** Words of its title, as its source has them. */
  title: string;
}

export interface CitingRow {
  /** The first cell. */
  names: string;
  cells: string[];
  /** What the last cell cites. */
  tests: CitedTest[];
}

const isRule = (line = '') => /^\|( -+ \|)+$/.test(line);

/** The lines of the tables of a document, heads left out, with the tests that they cite: a path, then words of the title in quotes. */
export function rowsOf(document: string): CitingRow[] {
  const all = document.split('\n');
  const lines = all.filter((line, n) => line.startsWith('| ') && !isRule(line) && !isRule(all[n + 1]));
  return lines.map((line) => {
    const cells = line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim());
    const cited = [...(cells.at(-1) ?? '').matchAll(/`([^`]+)` “(.+?)”(?=<br>|$)/g)];
    const tests = cited.map(([, path = '', title = '']) => ({ path, title }));
    return { names: cells[0] ?? '', cells, tests };
  });
}

const sources = new Map<string, string>();
function sourceOf(path: string): string {
  const known = sources.get(path) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '');
  sources.set(path, known);
  return known;
}

/** Whether the file has these words, quotes in them escaped or not. */
export function isThere({ path, title }: CitedTest): boolean {
  const words = title.replaceAll('\\', '').replaceAll("'", "\\'");
  return [title, words].some((one) => sourceOf(path).includes(one));
}
