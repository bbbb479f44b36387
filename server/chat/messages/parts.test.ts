import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sliceList } from '#server/chat/upstream/transport/slice-json.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, draft, endOf, send, textOf } from '#test/chat/chat.ts';
import { copyMessage } from '#test/chat/conversation-tree.ts';
import { geminiBytes, searched } from '#test/chat/gemini-bytes.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { readEvents } from '#test/events.ts';

const LITE = 'gemini-2.5-flash-lite';
const WRITTEN = [
  '{"text":"Let me compute. ","thought":true}',
  '{"text":"Well: "}',
  `{"executableCode":{"language":"PYTHON","code":"print(6*7)"},"thoughtSignature":"sig/${LITE}/1"}`,
  '{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"42\\n\\u0000"}}',
  '{"text":"it is "}',
  `{"text":"42.","thoughtSignature":"sig/${LITE}/2"}`,
];
const PARTS = [
  { kind: 'reasoning', text: 'Let me compute. ', ms: expect.any(Number) },
  { kind: 'text', text: 'Well: ' },
  { kind: 'code', language: 'python', code: 'print(6*7)' },
  { kind: 'output', outcome: 'ok', text: '42\n' },
  { kind: 'text', text: 'it is 42.' },
];

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

function writeParts(): Promise<void> {
  const bytes = geminiBytes([WRITTEN.slice(0, 3), WRITTEN.slice(3)]);
  return app.gemini.scenario('verbatim', { params: { bytes } });
}

async function lastContents(): Promise<{ role: string; parts: unknown[] }[]> {
  const body = (await app.gemini.requests()).at(-1)?.body as {
    contents?: { role: string; parts: unknown[] }[];
  };
  return body.contents ?? [];
}

test('an answer of parts streams as events, and the message has them in their order', async () => {
  const user = await app.signedIn();
  await writeParts();
  const { id } = await send(user);
  const path = `/api/messages/${id}/events`;
  const events = await readEvents(user, path);
  expect(events.filter(({ event }) => event === 'part').map(({ data }) => data.part)).toEqual([
    PARTS[2],
    PARTS[3],
  ]);
  expect(textOf(events)).toBe('Well: it is 42.');
  const message = endOf(events);
  expect(message).toMatchObject({
    status: 'completed',
    response: 'Well: it is 42.',
    parts: PARTS,
    creditsUsed: 8,
  });
  expect(await (await user.get(`/api/messages/${id}`)).json()).toEqual(message);
  const resumed = await readEvents(user, path, { after: 3 });
  expect(resumed).toEqual(events.slice(3));
});

test('once the log is gone, a reader gets each part in one event', async () => {
  const user = await app.signedIn();
  await writeParts();
  const id = await copyMessage(app.database.database.sql, (await ask(user)).id);
  const events = await readEvents(user, `/api/messages/${id}/events`);
  expect(events.map(({ event }) => event)).toEqual(['reasoning', 'text', 'part', 'part', 'text', 'end']);
  expect(endOf(events).parts).toEqual(PARTS);
});

test('the model gets its own parts back as it wrote them, another one in words', async () => {
  const user = await app.signedIn();
  await writeParts();
  const first = await ask(user);
  const next = draft({
    conversationId: first.conversationId,
    parentId: first.id,
    content: 'And twice that?',
  });
  expect(await ask(user, next)).toMatchObject({ status: 'completed' });
  const [, own] = await lastContents();
  expect(own?.parts).toEqual(WRITTEN.map((part) => JSON.parse(part)));
  const other = draft({ ...next, model: 'parley-flash' });
  const switched = await ask(user, { ...other, id: draft().id });
  expect(switched).toMatchObject({ status: 'completed' });
  const [, told] = await lastContents();
  expect(JSON.stringify(told)).toContain('print(6*7)');
  expect(JSON.stringify(told)).not.toContain('thoughtSignature');
  expect(await app.gemini.requests()).toHaveLength(3);
});

test('what is kept for the model takes no text that the answer has', async () => {
  const user = await app.signedIn();
  const text = 'Long words. '.repeat(500);
  const parts = [JSON.stringify({ text }), `{"text":"","thoughtSignature":"sig/${LITE}/1"}`];
  await app.gemini.scenario('verbatim', { params: { bytes: geminiBytes([parts]) } });
  const { id } = await ask(user);
  const [row] = await app.database.database.sql`select kept, output from messages where id = ${id}`;
  expect(row?.kept.length).toBeLessThan(200);
  expect(row?.output).toBeNull();
});

test('sources are part of the answer, in its exports too', async () => {
  const user = await app.signedIn();
  const bytes = geminiBytes([['{"text":"Yes, it is."}']], searched(1));
  await app.gemini.scenario('verbatim', { params: { bytes } });
  const message = await ask(user, { options: { search: 'auto' } });
  const part = {
    kind: 'sources',
    sources: [{ url: 'https://a.example/', title: 'A' }],
    supports: [{ start: 0, end: 3, sources: [0] }],
    queries: ['query 0'],
  };
  expect(message.parts).toEqual([{ kind: 'text', text: 'Yes, it is.' }, part]);
  const path = `/api/conversations/${message.conversationId}/export?format=`;
  const markdown = await (await user.get(`${path}md`)).text();
  const label = `[^1-${message.id.slice(-8)}]`;
  expect(markdown).toContain(`Yes${label}, it is.`);
  const day = new Date(message.endedAt ?? 0).toISOString().slice(0, 10);
  expect(markdown).toContain(`${label}: [A](<https://a.example/>) · a.example · 搜索于 ${day}\n`);
  const json = (await (await user.get(`${path}json`)).json()) as { messages: unknown[] };
  expect(json.messages).toEqual([message]);
});

test('a version of the model that no column takes does not keep an answer from its end', async () => {
  const user = await app.signedIn();
  const bytes = geminiBytes([['{"text":"Yes."}']]).replaceAll('"m-1"', '"m\\u0000\\ud800-1"');
  await app.gemini.scenario('verbatim', { params: { bytes } });
  expect(await ask(user)).toMatchObject({ status: 'completed', modelVersion: 'm\ufffd-1', creditsUsed: 8 });
});

test('code and its output stand in the Markdown where they came', async () => {
  const user = await app.signedIn();
  await writeParts();
  const { conversationId } = await ask(user);
  const markdown = await (await user.get(`/api/conversations/${conversationId}/export?format=md`)).text();
  expect(markdown).toContain('Well: \n\n```python\nprint(6*7)\n```\n\n```\n42\n```\n\nit is 42.');
});

test('an answer whose process died keeps the parts that the log has', async () => {
  const user = await app.signedIn();
  const { sql } = app.database.database;
  const id = await copyMessage(sql, (await ask(user)).id);
  const events = [
    ['reasoning', { text: 'Hm.' }],
    ['text', { text: 'a😀' }],
    ['text', { text: 'b' }],
    ['part', { part: PARTS[2] }],
    ['notice', { code: 'context_trimmed' }],
    ['text', { text: 'c' }],
  ];
  await sql`insert into message_events values (${id}, 1, 6, ${JSON.stringify(events)}::text::jsonb)`;
  await sql`
    update messages set status = 'running', response = '', end_seq = null, ended_at = null, credits_used = 0
     where id = ${id}`;
  await sql`select * from interrupt_messages(${[id]}::uuid[], null)`;
  const message = (await (await user.get(`/api/messages/${id}`)).json()) as {
    response: string;
    parts: unknown;
  };
  expect(message.response).toBe('a😀bc');
  expect(message.parts).toEqual([
    { kind: 'reasoning', text: 'Hm.' },
    { kind: 'text', text: 'a😀b' },
    PARTS[2],
    { kind: 'text', text: 'c' },
  ]);
});

test('slices of JSON are found by their path', () => {
  expect(sliceList(' {"a": [ {"b":[1 ,"x,]", {"c":null}]} ]}', ['a', 0, 'b'])).toEqual([
    '1',
    '"x,]"',
    '{"c":null}',
  ]);
  expect(sliceList('{"a":[]}', ['a'])).toEqual([]);
  expect(sliceList('{"a":[true]}', ['b', 0])).toEqual([]);
});
