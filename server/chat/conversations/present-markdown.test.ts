import { expect, test } from 'vitest';
import type { AnswerPart, SourcesPart } from '#contract/message/parts.ts';
import type { MessageRow } from '../message-store/store.ts';
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
    id: '3f2a9c10-0000-4000-8000-00000a1b2c3d',
    createdAt: new Date('2026-11-26T23:59:00Z'),
    endedAt: null,
    response,
    output: {
      parts: [
        { kind: 'text', length: response.length },
        { kind: 'sources', sources, supports, queries: [] },
      ],
    },
  };
}

/** An answer with parts besides text, of which there is none. */
function did(...parts: AnswerPart[]): MessageRow {
  return { ...answered('', []), output: { parts: parts as never } };
}

const step = (over: object = {}): AnswerPart => ({
  ...{ kind: 'step', n: 1, intent: '', action: 'click', args: '{"x":1,"y":2}', url: 'http://shop.test/a b' },
  ...{ fileId: null, at: 0, ms: 1 },
  ...over,
});
const asked: AnswerPart = {
  ...{ kind: 'confirmation', id: 'c', reason: 'new_site', state: 'denied', expiresAt: 0 },
  params: { site: 'evil.test' },
};

test('what a browser did is a list, in the words of the reader, with its pages and pictures', () => {
  const message = did(
    step({ intent: 'Open\nthe shop', fileId: 'picture' }),
    asked,
    step({ n: 2, action: 'navigate', args: '{"url":"http://shop.test/tea"}', url: 'about:blank' }),
    { kind: 'code', language: 'python', code: 'print(1)' },
    step({ n: 3, action: 'type', args: '{"text":"•••"}', error: 'page_unresponsive' }),
  );
  expect(presentMarkdownTurn(message, 'en')).toContain(
    [
      '1. Open the shop — <http://shop.test/a%20b> · [The page after step 1](/api/files/picture/content)',
      '- Open evil.test? Not allowed',
      '2. Open shop.test/tea — about:blank',
      '',
      '```python',
      'print(1)',
      '```',
      '',
      '3. Type “•••” — <http://shop.test/a%20b> · The page didn’t respond and was closed',
    ].join('\n'),
  );
  expect(presentMarkdownTurn(message, 'zh', () => '../files/a')).toContain(
    '[第 1 步之后的页面](../files/a)\n- 要打开 evil.test 吗？ 未允许\n2. 打开 shop.test/tea',
  );
});

test('a table of a page is a table with its title and address, in which all that it says stays text', () => {
  const table: AnswerPart = {
    ...{ kind: 'table', n: 2, title: 'Prices', url: 'http://shop.test/a b', hasHead: true, isCut: false },
    rows: [
      ['Name', 'a|b'],
      ['<img src=x>\n', '[y](javascript:1)\\|'],
    ],
  };
  const written = [
    '**Prices** · <http://shop.test/a%20b>',
    '',
    '| Name | a\\|b |',
    '| --- | --- |',
    '| \\<img src=x\\> | \\[y\\](javascript:1)\\\\\\| |',
  ];
  expect(presentMarkdownTurn(did(table), 'en')).toContain(written.join('\n'));
  const plain = { ...table, title: '', url: '', hasHead: false, isCut: true };
  expect(presentMarkdownTurn(did(plain), 'zh')).toContain(
    '**表格 2** · 只有一部分\n\n|  |  |\n| --- | --- |\n| Name | a\\|b |\n',
  );
});

test('what a page or a model says of a step stays text', () => {
  const hostile = '![x](http://evil.test/?a)<img src=x>`[y](javascript:1)\u202e';
  const message = did(
    step({ intent: hostile, url: 'javascript:alert(1)' }),
    step({ n: 2, action: hostile, args: 'no JSON', url: 'http://a.test/><img src=x>' }),
    { ...asked, params: { site: `evil.test/${hostile}` } } as AnswerPart,
    { kind: 'image', fileId: 'f', alt: hostile },
  );
  const written = presentMarkdownTurn(message, 'en');
  expect(written).not.toMatch(/(?<!\\)<img|(?<!\\)`|\u202e/);
  expect(written).not.toMatch(/(?<!\\)\]\((?!\/api\/files\/f\/content\))/);
  expect(written).toContain('<http://a.test/%3E%3Cimg%20src=x%3E>');
});

test('addresses of the question stand with whether they were read; thinking and empty output are left out', () => {
  const message = did(
    { kind: 'reasoning', text: 'Hm.' },
    { kind: 'output', outcome: 'ok', text: ' \n' },
    {
      ...{ kind: 'sources', sources: [], supports: [], queries: [] },
      pages: [
        { url: 'https://a.example/', status: 'read' },
        { url: 'https://b.example/', status: 'paywalled' },
      ],
    },
  );
  const written = presentMarkdownTurn(message, 'zh');
  expect(written).toContain(
    '- <https://a.example/> — 已读取\n- <https://b.example/> — 需要付费，无法读取正文\n',
  );
  expect(written).not.toMatch(/Hm|```/);
});

test('files of a prompt are named where they are', () => {
  const parts = [
    { kind: 'text', text: 'Why?' },
    { kind: 'file', fileId: 'f', name: 'a [1].pdf', type: 'application/pdf' },
  ];
  const message = { ...answered('Because.', []), input: { parts, quote: { max: 8, lines: [] } } };
  expect(presentMarkdownTurn(message as MessageRow, 'en')).toContain(
    'Why?\n\n[a \\[1\\].pdf](/api/files/f/content)\n\n## Answer',
  );
});

test('footnotes stand behind what they support, in their order', () => {
  const written = presentMarkdownTurn(
    answered('One. Two.', [
      { start: 5, end: 9, sources: [1] },
      { start: 0, end: 4, sources: [0] },
      { start: 0, end: 9, sources: [0, 1] },
    ]),
    'en',
  );
  expect(written).toContain(
    [
      'One.[^1-0a1b2c3d] Two.[^2-0a1b2c3d][^1-0a1b2c3d]',
      '',
      '[^1-0a1b2c3d]: [A](<https://a.example/>) · a.example · searched on 2026-11-26',
      '[^2-0a1b2c3d]: [B](<https://b.example/>) · b.example · searched on 2026-11-26\n',
    ].join('\n'),
  );
});

test('many footnotes of a long answer hold nothing up', () => {
  const supports = Array.from({ length: 2_000 }, (_, n) => ({
    start: 0,
    end: (n + 1) * 1_000,
    sources: [0],
  }));
  const begun = process.cpuUsage();
  expect(presentMarkdownTurn(answered('words '.repeat(340_000), supports), 'en').split('[^1-')).toHaveLength(
    2_002,
  );
  expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000);
});

test('an output of nothing but marks of code is written like any other', () => {
  const text = '` '.repeat(1_000_000);
  const written = presentMarkdownTurn(did({ kind: 'output', outcome: 'ok', text }), 'en');
  const from = written.indexOf('```');
  expect(written.slice(from, from + 10)).toBe('```\n` ` ` ');
});

test('a footnote is never in code that the answer shows, nor is one of its own', () => {
  const text = 'As it says[^1]:\n\n```js\nlet a = [1];\n```\n\nSee `a b` there.\n\n[^1]: Its own note.';
  const at = (part: string) => text.indexOf(part) + part.length;
  const written = presentMarkdownTurn(
    answered(text, [
      { start: 0, end: at('= [1]'), sources: [0] },
      { start: 0, end: at('];\n```'), sources: [1] },
      { start: 0, end: at('`a'), sources: [1] },
    ]),
    'zh',
  );
  expect(written).toContain(
    'As it says[^1]:\n\n```js\nlet a = [1];\n```\n\n[^1-0a1b2c3d][^2-0a1b2c3d]\n\nSee `a b`[^2-0a1b2c3d] there.\n\n[^1]: Its own note.\n',
  );
  expect(written).toContain('[^2-0a1b2c3d]: [B](<https://b.example/>) · b.example · 搜索于 2026-11-26\n');
});
