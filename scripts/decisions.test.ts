import { globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('../docs/decisions/', import.meta.url);
const INDEX = 'README.md';
/** What may speak of a decision. */
const TEXTS = [
  '*.md',
  'docs/*.md',
  '{bench,contract,e2e,emulators,scripts,server,test,web}/**/*.{ts,tsx,sql,md}',
];

const records = readdirSync(FOLDER)
  .filter((name) => name !== INDEX)
  .sort();
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

describe('decision records', () => {
  it('are numbered without holes, in the name of the file and in its title', () => {
    for (const [index, name] of records.entries()) {
      const title = read(name).split('\n')[0];
      expect([name.slice(0, 5), title?.split('.')[0]], name).toEqual([
        `${String(index + 1).padStart(4, '0')}-`,
        `# ${index + 1}`,
      ]);
    }
  });

  it('stand in the index once, under their number', () => {
    const links = [...read(INDEX).matchAll(/\[(\d+)\. [^\]]+\]\(([^)]+)\)/g)];
    expect(links.map(([, , name]) => name).sort()).toEqual(records);
    for (const [, number, name] of links) expect(Number(name?.slice(0, 4)), name).toBe(Number(number));
  });

  it('are there where code or a document names one', () => {
    const lost = globSync(TEXTS).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\bdecisions? (\d+)(?: and (\d+))?/gi)]
        .flatMap(([, first, second]) => [first, second])
        .filter((number) => number !== undefined && Number(number) > records.length)
        .map((number) => `${path}: decision ${number}`),
    );
    expect(lost).toEqual([]);
  });

  it('that a document links to are the ones it names', () => {
    const links = globSync(['*.md', 'docs/*.md']).flatMap((path) => [
      ...readFileSync(path, 'utf8').matchAll(/\[(?:decision )?(\d+)\]\((?:docs\/)?decisions\/([^)]+)\)/g),
    ]);
    expect(links.length).toBeGreaterThan(20);
    for (const [text, number, name] of links) {
      expect(records, text).toContain(name);
      expect(Number(name?.slice(0, 4)), text).toBe(Number(number));
    }
  });
});
