import { type ClientRequest, createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText } from 'ai';
import type OpenAI from 'openai';
import { APIError } from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { pdf, picture, sha256 } from '#test/chat/files.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { askedParts, dataUrl, file, image, MODEL, type Part, question } from '#test/files/api-parts.ts';
import { slowPdf } from '#test/hostile-files/heavy-pdfs.ts';
import { hugePng } from '#test/hostile-files/hostile-pictures.ts';
import { IS_LONG } from '#test/runs.ts';

let png: Buffer;
let served = 0;
/** Ends the answers of `/slow`. */
let release: () => void = () => {};
const released = new Promise<void>((resolve) => {
  release = resolve;
});
/** What stands at an address of a caller's. */
const pictures = createServer((request, response) => {
  served += 1;
  if (request.url === '/a.png') response.setHeader('content-type', 'text/html').end(png);
  else if (request.url === '/page') response.end('<html>');
  else if (request.url === '/large') response.end(Buffer.alloc(21 * 1_048_576));
  else if (request.url === '/slow') void released.then(() => response.end(png));
  else if (request.url === '/inside') response.writeHead(302, { location: 'https://127.0.0.1/' }).end();
  else response.writeHead(404).end();
});
let app: TestApp;
beforeAll(async () => {
  png = await picture('png', 64);
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  const { port } = pictures.address() as AddressInfo;
  app = await createTestApp({ env: { FETCH_TEST_HOSTS: `pictures.test=127.0.0.1:${port}` } });
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
  pictures.closeAllConnections();
  pictures.close();
});

async function refusal(call: Promise<unknown>): Promise<APIError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof APIError) return error;
  throw new Error(`no APIError but ${String(error)}`);
}

test.runIf(IS_LONG)('the openai client sends pictures and files as it does anywhere', async () => {
  const { user, client } = await apiUser(app);
  const parts = [
    image(dataUrl('image/png', png), 'high'),
    file(pdf(3), '合同.pdf', 'application/pdf'),
    file(Buffer.from('城市,人口\n上海,2487'), 'cities.csv', 'text/csv'),
  ];
  await app.gemini.scenario('seen-files');
  const { data, response } = await client.chat.completions.create(question(...parts)).withResponse();
  expect(JSON.parse(data.choices[0]?.message.content ?? '')).toMatchObject([
    { sha256: sha256(png), pixels: [64, 64] },
    { name: '合同.pdf', pages: 3 },
    { text: expect.stringContaining('上海,2487') },
  ]);
  expect(response.headers.get('x-credits-quoted')).toBe('8');
  expect(await creditsOf(user)).toBe(32);
  const [first, , , second] = await askedParts(app.gemini);
  expect([first, second]).toEqual([{ text: 'What is this?' }, { text: '[file: 合同.pdf]\n' }]);
});

test.runIf(IS_LONG)('the AI SDK sends pictures and files as it does anywhere', async () => {
  const { key } = await apiUser(app);
  const parley = createOpenAICompatible({ name: 'parley', baseURL: `${app.url}/v1`, apiKey: key });
  await app.gemini.scenario('seen-files');
  const { text } = await generateText({
    model: parley(MODEL),
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'file', data: png, mediaType: 'image/png' },
          { type: 'file', data: pdf(2), mediaType: 'application/pdf', filename: 'contract.pdf' },
        ],
      },
    ],
  });
  expect(JSON.parse(text)).toMatchObject([{ sha256: sha256(png) }, { name: 'contract.pdf' }]);
});

const quote = (key: string, asked: object, { url } = app) =>
  fetch(`${url}/v1/quotes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });

test('what they cost is quoted, and what was quoted is held and charged', async () => {
  const { user, client, key } = await apiUser(app);
  const asked = question(file(pdf(60), 'long.pdf'));
  const quoted = await quote(key, asked);
  const line = { kind: 'files', max: 4, params: { tokens: 33_600, free: 8_000, step: 8_000, each: 1 } };
  expect(await quoted.json()).toMatchObject({ object: 'quote', max: 12, lines: [{}, line] });
  const { data, response } = await client.chat.completions.create(asked).withResponse();
  expect(data.usage).toMatchObject({ credits_charged: 12 });
  expect(response.headers.get('x-credits-quoted')).toBe('12');
  expect(response.headers.get('x-credits-charged')).toBe('12');
  expect(await creditsOf(user)).toBe(28);
});

test.runIf(IS_LONG)('files that are slow to read hold up who sends them, and nobody else', async () => {
  const [many, other] = [await apiUser(app), await apiUser(app)];
  const answered: string[] = [];
  const ask = async ({ key }: typeof many, data: Buffer) => {
    const { status } = await quote(key, question(file(data, 'a.pdf')));
    answered.push(key);
    return status;
  };
  const slow = [slowPdf(3, 150), slowPdf(3, 150)].map((data) => ask(many, data));
  for (let n = 0; n < 4; n += 1) expect((await quote(other.key, question())).status).toBe(200);
  expect(await ask(other, pdf(1))).toBe(200);
  expect(answered).toEqual([other.key]);
  expect(await Promise.all(slow)).toEqual([200, 200]);
});

test('quotes with files are a tenth of the requests of a minute, for each user', async () => {
  const limited = await createTestApp({ beside: app, env: { API_REQUEST_LIMIT: '10' } });
  const [many, other] = [await apiUser(limited), await apiUser(limited)];
  const withFile = question(image(dataUrl('image/png', png)));
  expect((await quote(many.key, withFile, limited)).status).toBe(200);
  const refused = await quote(many.key, withFile, limited);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(await refused.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
  expect((await quote(many.key, question(), limited)).status).toBe(200);
  expect((await quote(other.key, withFile, limited)).status).toBe(200);
  await limited.close();
});

test.runIf(IS_LONG)('pictures that may all be looked at briefly are, and cost less', async () => {
  const { key, client } = await apiUser(app);
  const priceOf = async (...parts: Part[]) => (await quote(key, question(...parts))).json();
  const brief = Array.from({ length: 8 }, () => image(dataUrl('image/png', png), 'low'));
  expect(await priceOf(...brief)).toMatchObject({ max: 8 });
  expect(await priceOf(...brief.slice(1), image(dataUrl('image/png', png)))).toMatchObject({ max: 9 });
  await client.chat.completions.create(question(...brief.slice(6)));
  const body = (await app.gemini.requests()).at(-1)?.body as { generationConfig: object };
  expect(body.generationConfig).toMatchObject({ mediaResolution: 'MEDIA_RESOLUTION_LOW' });
});

test.runIf(IS_LONG)('a picture at an address is fetched for the answer, not for its price', async () => {
  const { key, client } = await apiUser(app);
  const asked = question(image('https://pictures.test/a.png'));
  served = 0;
  await fetch(`${app.url}/v1/quotes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });
  expect(served).toBe(0);
  await app.gemini.scenario('seen-files');
  const answer = await client.chat.completions.create(asked);
  expect(answer.choices[0]?.message.content).toContain(sha256(png));
  expect(await askedParts(app.gemini)).toContainEqual({
    inlineData: { mimeType: 'image/png', data: png.toString('base64') },
  });
  expect(served).toBe(1);
});

test.runIf(IS_LONG)(
  'under an idempotency key the same pictures are one request, also where they are not there any more',
  async () => {
    const { user, client } = await apiUser(app);
    const asked = question(image('https://pictures.test/a.png'), image(dataUrl('image/png', png)));
    const under = { headers: { 'Idempotency-Key': 'one' } };
    const first = await client.chat.completions.create(asked, under);
    served = 0;
    const again = await client.chat.completions.create(asked, under);
    expect([again.id, served]).toEqual([first.id, 0]);
    const other = question(
      image('https://pictures.test/a.png'),
      image(dataUrl('image/png', await picture('png', 3))),
    );
    expect(await refusal(client.chat.completions.create(other, under))).toMatchObject({ status: 409 });
    expect(await creditsOf(user)).toBe(32);
  },
);

test.runIf(IS_LONG)(
  'an attempt that failed is made again with its picture, which is fetched anew',
  async () => {
    const { user, client } = await apiUser(app);
    const asked = question(image('https://pictures.test/a.png'));
    const under = { headers: { 'Idempotency-Key': 'failed' } };
    await app.gemini.scenario('http-400', { times: 1 });
    await refusal(client.chat.completions.create(asked, under));
    served = 0;
    await client.chat.completions.create(asked, under);
    expect(served).toBe(1);
    expect(await askedParts(app.gemini)).toContainEqual({
      inlineData: { mimeType: 'image/png', data: png.toString('base64') },
    });
    expect(await creditsOf(user)).toBe(32);
  },
);

test.runIf(IS_LONG)(
  'who repeats a request that runs follows it, and no model is asked with a picture that was not fetched',
  async () => {
    const { user, client } = await apiUser(app);
    const asked = question(image('https://pictures.test/a.png'));
    const under = { headers: { 'Idempotency-Key': 'running' } };
    await app.gemini.pace({ ttftMs: 300, gapMs: 0.2, jitter: 0 });
    const answers = await Promise.all([1, 2, 3].map(() => client.chat.completions.create(asked, under)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    for (const { body } of await app.gemini.requests())
      expect(JSON.stringify(body)).toContain(png.toString('base64'));
    expect(await app.gemini.requests()).toHaveLength(1);
    expect(await creditsOf(user)).toBe(32);
  },
);

type Refused = [name: string, part: Part, expected: object];
/** Each starts a process for what two others show too. */
const MORE_REFUSED: Refused[] = [
  [
    'a text as a picture',
    image(dataUrl('image/png', Buffer.from('text'))),
    { code: 'file_type_unsupported' },
  ],
  ['a large PNG as a file', file(hugePng(), 'a.png', 'image/png'), { code: 'file_too_complex' }],
  [
    'a picture that is cut off',
    image(dataUrl('image/png', hugePng().subarray(0, 40))),
    { code: 'file_unreadable' },
  ],
  [
    'a program as a file',
    file(Buffer.from('\x7fELF\0\0\0\0'), 'a.pdf'),
    { code: expect.stringMatching(/^file_/) },
  ],
];

test.each<Refused>([
  ['an address inside', image('https://127.0.0.1/a.png'), { code: 'address_unreadable' }],
  ['an address that leads inside', image('https://pictures.test/inside'), { code: 'address_unreadable' }],
  ['an address without a picture', image('https://pictures.test/none'), { code: 'address_unreadable' }],
  ['an address of a page', image('https://pictures.test/page'), { code: 'file_type_unsupported' }],
  ['a large picture at an address', image('https://pictures.test/large'), { code: 'address_unreadable' }],
  ['an address without TLS', image('http://pictures.test/a.png'), { code: 'invalid_request' }],
  ['no base64', image('data:image/png;base64,%%%'), { code: 'invalid_request' }],
  ['an empty picture', image('data:image/png;base64,'), { code: 'invalid_request' }],
  ['a PNG of 16,000 by 16,000 pixels', image(dataUrl('image/png', hugePng())), { code: 'file_too_complex' }],
  ['a broken PDF', file(Buffer.from('%PDF-1.4 nothing'), 'a.pdf'), { code: 'file_unreadable' }],
  [
    'a file that was uploaded elsewhere',
    { type: 'file', file: { file_id: 'file-1' } },
    { code: 'unsupported_parameter' },
  ],
  [
    'sound',
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
    { code: 'unsupported_parameter' },
  ],
  ...(IS_LONG ? MORE_REFUSED : []),
])('%s is refused with 400 and its place, and costs nothing', async (_name, part, expected) => {
  const { user, client } = await apiUser(app);
  const error = await refusal(client.chat.completions.create(question(part)));
  expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', ...expected });
  expect(error.param).toMatch(/^messages\.0\.content\.1\./);
  expect(await creditsOf(user)).toBe(40);
});

test('only what the user says may have pictures', async () => {
  const { client } = await apiUser(app);
  const content = [image(dataUrl('image/png', png))] as never;
  for (const role of ['system', 'assistant'] as const) {
    const messages = [
      { role: 'user' as const, content: 'a' },
      { role, content },
      { role: 'user' as const, content: 'b' },
    ];
    const error = await refusal(client.chat.completions.create({ model: MODEL, messages }));
    expect(error).toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
      param: 'messages.1.content.0.type',
    });
  }
});

test.runIf(IS_LONG)('more than 20 MB in one request are refused, whole or in parts', async () => {
  const { client } = await apiUser(app);
  const half = Buffer.alloc(11 * 1_048_576);
  png.copy(half);
  const error = await refusal(
    client.chat.completions.create(
      question(...[half, half].map((data) => image(dataUrl('image/png', data)))),
    ),
  );
  expect([400, 413]).toContain(error.status);
});

test('the models of a key are those that it may call; the others are listed where they are asked for', async () => {
  const { client } = await apiUser(app);
  const list = async (query = {}) =>
    (await client.models.list({ query })).data as (OpenAI.Model & Record<string, unknown>)[];
  const mine = await list();
  expect(mine.map(({ id }) => id)).toEqual(['parley-flash', 'gemini-2.5-flash-lite']);
  expect(mine[0]?.input_modalities).toEqual(['text', 'image', 'file']);
  const all = await list({ all: 'true' });
  expect(all.filter(({ allowed }) => allowed === false).map(({ id }) => id)).toContain('parley-pro');
});

test.runIf(IS_LONG)(
  'four requests of one user fetch pictures at once, whose memory is held like that of long bodies',
  async () => {
    const { key } = await apiUser(app);
    const request = () =>
      fetch(`${app.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify(question(image('https://pictures.test/slow'))),
      });
    const before = served;
    const held = Array.from({ length: 4 }, request);
    await expect.poll(() => served - before).toBe(4);
    expect((await request()).status).toBe(429);
    expect(served - before).toBe(4);
    release();
    expect((await Promise.all(held)).every(({ status }) => status !== 500)).toBe(true);
    expect((await request()).status).not.toBe(429);
  },
);

test.runIf(IS_LONG)('long bodies that do not come, of six users, leave room for one of another', async () => {
  const other = await apiUser(app);
  const length = 28 * 1_048_576;
  const held: ClientRequest[] = [];
  /** Announces a body and sends none of it; the status of what refuses it. */
  const announce = (key: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const call = sendRequest(`${app.url}/v1/quotes`, {
      method: 'POST',
      headers: { ...headers, 'content-length': length },
    });
    held.push(call);
    call.on('error', () => {});
    call.flushHeaders();
    return new Promise((resolve) => call.on('response', ({ statusCode }) => resolve(statusCode)));
  };
  const users = await Promise.all(Array.from({ length: 6 }, () => apiUser(app)));
  for (const { key } of users)
    expect(await Promise.race(Array.from({ length: 3 }, () => announce(key)))).toBe(429);
  const long = Buffer.alloc(15 * 1_048_576);
  png.copy(long);
  const { status } = await quote(other.key, question(image(dataUrl('image/png', long))));
  for (const call of held) call.destroy();
  expect(status).toBe(200);
});
