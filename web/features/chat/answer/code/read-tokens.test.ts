import hljs from 'highlight.js/lib/core';
import typescript from 'highlight.js/lib/languages/typescript';
import { expect, test } from 'vitest';
import { findLanguage } from './languages.ts';
import { readTokens } from './read-tokens.ts';

const CODE = "const a = `<b> & \"\n</b>`; // '中文'\n\nfunction go(): Set<string> {}";

test('the tokens of a highlighted text joined are the text', () => {
  hljs.registerLanguage('typescript', typescript);
  const lines = readTokens(hljs.highlight(CODE, { language: 'typescript' }).value);
  const text = lines.map((line) => line.map(([, piece]) => piece).join('')).join('\n');
  expect(text).toBe(CODE);
  expect(lines[0]?.[0]).toEqual(['hljs-keyword', 'const']);
  expect(lines[1]?.at(-1)).toEqual(['hljs-comment', "// '中文'"]);
});

test('a language is known by the names that models write', async () => {
  for (const written of ['ts', 'TypeScript', 'tsx']) expect(findLanguage(written)?.name).toBe('typescript');
  expect(findLanguage('constructor')).toBeNull();
  expect(findLanguage('made-up')).toBeNull();
  const { default: grammar } = (await findLanguage('py')?.load()) ?? {};
  expect(grammar?.(hljs).name).toBe('Python');
});
