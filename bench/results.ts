import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

const FILE = 'bench/results.md';
const HEAD = '# Results\n\nWritten by `npm run bench`; each section says when and on what it was measured.\n';

/** A table in Markdown; numbers are rounded, missing ones shown as a dash. */
export function table(heads: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`;
  const rule = heads.map((_, index) => (typeof rows[0]?.[index] === 'number' ? '---:' : '---'));
  return [line(heads), line(rule), ...rows.map(line)].join('\n');
}

function cell(value: string | number): string {
  if (typeof value === 'string') return value;
  return Number.isFinite(value) ? round(value) : '–';
}

/** At most one decimal, none from 100 on. */
function round(value: number): string {
  return String(Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10);
}

/** A figure with its budget beside it: met or missed. */
export function against(value: number, budget: number | undefined): string | number {
  if (budget === undefined || !Number.isFinite(value)) return value;
  return `${round(value)} (${value <= budget ? 'met' : '**missed**'}: ≤ ${budget})`;
}

/** A benchmark's section of the results: its name, when and on what it was measured, its tables. */
export function section(name: string, body: string, postgres: string): string {
  return `## ${name}\n\n${measuredOn(postgres)}\n\n${body.trim()}\n`;
}

/** Puts a section in the place of its older self in `bench/results.md`. */
export function keepSection(name: string, written: string): void {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD;
  const parts = text.split(/^(?=## )/m).filter((part) => !part.startsWith(`## ${name}\n`));
  const [head = HEAD, ...others] = parts.map((part) => `${part.trim()}\n`);
  writeFileSync(FILE, [head, ...[...others, written].sort()].join('\n'));
}

/** The commit of a checkout, and whether what the benchmarks run was changed since. */
export function commitOf(root: string): string {
  const git = (...flags: string[]) => execFileSync('git', flags, { cwd: root, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', 'server', 'emulators', 'bench', 'package-lock.json') !== '';
  return `${git('rev-parse', '--short=10', 'HEAD')}${changed ? ' with uncommitted changes' : ''}`;
}

function measuredOn(postgres: string): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, commit ${commitOf('.')}; ${cpus().length} cores (${model}), ${memory}; Node ${process.versions.node}, ${postgres}.`;
}
