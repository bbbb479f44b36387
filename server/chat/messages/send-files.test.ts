import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Quote } from '#contract/message/quotes.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, type Draft, draft, refusal, send, waitForEnd } from '#test/chat/chat.ts';
import { pdf, picture, type StoredFile, sha256, storeFile } from '#test/chat/files.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { countWaiting } from '#test/database/held-user.ts';
import type { TestUser } from '#test/factories.ts';
import { PATIENT } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';
import { openTurnFiles } from '../attachments/open-turn-files.ts';
import { MAX_INLINE } from '../upstream/media/give-files.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

type User = TestClient & TestUser;
const store = (user: User, file?: StoredFile) => storeFile(app.database.database.sql, user.userId, file);
const LONG_PDF = { name: '合同.pdf', type: 'application/pdf', data: pdf(30), pages: 30, tokens: 16_800 };

async function quote(user: User, over: Partial<Draft> = {}): Promise<Quote> {
  const response = await user.post('/api/quotes', { model: 'gemini-2.5-flash-lite', ...over });
  expect(response.status).toBe(200);
  return (await response.json()) as Quote;
}

/** The parts of each user turn of the last question. */
async function turnsAsked(): Promise<Record<string, unknown>[][]> {
  const body = (await app.gemini.requests()).at(-1)?.body as
    | { contents: { role: string; parts: Record<string, unknown>[] }[] }
    | undefined;
  return (body?.contents ?? []).filter(({ role }) => role === 'user').map(({ parts }) => parts);
}

test('files are free up to 8,000 tokens a turn, and 1 Credit for each 8,000 begun beyond', async () => {
  const user = await app.signedIn();
  const small = await store(user, { tokens: 8_000 });
  expect((await quote(user, { files: [small] })).lines).toHaveLength(1);
  const one = await store(user, { tokens: 1 });
  const files = [small, one];
  const line = { kind: 'files', max: 1, params: { tokens: 8_001, free: 8_000, step: 8_000, each: 1 } };
  expect(await quote(user, { files })).toMatchObject({ max: 9, lines: [{}, line] });
  const message = await ask(user, { files });
  expect(message).toMatchObject({ cost: 9, creditsUsed: 9, quote: { max: 9 } });
  expect(message.charged?.lines).toContainEqual({ kind: 'files', credits: 1 });
  expect(await creditsOf(user)).toBe(31);
});

test('a model sees what it was given, and the message shows it', async () => {
  const user = await app.signedIn();
  const data = await picture('jpeg');
  const seen = await store(user, { name: '日落.jpg', type: 'image/jpeg', data, tokens: 1_120 });
  const read = await store(user, LONG_PDF);
  const told = await store(user, { name: 'a.csv', text: '城市,人口\n上海,2487' });
  await app.gemini.scenario('seen-files', { times: null });
  const message = await ask(user, { files: [seen, read, told], content: '这是什么？' });
  expect(message.inputParts).toEqual([
    { kind: 'text', text: '这是什么？' },
    { kind: 'image', fileId: seen },
    { kind: 'file', fileId: read, name: '合同.pdf', type: 'application/pdf' },
    { kind: 'file', fileId: told, name: 'a.csv', type: 'text/plain' },
  ]);
  expect(JSON.parse(message.response)).toMatchObject([
    { name: '日落.jpg', sha256: sha256(data) },
    { name: '合同.pdf', pages: 30 },
    { name: 'a.csv', text: '城市,人口\n上海,2487' },
  ]);
});

test('a file of an earlier message is read and paid in every turn, unless it is for its own turn only', async () => {
  const user = await app.signedIn();
  const kept = await store(user, LONG_PDF);
  const once = await store(user, { name: 'once.txt', text: 'Only once', tokens: 9_000, everyTurn: false });
  const first = await ask(user, { files: [kept, once] });
  expect(first.creditsUsed).toBe(8 + 3);
  const place = { conversationId: first.conversationId, parentId: first.id };
  expect((await quote(user, place)).max).toBe(8 + 2);
  const second = await ask(user, place);
  expect(second).toMatchObject({ creditsUsed: 10, status: 'completed' });
  expect(second.inputParts).toBeUndefined();
  const [before = [], now = []] = await turnsAsked();
  expect(before.map((part) => Object.keys(part)[0])).toEqual(['text', 'inlineData', 'text', 'text']);
  expect(before[2]).toEqual({ text: '[file: once.txt]\n' });
  expect(now).toEqual([{ text: 'What is the capital of France?' }]);
  // A second try of the first message reads what the first did.
  const again = await ask(user, { conversationId: first.conversationId, files: [kept, once] });
  expect(again.creditsUsed).toBe(11);
  // A branch without the file does not pay for it.
  await user.request(`/api/files/${kept}/every-turn`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ everyTurn: false }),
  });
  expect((await quote(user, place)).max).toBe(8);
});

test('the sender who was shown the price of text alone is shown the new one where files are read again', async () => {
  const user = await app.signedIn();
  const first = await ask(user, { files: [await store(user, LONG_PDF)] });
  const place = { conversationId: first.conversationId, parentId: first.id };
  const message = { ...draft(place), maxCredits: 8 };
  const refused = await user.post('/api/messages', message);
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ error: { code: 'quote_changed', quote: { max: 10 } } });
  await send(user, { ...message, maxCredits: 10 });
  const repeated = await user.post('/api/messages', { ...message, maxCredits: 8 });
  expect(repeated.status).toBe(200);
});

test('a message that is sent again is the same one also where its file was deleted since', async () => {
  const user = await app.signedIn();
  const file = await store(user);
  const first = await ask(user, { files: [file] });
  const { id, conversationId, content } = first;
  const again = { ...draft({ conversationId, files: [file.toUpperCase()], content }), id };
  expect((await user.delete(`/api/files/${file}`)).status).toBe(204);
  const repeated = await user.post('/api/messages', again);
  expect(repeated.status).toBe(200);
  expect(await repeated.json()).toMatchObject({ id, status: 'completed', creditsUsed: first.creditsUsed });
  const other = await user.post('/api/messages', { ...again, content: 'Another' });
  expect(await refusal(other)).toMatchObject({ code: 'file_deleted' });
});

test('a branch beside the one with a file is text alone', async () => {
  const user = await app.signedIn();
  const first = await ask(user);
  const { conversationId } = first;
  await ask(user, { conversationId, parentId: first.id, files: [await store(user, LONG_PDF)] });
  const beside = await ask(user, { conversationId, parentId: first.id });
  expect(beside).toMatchObject({ creditsUsed: 8, quote: { max: 8 } });
});

test('the same id with the same files is the same message, with others it is not', async () => {
  const user = await app.signedIn();
  const files = [await store(user), await store(user)];
  const message = { ...draft(), files };
  await send(user, message);
  expect((await user.post('/api/messages', message)).status).toBe(200);
  const other = await user.post('/api/messages', { ...message, files: files.slice(1) });
  expect(await refusal(other)).toMatchObject({ code: 'key_reused' });
});

test('files that cannot be read are refused each with its code, and nothing is sent, held or bound', async () => {
  const user = await app.signedIn();
  const stranger = await app.signedIn();
  const elsewhere = await store(user);
  await ask(user, { files: [elsewhere] });
  const left = await creditsOf(user);
  const good = await store(user);
  const many = await Promise.all(Array.from({ length: 11 }, () => store(user)));
  const cases: [string[], string][] = [
    [[good, await store(user, { state: 'uploading' })], 'file_not_ready'],
    [[good, await store(user, { state: 'reading' })], 'file_not_ready'],
    [[good, await store(user, { state: 'failed' })], 'file_encrypted'],
    [[good, await store(stranger)], 'file_deleted'],
    [[good, randomUUID()], 'file_deleted'],
    [[good, elsewhere], 'file_deleted'],
    [many, 'too_many_files'],
    [[good, await store(user, { tokens: 200_000 })], 'context_too_long'],
  ];
  for (const [files, code] of cases) {
    const message = draft({ files });
    expect(await refusal(await user.post('/api/messages', message))).toMatchObject({ code });
    const { id, parentId, content, ...asked } = message;
    expect(await refusal(await user.post('/api/quotes', asked))).toMatchObject({ code });
    expect((await user.get(`/api/messages/${id}`)).status).toBe(404);
  }
  expect(await creditsOf(user)).toBe(left);
  const [row] = await app.database.database.sql`select conversation_id from files where id = ${good}`;
  expect(row?.conversation_id).toBeNull();
});

test('a quote says nothing of the files of another user’s conversation', async () => {
  const [user, stranger] = [await app.signedIn(), await app.signedIn()];
  const file = await store(user, { tokens: 16_001 });
  const { conversationId, id: parentId } = await ask(user, { files: [file] });
  const place = { conversationId, parentId };
  expect((await quote(user, place)).lines.map(({ kind }) => kind)).toEqual(['message', 'files']);
  const plain = await quote(stranger);
  expect(plain.lines.map(({ kind }) => kind)).toEqual(['message']);
  for (const named of [place, { conversationId }, { parentId }])
    expect(await quote(stranger, named)).toEqual(plain);
  const taken = await stranger.post('/api/quotes', {
    model: 'gemini-2.5-flash-lite',
    ...place,
    files: [file],
  });
  expect(await refusal(taken)).toMatchObject({ code: 'file_deleted', params: { name: '' } });
});

test('a file that is deleted before or while it is read is gone, which is no fault of ours', async () => {
  const user = await app.signedIn();
  const { sql } = app.database.database;
  const file = await store(user);
  const opened = await openTurnFiles(app.deps, user.userId, [{ fileId: file, tokens: 1 }]);
  expect(await opened.get(file)?.source.text()).toBe('Notes of mine');
  await sql`delete from files where id = ${file}`;
  await expect(opened.get(file)?.source.content()).rejects.toMatchObject({ code: 'files_gone' });
  await expect(openTurnFiles(app.deps, user.userId, [{ fileId: file, tokens: 1 }])).rejects.toMatchObject({
    code: 'files_gone',
  });
});

test('a file under the id of one that was deleted is not read in its place', async () => {
  const user = await app.signedIn();
  const file = await store(user);
  const opened = await openTurnFiles(app.deps, user.userId, [{ fileId: file, tokens: 1 }]);
  expect((await user.request(`/api/files/${file}`, { method: 'DELETE' })).status).toBe(204);
  await store(user, { id: file, text: 'What was never priced' });
  for (const read of ['text', 'content'] as const)
    await expect(opened.get(file)?.source[read]()).rejects.toMatchObject({ code: 'files_gone' });
});

test('a file that takes the id of the priced one before the message is sent is not read, and nothing is charged', async () => {
  const user = await app.signedIn();
  const { sql } = app.database.database;
  const file = await store(user, { tokens: 1 });
  const message = draft({ files: [file] });
  const sent = await sql.begin(async (tx) => {
    await tx`select from credit.account where user_id = ${user.userId} for update`;
    const sending = user.post('/api/messages', message);
    await expect.poll(() => countWaiting(sql)).toBe(1);
    await sql`delete from files where id = ${file}`;
    await store(user, { id: file, text: 'What was never priced', tokens: 900_000 });
    return { sending };
  });
  expect((await sent.sending).status).toBe(201);
  expect(await waitForEnd(user, message.id)).toMatchObject({
    status: 'failed',
    error: { code: 'files_gone' },
    creditsUsed: 0,
  });
  expect(await app.gemini.requests()).toEqual([]);
  expect(await creditsOf(user)).toBe(40);
});

test('a copy at the provider is read in place of the file alone that it was made of', async () => {
  const user = await app.signedIn();
  const { sql } = app.database.database;
  const file = await store(user);
  const copiesOf = async () =>
    (await openTurnFiles(app.deps, user.userId, [{ fileId: file, tokens: 1 }])).get(file)?.source.copies;
  const former = await copiesOf();
  await sql`delete from files where id = ${file}`;
  await store(user, { id: file, text: 'What was never priced' });
  const copyOf = (name: string) => ({ name, uri: name, expiresAt: new Date(4e12) });
  await expect(former?.keep('p', copyOf('files/former'))).rejects.toMatchObject({ code: 'files_gone' });
  expect(await sql`select from file_copies where file_id = ${file}`).toHaveLength(0);
  const present = await copiesOf();
  await present?.keep('p', copyOf('files/present'));
  expect(await present?.find('p')).toMatchObject({ uri: 'files/present' });
  await expect(former?.find('p')).rejects.toMatchObject({ code: 'files_gone' });
});

test('what is too long for a request is kept by the provider, used again, and deleted there with the file', async () => {
  const user = await app.signedIn();
  const kept = async () => {
    const answer = await fetch(`${app.geminiUrl}/__control/files`);
    return ((await answer.json()) as { files: { name: string }[] }).files;
  };
  const file = await store(user, { ...LONG_PDF, data: pdf(30, MAX_INLINE) });
  const first = await ask(user, { files: [file] });
  expect(first.response).toContain('30 pages');
  const copies = await kept();
  await ask(user, { conversationId: first.conversationId, parentId: first.id });
  const [[, part] = []] = await turnsAsked();
  expect(part).toMatchObject({ fileData: { mimeType: 'application/pdf' } });
  expect([copies.length, await kept()]).toEqual([1, copies]);
  await app.database.database.sql`delete from files where id = ${file}`;
  await vi.waitFor(async () => expect(await kept()).toEqual([]), PATIENT);
});

test.runIf(IS_LONG)(
  'what its provider could not read is deleted there, though no answer has used it',
  async () => {
    const user = await app.signedIn();
    const control = `${app.geminiUrl}/__control/files`;
    await fetch(control, { method: 'POST', body: JSON.stringify({ fails: true }) });
    const file = await store(user, { ...LONG_PDF, data: pdf(30, MAX_INLINE) });
    expect(await ask(user, { files: [file] })).toMatchObject({ status: 'failed' });
    const { files } = (await (await fetch(control)).json()) as { files: { name: string }[] };
    const waiting = await app.database.database.sql`select target as name from file_removals`;
    expect(files).toHaveLength(1);
    expect(waiting.map(({ name }) => name)).toContain(files[0]?.name);
  },
);

test('a long conversation leaves out its oldest turns, never the files that are paid for', async () => {
  const user = await app.signedIn();
  const first = await ask(user, { files: [await store(user, { tokens: 100, text: 'The first file' })] });
  const { conversationId } = first;
  const { sql } = app.database.database;
  await sql`update messages set response = ${'很长的回答'.repeat(60_000)} where id = ${first.id}`;
  const second = await ask(user, { conversationId, parentId: first.id });
  expect(second.contextTrimmed).toBe(true);
  const [now = [], ...others] = await turnsAsked();
  expect(others).toEqual([]);
  expect(now).toHaveLength(2);
  expect(String(now[0]?.text)).toContain('The first file');
});

test('the most that files may cost is held, and refused where it is not there', async () => {
  const user = await app.signedIn();
  const files = [await store(user, { tokens: 40_000 })];
  await ask(user);
  await ask(user);
  await ask(user);
  const response = await user.post('/api/messages', draft({ model: 'parley-flash', files }));
  expect(await refusal(response)).toMatchObject({
    code: 'insufficient_credits',
    params: { needed: 19, balance: 16 },
  });
  const [row] = await app.database.database
    .sql`select conversation_id from files where id = ${files[0] ?? ''}`;
  expect(row?.conversation_id).toBeNull();
});

test('a model that sees pictures and reads no PDF is refused a scan, in the quote and in the send, and nothing is held', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-models-'));
  const MODELS_FILE = join(folder, 'models.json');
  const route = {
    dialect: 'openai-compatible',
    model: 'm',
    baseUrl: `${app.geminiUrl}/v1`,
    reads: ['images'],
  };
  writeFileSync(MODELS_FILE, JSON.stringify({ 'parley-flash': [route] }));
  const other = await createTestApp({ beside: app, env: { MODELS_FILE } });
  rmSync(folder, { recursive: true });
  const user = await app.signedIn();
  const client = other.visit({ cookie: user.cookie });
  const model = 'parley-flash';
  const photo = await store(user, { name: 'a.jpg', type: 'image/jpeg', data: await picture('jpeg') });
  const scan = await store(user, LONG_PDF);
  expect((await client.post('/api/quotes', { model, files: [photo] })).status).toBe(200);
  const above = await ask(user, { files: [scan] });
  const left = await creditsOf(user);
  const { conversationId, id: parentId } = above;
  // One names it; beneath the other it is read again.
  for (const place of [{ files: [photo, await store(user, LONG_PDF)] }, { conversationId, parentId }]) {
    const message = draft({ model, ...place });
    const refused = { code: 'model_reads_no_files', params: { model: 'gemini-2.5-flash-lite' } };
    const { id, content, ...asked } = message;
    expect(await refusal(await client.post('/api/quotes', asked))).toMatchObject(refused);
    expect(await refusal(await client.post('/api/messages', message))).toMatchObject(refused);
    expect((await user.get(`/api/messages/${id}`)).status).toBe(404);
  }
  expect(await creditsOf(user)).toBe(left);
  await other.close();
});

test('a turn reads a hundred files at most, its own and those of earlier messages', async () => {
  const many = await createTestApp({ beside: app, env: { FILES_PER_MESSAGE: '100' } });
  const user = await app.signedIn();
  const client = many.visit({ cookie: user.cookie });
  const files = await Promise.all(Array.from({ length: 101 }, () => store(user, { tokens: 1 })));
  const first = draft({ model: 'gemini-2.5-flash-lite', files: files.slice(0, 100) });
  expect((await client.post('/api/messages', first)).status).toBe(201);
  const { conversationId, id: parentId } = first;
  const next = { model: 'gemini-2.5-flash-lite', conversationId, parentId, files: files.slice(100) };
  const response = await client.post('/api/quotes', next);
  expect(await refusal(response)).toMatchObject({ code: 'too_many_files', params: { limit: 100 } });
  await many.close();
});
