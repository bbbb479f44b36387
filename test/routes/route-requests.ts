import fc from 'fast-check';
import { arbitraryOf, nearly, ODD_TEXTS, oddValue, type Words, writeJson } from './input-arbitraries.ts';
import type { RouteInput } from './route-input.ts';

/** Who sends it. */
export type Sender = 'owner' | 'visitor' | 'nonsense';

/** One request to a route, before it is known with which cookie or key. */
export interface DrawnRequest {
  sender: Sender;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const CONTENT_TYPES = [
  'text/plain',
  'application/json; charset=gbk',
  'application/JSON;boundary="',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'image/png',
  ';',
  'application/jsonp',
];
const LATIN1 = '\u00e9\u00ff\u0080';
/** Headers that some route or check reads, with values that no client sends. */
const ODD_HEADERS: [string, string][] = [
  ['accept', 'text/event-stream'],
  ['accept', 'text/event-stream;q=x, */*;q=-1'],
  ['accept-language', 'en;q=1e999, zh;q='],
  ['accept-language', ','.repeat(2_000)],
  ['authorization', 'Bearer'],
  ['authorization', `Bearer ${LATIN1}`],
  ['content-encoding', 'gzip'],
  ['cookie', 'lang=en; lang=zh; ='],
  ['cookie', 'parley.session_token=%ff; parley.second_step=%; parley.google=.'],
  ['cookie', `${'a=b; '.repeat(800)}`],
  ['idempotency-key', 'k'.repeat(255)],
  ['idempotency-key', `${LATIN1}`],
  ['if-none-match', '"x", W/"y", *'],
  ['if-modified-since', 'yesterday'],
  ['last-event-id', '99999999999999999999'],
  ['last-event-id', '-1'],
  ['last-event-id', '999999999'],
  ['origin', 'null'],
  ['origin', 'http://['],
  ['range', 'bytes=9-1'],
  ['sec-fetch-site', 'cross-site'],
  ['user-agent', LATIN1.repeat(500)],
  ['user-agent', ''],
  ['x-captcha-token', LATIN1],
  ['x-forwarded-for', '::ffff:999.1.1.1, %, ,'],
  ['x-request-id', LATIN1],
  ['host', 'a b'],
  ['host', '[::'],
  ['host', 'evil.example:99999'],
  ['forwarded', 'for="_x"'],
  ['upgrade-insecure-requests', '1'],
];
const ODD_SEGMENTS = [
  '%00',
  '%ff',
  '%',
  '%zz',
  '%2e%2e%2f',
  '..',
  '%ud800',
  '%ed%a0%80',
  '__proto__',
  'constructor',
  '*',
  ':id',
  '{}',
  'x'.repeat(2_000),
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '-1',
  '99999999999999999999',
  'a%2Fb',
  '%E5%AF%B9',
  ';',
];
const ODD_QUERIES = [
  '%',
  '&&==&',
  'x',
  '%00=%00',
  `a=${'b'.repeat(3_000)}`,
  '__proto__[x]=1',
  'limit=1&limit=-1',
  '?',
];

/** Two of them and the longest headers are as much as the HTTP server reads (16 KiB). */
const MAX_QUERY = 3_000;

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

/**
 * Requests to a route: right ones, nearly right ones and nonsense in each of their parts. `words`: what exists, by the name of the
 * field or parameter that may name it.
 */
export function requestsTo(
  { method, pattern, contentType }: { method: string; pattern: string; contentType: string },
  input: RouteInput,
  words: Words,
): fc.Arbitrary<DrawnRequest> {
  const path = pathOf(pattern, words);
  const query = queryOf(input, words);
  return fc
    .record({
      sender: fc.oneof(
        often(8, fc.constant<Sender>('owner')),
        often(1, fc.constantFrom<Sender>('visitor', 'nonsense')),
      ),
      method: fc.oneof(often(30, fc.constant(method)), often(1, fc.constantFrom(...METHODS))),
      path: fc.tuple(path, query).map(([before, after]) => before + after),
      contentType: fc.oneof(often(20, fc.constant(contentType)), often(1, fc.constantFrom(...CONTENT_TYPES))),
      odd: fc.oneof(
        often(4, fc.constant([])),
        often(1, fc.array(fc.constantFrom(...ODD_HEADERS), { maxLength: 3 })),
      ),
      read: headersOf(input),
      body: bodyOf(input, words, words[`${pattern} body`] ?? []),
    })
    .map(({ contentType: type, odd, read, body, ...rest }) => ({
      ...rest,
      body,
      headers: {
        ...(body ? { 'content-type': type, 'content-length': String(body.length) } : {}),
        ...read,
        ...Object.fromEntries(odd),
      },
    }));
}

/** Most of the headers that the route reads. */
function headersOf({ headers = {} }: RouteInput): fc.Arbitrary<Record<string, string>> {
  const drawn = Object.entries(headers).map(([name, values]) =>
    fc.oneof(
      often(
        8,
        fc.constantFrom(...values).map((value) => [[name, value]]),
      ),
      often(1, fc.constant<string[][]>([])),
    ),
  );
  return fc.tuple(...drawn).map((all) => Object.fromEntries(all.flat()));
}

function pathOf(pattern: string, words: Words): fc.Arbitrary<string> {
  const known = (words[pattern] ?? []).map(String);
  const segments = pattern.split('/').map((segment) => {
    if (!segment.startsWith(':')) return fc.constant(segment);
    return fc.oneof(
      ...(known.length > 0 ? [often(5, fc.constantFrom(...known))] : []),
      often(2, fc.uuid()),
      often(3, fc.constantFrom(...ODD_SEGMENTS)),
    );
  });
  return fc.tuple(...segments).map((parts) => parts.join('/'));
}

function queryOf({ query }: RouteInput, words: Words): fc.Arbitrary<string> {
  const odd = fc.constantFrom(...ODD_QUERIES).map((text) => `?${text}`);
  if (!query) return fc.oneof(often(9, fc.constant('')), often(1, odd));
  const right = arbitraryOf(query, words);
  const text = fc.constantFrom<unknown>(...ODD_TEXTS);
  const nearlyRight = fc.tuple(right, fc.nat(), fc.oneof(text, oddValue)).map(([value, at, replaced]) => {
    const names = [...Object.keys((query as unknown as { shape?: object }).shape ?? {}), 'extra'];
    return { ...(value as object), [names[at % names.length] ?? 'extra']: replaced };
  });
  const written = fc
    .oneof(often(1, right), often(1, nearlyRight))
    .map(writeQuery)
    .filter((one) => one.length < MAX_QUERY);
  return fc.oneof(
    often(8, written),
    often(
      1,
      fc.tuple(written, written).map(([one, other]) => `${one}&${other.slice(1)}`),
    ),
    often(1, odd),
  );
}

function writeQuery(value: unknown): string {
  const query = new URLSearchParams();
  for (const [name, one] of Object.entries(value as object))
    if (one !== undefined) query.append(name, typeof one === 'string' ? one : writeJson(one));
  return `?${query}`;
}

/** `samples`: bodies that are right, as bytes or as values of JSON. */
function bodyOf(
  { body }: RouteInput,
  words: Words,
  samples: readonly unknown[],
): fc.Arbitrary<Buffer | null> {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((raw) => Buffer.from(raw));
  const text = (value: unknown) => Buffer.from(writeJson(value));
  const broken = fc
    .constantFrom(
      '{',
      '',
      'null',
      '"\\ud800"',
      '{"a":1}x',
      '[1,]',
      '\ufeff{}',
      '{"a":"\u0000"}',
      '['.repeat(20_000),
    )
    .map((raw) => Buffer.from(raw));
  const anything = oddValue.map(text);
  if (body === null) return fc.oneof(often(6, fc.constant(null)), often(1, anything), often(1, broken));
  if (body === 'bytes') {
    const sampled = samples.length === 0 ? [] : [often(8, fc.constantFrom(...samples).chain(nearlySample))];
    return fc.oneof(
      ...sampled,
      often(2, bytes),
      often(2, anything),
      often(1, broken),
      often(1, fc.constant(null)),
    );
  }
  const right = arbitraryOf(body, words);
  return fc.oneof(
    often(6, right.map(text)),
    often(10, nearly(right).map(text)),
    often(3, nearly(nearly(right)).map(text)),
    often(1, anything),
    often(1, broken),
    often(1, bytes),
    often(1, fc.constant(null)),
  );
}

function nearlySample(sample: unknown): fc.Arbitrary<Buffer> {
  if (!Buffer.isBuffer(sample))
    return nearly(fc.constant(sample)).map((value) => Buffer.from(writeJson(value)));
  return fc.array(fc.tuple(fc.nat(sample.length - 1), fc.nat(255)), { maxLength: 3 }).map((changes) => {
    const bytes = Buffer.from(sample);
    for (const [at, byte] of changes) bytes[at] = byte;
    return bytes;
  });
}
