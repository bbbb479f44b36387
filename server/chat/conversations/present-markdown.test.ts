import { expect, test } from 'vitest';
import type { SourcesPart } from '#contract/message/parts.ts';
import type { MessageRow } from '../tree/store.ts';
import { presentMarkdownTurn } from './present-markdown.ts';

function answered(response: string, supports: SourcesPart['supports']): MessageRow {
  const sources = [
    { url: 'https://a.example/', title: 'A' },
    { url: 'https://b.example/', title: 'B' },
  ];
  return {
    ...({
      status: 'completed',
      content: 'Why?',
      model: 'gemini-2.5-flash-lite',
      creditsUsed: 8,
    } as MessageRow),
    createdAt: new Date(0),
    response,
    output: {
      parts: [
        { kind: 'text', length: response.length },
        { kind: 'sources', sources, supports, queries: [] },
      ],
    },
  };
}

test('footnotes stand behind what they support, in their order', () => {
  const written = presentMarkdownTurn(
    answered('One. Two.', [
      { start: 5, end: 9, sources: [1] },
      { start: 0, end: 4, sources: [0] },
      { start: 0, end: 9, sources: [0, 1] },
    ]),
    'en',
  );
  expect(written).toContain('One.[^1] Two.[^2][^1][^2]\n');
});

test('many footnotes of a long answer hold nothing up', () => {
  const supports = Array.from({ length: 2_000 }, (_, n) => ({
    start: 0,
    end: (n + 1) * 1_000,
    sources: [0],
  }));
  const begun = performance.now();
  expect(presentMarkdownTurn(answered('words '.repeat(340_000), supports), 'en').split('[^1]')).toHaveLength(
    2_002,
  );
  expect(performance.now() - begun).toBeLessThan(500);
});
