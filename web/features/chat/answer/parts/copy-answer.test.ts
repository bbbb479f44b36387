import { expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import type { AnswerPart } from '#contract/message/parts.ts';
import { copyAnswer } from './copy-answer.ts';

const CODE = { kind: 'code', language: 'PYTHON', code: 'print(1)\n' } as const;
const OUTPUT = { kind: 'output', outcome: 'ok', text: '1\n' } as const;
const FILE = '019b1d3e-0000-7000-8000-000000000001';
const PLOT = { kind: 'image', fileId: FILE, width: 640, height: 480, alt: 'A [plot]' } as const;

function ended(parts: AnswerPart[]): Message {
  const response = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  return { id: '3f2a9c10-0000-4000-8000-00000a1b2c3d', response, parts, firstTextMs: null } as Message;
}

/** What is copied of a text, with a source behind each `⟦` in it, without the list of the sources. */
function copyText(marked: string): string {
  const pieces = marked.split('⟦');
  let end = 0;
  const supports = pieces.slice(0, -1).map((piece, source) => {
    end += piece.length;
    return { start: 0, end, sources: [source] };
  });
  const sources = supports.map((_, source) => ({ url: `https://s${source}.example/`, title: `S${source}` }));
  const text = pieces.join('');
  const copied = copyAnswer(
    ended([
      { kind: 'text', text },
      { kind: 'sources', sources, supports, queries: [] },
    ]),
    '',
  );
  const list = sources.map(
    ({ url }, source) => `[^${source + 1}-0a1b2c3d]: [S${source}](<${url}>) · s${source}.example`,
  );
  expect(copied.endsWith(`\n\n${list.join('\n')}`)).toBe(true);
  return copied.slice(0, -`\n\n${list.join('\n')}`.length);
}

const [A, B] = ['[^1-0a1b2c3d]', '[^2-0a1b2c3d]'];

test('what is copied has code, output, picture and footnotes in their places', () => {
  const message = ended([
    { kind: 'text', text: '它建于 778 年。' },
    CODE,
    OUTPUT,
    PLOT,
    { kind: 'text', text: 'So it is old.' },
    {
      kind: 'sources',
      sources: [{ url: 'https://a.example/b c', title: 'A\u202E [x]\n`y`' }],
      supports: [
        { start: 0, end: 10, sources: [0] },
        { start: 10, end: 23, sources: [0] },
      ],
      queries: [],
    },
  ]);
  expect(copyAnswer(message, 'https://parley.example')).toBe(
    [
      `它建于 778 年。${A}`,
      '```python\nprint(1)\n```',
      '```\n1\n```',
      `![A plot](https://parley.example/api/files/${FILE}/content)`,
      `So it is old.${A}`,
      `${A}: [A \\[x\\]\\\`y\\\`](<https://a.example/b%20c>) · a.example`,
    ].join('\n\n'),
  );
});

test.each([
  ['apart from a footnote of the answer', `完[^1]。⟦\n\n[^1]: 脚注。`, `完[^1]。${A}\n\n[^1]: 脚注。`],
  ['behind code within a line', '运行 `a ⟦b` 即可', `运行 \`a b\`${A} 即可`],
  [
    'behind code between fences',
    '见\n\n```js\n1⟦;\n```\n\n完⟦',
    `见\n\n\`\`\`js\n1;\n\`\`\`\n\n${A}\n\n完${B}`,
  ],
  ['behind code that ends the answer', '```js\n1⟦;\n```\n', `\`\`\`js\n1;\n\`\`\`\n\n${A}`],
  [
    'in the last cell of a row',
    '| 名称 | 数 |\n|---|---|\n| 雪⟦ | `4⟦` |',
    `| 名称 | 数 |\n|---|---|\n| 雪${A} | \`4\`${B} |`,
  ],
  [
    'in the last cell of a row, with line ends of Windows',
    '| 名称 | 数 |\r\n|---|---|\r\n| 雪 | 4 |⟦\r\n| 雨 | 5 |',
    `| 名称 | 数 |\r\n|---|---|\r\n| 雪 | 4${A} |\r\n| 雨 | 5 |`,
  ],
  ['behind Chinese and its emphasis', '**门票。⟦**涨了𠮷⟦很多', `**门票。**${A}涨了𠮷${B}很多`],
])('a copied answer has its footnote %s', (_, marked, copied) => {
  expect(copyText(marked)).toBe(copied);
});

test('an output of nothing but marks of code is copied like any other', () => {
  const output: AnswerPart = { ...OUTPUT, text: '` '.repeat(1_000_000) };
  expect(copyAnswer(ended([output]), '').slice(0, 10)).toBe('```\n` ` ` ');
});
