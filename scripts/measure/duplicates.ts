import type { SourceFile } from '../structure/source-file.ts';

const LINES = 8;

export interface Duplicate {
  path: string;
  line: number;
  otherPath: string;
  otherLine: number;
  lines: number;
}

interface CodeLine {
  text: string;
  line: number;
}

/** Runs of eight and more lines of code that stand in two places to the letter; imports, comments and lone brackets do not count. */
export function duplicatesOf(files: SourceFile[]): Duplicate[] {
  const codes = files.map((file) => ({ path: file.path, lines: codeLines(file) }));
  const seen = new Map<string, { code: (typeof codes)[number]; at: number }>();
  const found: Duplicate[] = [];
  for (const code of codes) {
    for (let at = 0; at + LINES <= code.lines.length; at += 1) {
      const key = keyAt(code.lines, at);
      const former = seen.get(key);
      if (!former) {
        seen.set(key, { code, at });
        continue;
      }
      const length = runLength(former.code.lines, former.at, code.lines, at);
      found.push({
        path: code.path,
        line: code.lines[at]?.line ?? 0,
        otherPath: former.code.path,
        otherLine: former.code.lines[former.at]?.line ?? 0,
        lines: length,
      });
      at += length - 1;
    }
  }
  return found.toSorted((a, b) => b.lines - a.lines);
}

function codeLines({ text }: SourceFile): CodeLine[] {
  return text
    .split('\n')
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter(({ text: one }) => !/^(import\b|\/\/|\/\*|\*|[\])}>;,/]*$)/.test(one));
}

function keyAt(lines: CodeLine[], at: number): string {
  return lines
    .slice(at, at + LINES)
    .map(({ text }) => text)
    .join('\n');
}

function runLength(lines: CodeLine[], from: number, others: CodeLine[], otherFrom: number): number {
  let length = LINES;
  while (
    lines[from + length] &&
    lines[from + length]?.text === others[otherFrom + length]?.text &&
    (lines !== others || from + length < otherFrom)
  ) {
    length += 1;
  }
  return length;
}
