import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import type { SendOptions } from '#contract/message/quotes.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, type Draft, draft, refusal } from '#test/chat/chat.ts';
import { geminiBytes, searched } from '#test/chat/gemini-bytes.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';

const FLASH = 'parley-flash';
const PAGE = 'https://example.com/article';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

interface Body {
  tools?: object[];
  systemInstruction?: { parts: { text: string }[] };
  generationConfig?: { thinkingConfig?: object };
  contents: { role: string; parts: object[] }[];
}

async function bodies(): Promise<Body[]> {
  return (await app.gemini.requests()).map(({ body }) => body as Body);
}

function sourcesOf({ parts }: Message) {
  const part = parts?.find(({ kind }) => kind === 'sources');
  return part?.kind === 'sources' ? part : null;
}

async function refusedField(user: TestClient, over: object): Promise<unknown> {
  const quoted = await refusal(await user.post('/api/quotes', { model: draft().model, ...over }));
  const sent = await refusal(await user.post('/api/messages', { ...draft(), ...over }));
  expect(sent).toEqual(quoted);
  return quoted.code === 'invalid_request' ? (quoted.params as { field: string }).field : null;
}

test('the catalogue says what each model can be told, and anything else is refused with its field', async () => {
  const user = await app.signedIn();
  const { models } = (await (await user.get('/api/catalogue')).json()) as { models: CatalogueModel[] };
  const model = (id: string) => models.find((one) => one.id === id);
  const tools = { search: true, code: true, addresses: true };
  expect(model(FLASH)).toMatchObject({ efforts: ['low', 'medium', 'high'], tools });
  expect(model('gemini-2.5-flash-lite')).toMatchObject({ efforts: [], tools });
  expect(model('gemini-3.5-pro')).toMatchObject({
    efforts: [],
    tools: { search: false, code: false, addresses: false },
  });
  expect(await refusedField(user, { options: { effort: 'high' } })).toBe('options.effort');
  expect((await user.post('/api/quotes', { model: FLASH, options: { effort: 'extreme' } })).status).toBe(422);
  expect(await creditsOf(user)).toBe(40);
});

test('addresses in a question are opened for nothing, and which could be read is said', async () => {
  const user = await app.signedIn();
  const content = `Compare ${PAGE} with https://example.com/paywall, https://example.com/unsafe and https://example.com/missing.`;
  const message = await ask(user, { model: FLASH, content });
  expect(message).toMatchObject({ status: 'completed', creditsUsed: 15 });
  expect(message.quote).toEqual({ max: 15, lines: [{ kind: 'message', max: 15, params: {} }] });
  expect(sourcesOf(message)).toMatchObject({
    sources: [],
    pages: [
      { url: PAGE, status: 'read' },
      { url: 'https://example.com/paywall', status: 'paywalled' },
      { url: 'https://example.com/unsafe', status: 'refused' },
      { url: 'https://example.com/missing', status: 'failed' },
    ],
  });
  // What was opened is in what the model read.
  expect(message.usage?.inputTokens).toBeGreaterThan(5_500);
  expect((await bodies())[0]?.tools).toEqual([{ urlContext: {} }]);
});

test('more addresses than a message pays for are not opened, and the model is told', async () => {
  const user = await app.signedIn();
  const many = Array.from({ length: 6 }, (_, n) => `https://example.com/${n}`).join(' ');
  const message = await ask(user, { model: FLASH, content: `Summarise ${many}` });
  expect(message.status).toBe('completed');
  const [body] = await bodies();
  expect(body?.tools).toBeUndefined();
  expect(body?.systemInstruction?.parts[0]?.text).toContain('not opened');
});

test('addresses of a hundred questions are opened a day, for each user, and the model is told of later ones', async () => {
  const [user, other] = [await app.signedIn(), await app.signedIn()];
  await app.database.database.sql`
    insert into rate_limits (key, started_at, count) values (${`addresses:${user.userId}`}, now(), 99)`;
  for (const client of [user, user, other])
    expect((await ask(client, { model: FLASH, content: `Read ${PAGE}` })).status).toBe('completed');
  const asked = await bodies();
  expect(asked.map(({ tools }) => tools)).toEqual([[{ urlContext: {} }], undefined, [{ urlContext: {} }]]);
  expect(asked[1]?.systemInstruction?.parts[0]?.text).toContain('not opened');
});

test('a provider that opens no addresses beside other tools is asked without', async () => {
  const user = await app.signedIn();
  await app.gemini.scenario('http-400', { times: 1 });
  const options: SendOptions = { search: 'auto' };
  const message = await ask(user, { content: `Look at ${PAGE}`, options });
  expect(message.status).toBe('completed');
  expect((await bodies()).map(({ tools }) => tools)).toEqual([
    [{ googleSearch: {} }, { urlContext: {} }],
    [{ googleSearch: {} }],
  ]);
});

test('a search, addresses and code go together; what was found, its suggestions and what ran are parts', async () => {
  const user = await app.signedIn();
  const options: SendOptions = { search: 'always', code: true, effort: 'high' };
  const content = `今天的汇率是多少？看 ${PAGE}，再计算 12 × 34`;
  const message = await ask(user, { model: FLASH, content, options });
  expect(message).toMatchObject({ status: 'completed', options, creditsUsed: 21 });
  const [body] = await bodies();
  expect(body?.tools).toEqual([{ googleSearch: {} }, { urlContext: {} }, { codeExecution: {} }]);
  expect(body?.generationConfig?.thinkingConfig).toEqual({ includeThoughts: true, thinkingLevel: 'HIGH' });
  expect(body?.systemInstruction?.parts[0]?.text).toContain('Search the web');
  const kinds = message.parts?.map(({ kind }) => kind);
  expect(kinds?.slice(0, 4)).toEqual(['reasoning', 'code', 'output', 'image']);
  const plot = message.parts?.find((part) => part.kind === 'image');
  const file = await user.get(`/api/files/${plot?.kind === 'image' ? plot.fileId : ''}`);
  expect(await file.json()).toMatchObject({ type: 'image/png', state: 'ready', width: 480 });
  expect(kinds?.slice(-2)).toEqual(['text', 'sources']);
  expect(message.parts?.[0]).toMatchObject({ ms: expect.any(Number) });
  expect(message.parts?.[2]).toEqual({ kind: 'output', outcome: 'ok', text: '408\n' });
  const found = sourcesOf(message);
  expect(found?.pages).toEqual([{ url: PAGE, status: 'read' }]);
  expect(found?.suggestions).toMatch(/^<style>[\s\S]*<div class="container">/);
  expect(found?.supports.length).toBeGreaterThan(0);
  for (const { start, end } of found?.supports ?? []) {
    expect(message.response.slice(start, end)).toMatch(/[。.!?！？]$/);
  }
  const { conversationId } = message;
  const json = await (await user.get(`/api/conversations/${conversationId}/export?format=json`)).text();
  expect(json).toContain('class=\\"container\\"');
  const markdown = await (await user.get(`/api/conversations/${conversationId}/export?format=md`)).text();
  expect(markdown).toContain(`[^1-${message.id.slice(-8)}]: [www.example.com](<https://`);
  expect(markdown).not.toContain('class="container"');
});

test('a message says what it was sent with, and what asks for nothing is not kept', async () => {
  const user = await app.signedIn();
  const plain = await ask(user, { options: { search: 'off', code: false } });
  expect(plain).not.toHaveProperty('options');
  const { conversationId, id: parentId } = plain;
  const coded = { ...draft({ conversationId, parentId }), options: { code: true } };
  const message = await ask(user, coded);
  expect(message.options).toEqual({ code: true });
  expect(message.creditsUsed).toBe(8);
  expect((await user.post('/api/messages', coded)).status).toBe(200);
  expect(await refusal(await user.post('/api/messages', { ...coded, options: {} }))).toMatchObject({
    code: 'key_reused',
  });
});

test('thinking is told as each model takes it', async () => {
  const { sql } = app.database.database;
  const user = await app.signedIn();
  const { insertSubscription } = await import('#test/factories.ts');
  await insertSubscription(sql, user.userId);
  for (const effort of ['low', 'high'] as const)
    await ask(user, { model: 'gemini-2.5-flash', options: { effort } });
  await ask(user, { model: FLASH, options: { effort: 'low' } });
  expect((await bodies()).map(({ generationConfig }) => generationConfig?.thinkingConfig)).toEqual([
    { includeThoughts: true, thinkingBudget: 1_024 },
    { includeThoughts: true, thinkingBudget: 8_192 },
    { includeThoughts: true, thinkingLevel: 'LOW' },
  ]);
});

test('searches of an answer that failed are free, and are recorded for the operator', async () => {
  const user = await app.signedIn();
  const counted = async (charged: string) => {
    const { values } = await app.deps.metrics.searches.get();
    return values.find(({ labels }) => labels.charged === charged)?.value ?? 0;
  };
  const before = [await counted('yes'), await counted('no')];
  const bytes = (last: object) => geminiBytes([['{"text":"Yes."}']], last);
  const options: SendOptions = { search: 'auto' };
  await app.gemini.scenario('verbatim', {
    params: { bytes: bytes({ ...searched(4), finishReason: 'SAFETY' }) },
  });
  const failed = await ask(user, { options });
  await app.gemini.scenario('verbatim', { params: { bytes: bytes(searched(2)) } });
  const charged = await ask(user, { options });
  expect([failed.creditsUsed, charged.creditsUsed]).toEqual([0, 14]);
  const rows = await app.database.database.sql`
    select output ->> 'searches' as searches, credits_used from messages
     where id in (${failed.id}, ${charged.id}) order by credits_used`;
  expect(rows).toMatchObject([
    { searches: '4', credits_used: 0 },
    { searches: '2', credits_used: 14 },
  ]);
  expect([await counted('yes'), await counted('no')]).toEqual([Number(before[0]) + 2, Number(before[1]) + 4]);
});

test('a call of a function that was never offered is no answer, and no part of one', async () => {
  const user = await app.signedIn();
  const call = `{"functionCall":{"name":"run","args":{}},"thoughtSignature":"sig/gemini-3.8-flash/1"}`;
  const answered = async (over: Partial<Draft>, ...parts: string[]) => {
    await app.gemini.scenario('verbatim', { params: { bytes: geminiBytes([[...parts, call], []]) } });
    return ask(user, { model: FLASH, ...over });
  };
  expect(await answered({})).toMatchObject({
    ...{ status: 'failed', creditsUsed: 0, error: { code: 'upstream_empty' } },
  });
  const said = await answered({}, '{"text":"Paris."}');
  expect(said).toMatchObject({ status: 'completed', response: 'Paris.', creditsUsed: 15 });
  expect(said.parts).toBeUndefined();
  const next = await ask(user, { model: FLASH, conversationId: said.conversationId, parentId: said.id });
  expect(next.status).toBe('completed');
  const given = (await bodies()).at(-1)?.contents.filter(({ role }) => role === 'model');
  expect(given).toEqual([{ role: 'model', parts: [{ text: 'Paris.' }] }]);
});
