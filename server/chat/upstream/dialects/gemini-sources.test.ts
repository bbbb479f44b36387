import { expect, test } from 'vitest';
import type { SourcesPart } from '#contract/message/parts.ts';
import { SourcesReader } from './gemini-sources.ts';

function supportsOf(text: string, segments: { startIndex: number; endIndex: number }[]) {
  const reader = new SourcesReader();
  reader.addParts([{ text }]);
  reader.read({
    groundingChunks: [{ web: { uri: 'https://a.example/', title: 'A' } }],
    groundingSupports: segments.map((segment) => ({ segment, groundingChunkIndices: [0] })),
  });
  return reader.end()?.supports.map(({ start, end }) => [start, end]);
}

test('places count as the text is stored: without NUL, and a broken character as one', () => {
  const text = 'a\0😀\ud800万';
  const segments = [
    [0, 1],
    [0, 2],
    [1, 6],
    [4, 6],
    [6, 9],
    [9, 12],
    [0, 12],
    [0, 13],
    [2, 2],
  ].map(([startIndex = 0, endIndex = 0]) => ({ startIndex, endIndex }));
  expect(supportsOf(text, segments)).toEqual([
    [0, 1],
    [0, 1],
    [1, 3],
    [2, 3],
    [3, 4],
    [4, 5],
    [0, 5],
  ]);
});

test('many sources of a long answer hold nothing up', () => {
  const segments = Array.from({ length: 2_000 }, (_, n) => ({
    startIndex: n * 1_500,
    endIndex: n * 1_500 + 900,
  }));
  const begun = process.cpuUsage();
  expect(supportsOf('万'.repeat(1_000_000), segments)).toHaveLength(2_000);
  // Looking for each place from the start would take minutes.
  expect(process.cpuUsage(begun).user).toBeLessThan(20_000_000);
});

const WORDS = '答案是 12 😀。';
const MORE = '所以 Python 说：答案是 12 😀。';
const CODE = [{ executableCode: { code: 'print(12)' } }, { codeExecutionResult: { outcome: 'OUTCOME_OK' } }];
/** Thinking, text, code, what it printed, and text in pieces: parts 0 to 4. */
const ANSWER = [
  [{ text: 'Hm, ', thought: true }],
  [{ text: '查一下。', thought: true }, { text: WORDS.slice(0, 4) }],
  [{ text: WORDS.slice(4) }, ...CODE, { text: MORE.slice(0, 9) }],
  [{ text: MORE.slice(9) }],
];
const bytesBefore = (text: string, of: string) => Buffer.byteLength(of.slice(0, of.indexOf(text)));

/** The text of the answer that a segment is taken to be about, and where it begins; null: no mark. */
function foundIn(segment: object, events: object[][] = ANSWER): [string, number] | null {
  const reader = new SourcesReader();
  for (const parts of events) reader.addParts(parts);
  reader.read({
    groundingChunks: [{ web: { uri: 'https://a.example/', title: 'A' } }],
    groundingSupports: [{ segment, groundingChunkIndices: [0] }],
  });
  const [support] = reader.end()?.supports ?? [];
  return support ? [(WORDS + MORE).slice(support.start, support.end), support.start] : null;
}

test('a segment counts in the part that it names, between which there may be code', () => {
  const text = '答案是 12 😀。';
  const startIndex = bytesBefore(text, MORE);
  const endIndex = startIndex + Buffer.byteLength(text);
  const later = WORDS.length + MORE.indexOf(text);
  expect(foundIn({ partIndex: 4, startIndex, endIndex, text })).toEqual([text, later]);
  expect(foundIn({ partIndex: 4, startIndex, endIndex })).toEqual([text, later]);
  expect(foundIn({ partIndex: 1, endIndex: Buffer.byteLength(text), text })).toEqual([text, 0]);
  // The same words in the first part: the number of the part decides.
  const events = [[{ text: 'Yes.' }, ...CODE, { text: 'Yes.' }]];
  const reader = (partIndex: number) =>
    foundIn({ partIndex, startIndex: 0, endIndex: 4, text: 'Yes.' }, events)?.[1];
  expect([reader(0), reader(3)]).toEqual([0, 4]);
});

test('a segment without the number of its part counts in the whole text, or in the part whose text it has', () => {
  const text = 'Python 说';
  const inPart = bytesBefore(text, MORE);
  const inWhole = Buffer.byteLength(WORDS) + inPart;
  const length = Buffer.byteLength(text);
  const place = WORDS.length + MORE.indexOf(text);
  for (const startIndex of [inPart, inWhole]) {
    expect(foundIn({ startIndex, endIndex: startIndex + length, text })).toEqual([text, place]);
  }
});

test('where the places do not hold, the only text of its kind is marked, and else nothing', () => {
  const wrong = { startIndex: 3, endIndex: 9 };
  const text = '所以 Python';
  expect(foundIn({ ...wrong, text })).toEqual([text, WORDS.length]);
  expect(foundIn({ ...wrong, partIndex: 9, text })).toEqual([text, WORDS.length]);
  // Twice in the answer, never in it, in no part, behind the end.
  expect(foundIn({ ...wrong, text: '12 😀' })).toBeNull();
  expect(foundIn({ ...wrong, text: '大阪' })).toBeNull();
  expect(foundIn({ ...wrong, partIndex: 2 })).toBeNull();
  expect(foundIn({ partIndex: 4, startIndex: 0, endIndex: 900 })).toBeNull();
  expect(foundIn({ startIndex: -3, endIndex: 3 })).toBeNull();
  expect(foundIn({ startIndex: 0.5, endIndex: 3 })).toBeNull();
  expect(foundIn({ startIndex: 'a', endIndex: 3, partIndex: {} })).toBeNull();
});

test('texts that are not where they are said to be hold nothing up', () => {
  const reader = new SourcesReader();
  reader.addParts([{ text: '万'.repeat(1_000_000) }]);
  reader.read({
    groundingChunks: [{ web: { uri: 'https://a.example/', title: 'A' } }],
    groundingSupports: Array.from({ length: 2_000 }, (_, n) => ({
      segment: { startIndex: 1, endIndex: 2, text: `万万万${n}` },
      groundingChunkIndices: [0],
    })),
  });
  const begun = process.cpuUsage();
  expect(reader.end()?.supports).toEqual([]);
  expect(process.cpuUsage(begun).user).toBeLessThan(20_000_000);
});

/** What is made of metadata as a hostile provider, or a page that it found, might write it. */
function sourcesOf(metadata: object, addresses?: object): SourcesPart | null {
  const reader = new SourcesReader();
  reader.read(metadata);
  if (addresses) reader.readAddresses(addresses);
  return reader.end();
}

function sourceOf(uri: unknown, title: unknown = 'A') {
  return sourcesOf({ groundingChunks: [{ web: { uri, title } }] })?.sources[0];
}

test.each([
  ['javascript:alert(1)', ''],
  ['JAVASCRIPT:alert(1)', ''],
  ['java\nscript:alert(1)', ''],
  ['data:text/html,<script>alert(1)</script>', ''],
  ['vbscript:x', ''],
  ['file:///etc/passwd', ''],
  ['//evil.example/', ''],
  ['not an address', ''],
  [undefined, ''],
  [['https://a.example/'], ''],
  [`https://a.example/${'x'.repeat(5_000)}`, ''],
  ['https://www.bank.example@evil.example/', 'https://evil.example/'],
  ['https://user:secret@evil.example/a', 'https://evil.example/a'],
  ['https://аpple.example/', 'https://xn--pple-43d.example/'],
  ['https://a.example/\u202Egpj.exe', 'https://a.example/%E2%80%AEgpj.exe'],
  ['http://a.example/?q="><script>', 'http://a.example/?q=%22%3E%3Cscript%3E'],
])('of the address %j a browser gets %j', (uri, url) => {
  expect(sourceOf(uri)?.url).toBe(url);
});

test.each([
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['\u202Emoc.elppa.www', 'moc.elppa.www'],
  ['a\u0000b\u0007\nc', 'ab c'],
  [['x'], ''],
  [null, ''],
  ['x'.repeat(1_000), 'x'.repeat(300)],
])('the title %j is one line of text: %j', (title, shown) => {
  expect(sourceOf('https://a.example/', title)?.title).toBe(shown);
});

test.each<[given: unknown[], counted: string[]]>([
  [
    ['', 'a', '', 'b'],
    ['a', 'b'],
  ],
  [
    ['a', ' a ', 'b', 'a'],
    ['a', 'b'],
  ],
  [['', ' \n', '\0'], []],
  [[...Array.from({ length: 100 }, () => ''), 'a', 7], ['a']],
])('of the queries %j, different ones alone are searches', (webSearchQueries, counted) => {
  const reader = new SourcesReader();
  expect(reader.read({ webSearchQueries })).toBe(counted.length);
  expect(reader.end()?.queries ?? []).toEqual(counted);
});

test('suggestions are kept as they are, or left out where they are longer than any', () => {
  const html = '<style>.chip{}</style><div onclick="x()">\n 京都 &amp; 😀</div>\t';
  const searched = (renderedContent: unknown) =>
    sourcesOf({ webSearchQueries: ['a'], searchEntryPoint: { renderedContent } });
  expect(searched(html)?.suggestions).toBe(html);
  expect(searched('x'.repeat(64_000))?.suggestions).toHaveLength(64_000);
  for (const none of ['x'.repeat(64_001), undefined, 7, { html }]) {
    expect(searched(none)).not.toHaveProperty('suggestions');
  }
});

test('each address of the question says whether it was read', () => {
  const urlMetadata = [
    ['https://a.example/', 'URL_RETRIEVAL_STATUS_SUCCESS'],
    ['https://b.example/', 'URL_RETRIEVAL_STATUS_PAYWALL'],
    ['https://c.example/', 'URL_RETRIEVAL_STATUS_UNSAFE'],
    ['https://d.example/', 'URL_RETRIEVAL_STATUS_ERROR'],
    ['https://e.example/', 'SOMETHING_NEW'],
    ['javascript:alert(1)', 'URL_RETRIEVAL_STATUS_SUCCESS'],
  ].map(([retrievedUrl, urlRetrievalStatus]) => ({ retrievedUrl, urlRetrievalStatus }));
  expect(sourcesOf({}, { urlMetadata })).toEqual({
    kind: 'sources',
    sources: [],
    supports: [],
    queries: [],
    pages: [
      { url: 'https://a.example/', status: 'read' },
      { url: 'https://b.example/', status: 'paywalled' },
      { url: 'https://c.example/', status: 'refused' },
      { url: 'https://d.example/', status: 'failed' },
      { url: 'https://e.example/', status: 'failed' },
    ],
  });
  expect(sourcesOf({}, { urlMetadata: 'nonsense' })).toBeNull();
});

test('what a provider names by words of the language, or nests without end, is taken for nothing', () => {
  const reader = new SourcesReader();
  const title = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
  reader.read({ groundingChunks: [{ web: { uri: 'https://a.example/', title } }] });
  const read = { retrievedUrl: 'https://b.example/', urlRetrievalStatus: 'constructor' };
  reader.readAddresses({ urlMetadata: [read, { ...read, urlRetrievalStatus: title }] });
  expect(reader.end()).toMatchObject({
    sources: [{ url: 'https://a.example/', title: '' }],
    pages: [{ status: 'failed' }, { status: 'failed' }],
  });
});
