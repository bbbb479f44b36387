import { expect, test } from 'vitest';
import { fileTokens, fileTokensOf, givenAs } from './file-rules.ts';
import { resolveChains } from './upstream-chains.ts';

const GEMINI = { dialect: 'gemini' as const, reads: [] };
const BLIND = { dialect: 'openai-compatible' as const, reads: [] };
const SEEING = { ...BLIND, reads: ['images' as const] };
const READING = { ...BLIND, reads: ['files' as const] };

const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PICTURE = { type: 'image/png', pages: null, textTokens: null };
const PDF = { type: 'application/pdf', pages: 12, textTokens: 4_000 };
const SCAN = { ...PDF, textTokens: null };
const TABLE = { type: SHEET, pages: 1, textTokens: 900 };

test.each([
  ['a picture', PICTURE, [1_120, null, 1_120, null]],
  ['a picture of a phone', { ...PICTURE, type: 'image/heic' }, [1_120, null, null, null]],
  ['a PDF', PDF, [6_720, 4_000, 4_000, 6_720]],
  ['a scan', SCAN, [6_720, null, null, 6_720]],
  ['a table', TABLE, [900, 900, 900, 900]],
  ['a PDF that says nothing of its pages', { ...SCAN, pages: null }, [560, null, null, 560]],
  ['a sheet without text', { ...TABLE, textTokens: null }, [null, null, null, null]],
])('%s takes the tokens of how a model is given it', (_name, file, tokens) => {
  expect([GEMINI, BLIND, SEEING, READING].map((route) => fileTokens(file, route))).toEqual(tokens);
});

test('what a model sees itself is not told as text', () => {
  expect(givenAs({ ...PICTURE, textTokens: 5 }, GEMINI)).toBe('picture');
  expect(givenAs({ ...PICTURE, textTokens: 5 }, BLIND)).toBe('text');
  expect(givenAs(PDF, READING)).toBe('document');
});

test('a chain is priced by the route that reads most, and needs each of its routes to read the file', () => {
  const routes = (chain: { dialect: 'gemini' | 'openai-compatible'; reads: ('images' | 'files')[] }[]) =>
    resolveChains({
      geminiBaseUrl: 'http://localhost',
      geminiApiKey: 'k',
      modelsFile: {
        m: chain.map((route) => ({
          model: 'm',
          baseUrl: 'http://localhost/v1',
          headers: {},
          fallback: true,
          sampling: false,
          thoughts: false,
          efforts: [],
          streamUsage: true,
          maxTokensField: 'max_tokens' as const,
          balanceCodes: [],
          extraBody: {},
          ...route,
        })),
      },
      readVariable: () => undefined,
    });
  expect(fileTokensOf(PDF, 'm', routes([BLIND, GEMINI]))).toBe(6_720);
  expect(fileTokensOf(SCAN, 'm', routes([GEMINI, BLIND]))).toBeNull();
  expect(fileTokensOf(PICTURE, 'parley-flash', routes([GEMINI]))).toBe(1_120);
});
