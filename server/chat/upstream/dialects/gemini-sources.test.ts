import { expect, test } from 'vitest';
import type { SourcesPart } from '#contract/message/parts.ts';
import { SourcesReader } from './gemini-sources.ts';

const SINK = { onText() {}, onReasoning() {}, onPart() {}, onFirst() {} };

function supportsOf(text: string, segments: { startIndex: number; endIndex: number }[]) {
  const reader = new SourcesReader();
  reader.hear(SINK)(text);
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
  const begun = performance.now();
  expect(supportsOf('万'.repeat(1_000_000), segments)).toHaveLength(2_000);
  // Looking for each place from the start would take minutes.
  expect(performance.now() - begun).toBeLessThan(20_000);
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
