import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import type { FileUsage } from '#contract/message/files.ts';
import type { ImagePart } from '#contract/message/parts.ts';
import { grantCredits } from '#server/credits/grant-credits.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, draft, endOf, refusal, send, waitForEnd } from '#test/chat/chat.ts';
import { storeFile } from '#test/chat/files.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents, readEvents } from '#test/events.ts';
import { insertSubscription } from '#test/factories.ts';
import { readInfo } from '#test/files/files.ts';
import { IS_LONG } from '#test/runs.ts';

const MODEL = 'gemini-3.1-flash-image';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

type User = Awaited<ReturnType<TestApp['signedIn']>>;
/** A subscriber with 40 Credits. */
async function subscriber(): Promise<User> {
  const user = await app.signedIn();
  await insertSubscription(app.database.database.sql, user.userId);
  return user;
}

const imagesOf = ({ parts = [] }: Message) =>
  parts.filter((part): part is ImagePart => part.kind === 'image');
const editing = ({ id, conversationId }: Message, content: string) =>
  draft({ model: MODEL, conversationId, parentId: id, content });

interface Content {
  role: string;
  parts: { text?: string; inlineData?: { mimeType: string; data: string }; thoughtSignature?: string }[];
}
async function lastBody() {
  const asked = (await app.gemini.requests()).filter(({ path }) => path.includes('streamGenerate'));
  return asked.at(-1)?.body as { contents: Content[]; generationConfig: Record<string, unknown> };
}
const filesOf = ({ userId }: User) =>
  app.database.database.sql`select id from files where user_id = ${userId}`;
const contentOf = async (client: TestClient, id: string) =>
  Buffer.from(await (await client.get(`/api/files/${id}/content`)).arrayBuffer());

describe('a picture that a model makes', () => {
  test('is a part of the answer in its place, a file of the conversation, and costs its price alone', async () => {
    const user = await subscriber();
    const options = { picture: { ratio: '16:9', size: '1K' } } as const;
    const quote = { max: 20, lines: [{ kind: 'picture', max: 20, params: { each: 20 } }] };
    const asked = draft({ model: MODEL, content: '画一座\n  红色的桥', options });
    expect(await (await user.post('/api/quotes', { model: MODEL, options })).json()).toEqual(quote);
    const sent = await send(user, asked);
    const events = await readEvents(user, `/api/messages/${sent.id}/events`);
    expect(events.map(({ event }) => event)).toEqual(['text', 'part', 'end']);
    const message = endOf(events);
    const [image] = imagesOf(message);
    const fileId = image?.fileId ?? '';
    expect(events[1]?.data.part).toEqual({
      ...{ kind: 'image', fileId, width: 1_360, height: 768, alt: '画一座 红色的桥' },
    });
    expect(message).toMatchObject({ status: 'completed', creditsUsed: 20, quote, options });
    expect(message.charged).toEqual({ total: 20, lines: [{ kind: 'picture', credits: 20 }] });
    expect(await creditsOf(user)).toBe(20);
    expect((await lastBody()).generationConfig).toMatchObject({
      responseModalities: ['TEXT', 'IMAGE'],
      imageConfig: { aspectRatio: '16:9', imageSize: '1K' },
    });
    expect(await readInfo(user, fileId)).toMatchObject({
      ...{ name: '画一座 红色的桥.png', type: 'image/png', width: 1_360, height: 768, state: 'ready' },
    });
    const { width } = await sharp(await contentOf(user, fileId)).metadata();
    expect(width).toBe(1_360);
    expect(await (await user.get(`/api/messages/${sent.id}`)).json()).toEqual(message);
    expect(await readEvents(user, `/api/messages/${sent.id}/events`, { after: 1 })).toEqual(events.slice(1));
    const stranger = await app.signedIn();
    expect((await stranger.get(`/api/files/${fileId}/content`)).status).toBe(404);
    const answered = await user.post('/api/messages', asked);
    expect([answered.status, await creditsOf(user)]).toEqual([200, 20]);
  });

  test.runIf(IS_LONG)(
    'takes a few hundred bytes of its message, whose model gets the very bytes back',
    async () => {
      const user = await subscriber();
      const first = await ask(user, draft({ model: MODEL, content: 'A red bridge' }));
      const [row] = await app.database.database.sql`select kept, output from messages where id = ${first.id}`;
      expect(row?.kept.length).toBeLessThan(600);
      const second = await ask(user, editing(first, 'Now at night'));
      expect(second).toMatchObject({ status: 'completed', creditsUsed: 20 });
      const [asked, made] = (await lastBody()).contents;
      expect(asked?.parts).toEqual([{ text: 'A red bridge' }]);
      expect(made?.parts.map((part) => Object.keys(part))).toEqual([
        ['text'],
        ['inlineData', 'thoughtSignature'],
      ]);
      const stored = await readInfo(user, imagesOf(first)[0]?.fileId ?? '');
      expect(made?.parts[1]?.inlineData?.data).toContain(stored.sha256);
      expect(await app.gemini.requests()).toHaveLength(2);
    },
  );

  test.runIf(IS_LONG)('that was deleted is told in words, and edits go on', async () => {
    const user = await subscriber();
    const first = await ask(user, draft({ model: MODEL, content: 'A red bridge' }));
    await user.request(`/api/files/${imagesOf(first)[0]?.fileId}`, { method: 'DELETE' });
    const second = await ask(user, editing(first, 'Now at night'));
    expect(second.status).toBe('completed');
    const [, made] = (await lastBody()).contents;
    expect(made?.parts.map(({ text }) => text).join('')).toContain('[image: A red bridge]');
  });

  test.runIf(IS_LONG)(
    'is seen by another model that sees pictures, before what the user says next, and counts as a file it reads',
    async () => {
      const user = await subscriber();
      const first = await ask(user, draft({ model: MODEL, content: 'A red bridge' }));
      const next = draft({ ...editing(first, 'What is in it?'), model: 'gemini-2.5-flash-lite' });
      const second = await ask(user, { ...next, id: draft().id });
      expect(second).toMatchObject({ status: 'completed', creditsUsed: 8 });
      expect(second.response).toContain('A red bridge.png');
      const [, made, question] = (await lastBody()).contents;
      expect(made?.parts.map((part) => Object.keys(part))).toEqual([['text'], ['text']]);
      expect(question?.parts.map((part) => Object.keys(part))).toEqual([['text'], ['inlineData'], ['text']]);
      const [row] = await app.database.database
        .sql`select input -> 'reads' as reads from messages where id = ${second.id}`;
      expect(row?.reads).toMatchObject([{ fileId: imagesOf(first)[0]?.fileId, tokens: 1_120 }]);
    },
  );

  test.runIf(IS_LONG)(
    'is made of a picture of the user’s, and stays one of the conversation on each branch',
    async () => {
      const user = await subscriber();
      const data = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
        .png()
        .toBuffer();
      const fileId = await storeFile(app.database.database.sql, user.userId, {
        name: 'a.png',
        type: 'image/png',
        data,
      });
      const first = await ask(user, draft({ model: MODEL, content: 'Paint over it', files: [fileId] }));
      const [image] = imagesOf(first);
      expect((image?.width ?? 0) / (image?.height ?? 1)).toBeCloseTo(2, 1);
      const { conversationId } = first;
      const sibling = await ask(user, draft({ model: MODEL, content: 'Another', conversationId }));
      expect(imagesOf(sibling)).toHaveLength(1);
      const files = (await (await user.get(`/api/conversations/${conversationId}/files`)).json()) as {
        files: unknown[];
      };
      expect(files.files).toHaveLength(3);
    },
  );

  test.runIf(IS_LONG)('goes with its conversation, and is in what the user takes along', async () => {
    const user = await subscriber();
    const { conversationId, id } = await ask(user, draft({ model: MODEL, content: 'A bridge' }));
    const usage = (await (await user.get('/api/files/usage')).json()) as FileUsage;
    expect(usage.bytes).toBeGreaterThan(1_000);
    const written = await (await user.get(`/api/conversations/${conversationId}/export?format=md`)).text();
    expect(written).toContain('![A bridge](');
    await app.database.database.sql`delete from messages where id = ${id}`;
    expect(await filesOf(user)).toHaveLength(0);
  });
});

describe('no picture costs nothing', () => {
  test.each([
    ['no-picture', 'NO_IMAGE', 'picture_not_made'],
    ['picture-words', '', 'picture_not_made'],
    ['picture-blocked', 'IMAGE_SAFETY', 'picture_blocked'],
    ['picture-blocked', 'IMAGE_PROHIBITED_CONTENT', 'picture_blocked'],
    ['picture-blocked', 'IMAGE_RECITATION', 'picture_blocked'],
    ['broken-picture', '', 'upstream_failed'],
    ['http-400', '', 'upstream_failed'],
  ] as const)('%s %s', async (name, reason, code) => {
    const user = await subscriber();
    await app.gemini.scenario(name, { params: reason ? { reason } : {}, times: null });
    const message = await ask(user, draft({ model: MODEL, content: 'A bridge' }));
    expect(message).toMatchObject({ status: 'failed', creditsUsed: 0, error: { code } });
    expect(await creditsOf(user)).toBe(40);
    expect(await filesOf(user)).toHaveLength(imagesOf(message).length);
    const page = (await (await user.get('/api/credits/entries')).json()) as { entries: { reason: string }[] };
    expect(page.entries[0]?.reason).toBe(code);
  });

  test.runIf(IS_LONG)('and what the model asked instead is known to it in the next turn', async () => {
    const user = await subscriber();
    await app.gemini.scenario('picture-words');
    const first = await ask(user, draft({ model: MODEL, content: 'A bridge' }));
    expect(first.response).toContain('style');
    expect(await ask(user, editing(first, 'In oil'))).toMatchObject({ status: 'completed', creditsUsed: 20 });
    expect((await lastBody()).contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
  });

  test('a stop before the picture is free, one after it is not', async () => {
    const user = await subscriber();
    await app.gemini.scenario('never-ends');
    const early = await send(user, draft({ model: MODEL, content: 'A bridge' }));
    await user.post(`/api/messages/${early.id}/stop`, {});
    expect(await waitForEnd(user, early.id)).toMatchObject({ status: 'stopped', creditsUsed: 0 });
    await app.gemini.reset();
    await app.gemini.scenario('stop-after-picture');
    const late = await send(user, draft({ model: MODEL, content: 'A bridge' }));
    const tab = await openEvents(user, `/api/messages/${late.id}/events`);
    await tab.next(({ event }) => event === 'part');
    await user.post(`/api/messages/${late.id}/stop`, {});
    const stopped = await waitForEnd(user, late.id);
    expect(stopped).toMatchObject({ status: 'stopped', creditsUsed: 20 });
    expect(imagesOf(stopped)).toHaveLength(1);
  });
});

test('a picture that came before a fault is what was asked for: kept, charged, and drawn upon in the next turn', async () => {
  const user = await subscriber();
  await app.gemini.scenario('cut-after-picture', { times: null });
  const message = await ask(user, draft({ model: MODEL, content: 'A bridge' }));
  expect(message).toMatchObject({ status: 'completed', creditsUsed: 20 });
  expect(imagesOf(message)).toHaveLength(1);
  expect(await filesOf(user)).toHaveLength(1);
  expect(await creditsOf(user)).toBe(20);
  await app.gemini.reset();
  const edited = await ask(user, editing(message, 'Now at night'));
  expect(edited).toMatchObject({ status: 'completed', creditsUsed: 20 });
  const sent = (await lastBody()).contents.flatMap(({ parts }) => parts);
  expect(sent.filter(({ inlineData }) => inlineData)).toHaveLength(1);
});

test.runIf(IS_LONG)('pictures of one user leave room for those of others', async () => {
  const [user, other] = [await subscriber(), await subscriber()];
  const expiresAt = new Date(Date.now() + 86_400_000);
  const grant = { sourceKey: 'a:1', kind: 'adjustment', reason: 'goodwill', amount: 140, expiresAt } as const;
  await grantCredits(app.database.database.sql, { ...grant, userId: user.userId, at: null });
  const options = { picture: { size: '4K' } } as const;
  const large = () => send(user, draft({ model: MODEL, content: '/emulate no-headers', options }));
  const [first, second] = [await large(), await large()];
  expect((await ask(other, draft({ model: MODEL, content: 'A red bridge' }))).status).toBe('completed');
  await expect.poll(async () => (await app.gemini.requests()).length).toBe(2);
  for (const { id } of [second, first]) await user.post(`/api/messages/${id}/stop`);
  for (const { id } of [second, first])
    expect(await waitForEnd(user, id)).toMatchObject({ status: 'stopped', creditsUsed: 0 });
});

describe('a message that wants a picture', () => {
  test('is refused by a model that makes none, and with what is no picture', async () => {
    const user = await subscriber();
    const wants = (picture: unknown, model = MODEL) => ({ ...draft({ model }), options: { picture } });
    for (const one of [wants({ size: '1K' }, 'parley-flash'), wants({ size: '8K' }), wants({ ratio: '1:9' })])
      expect(await refusal(await user.post('/api/messages', one))).toMatchObject({ code: 'invalid_request' });
    const searching = { ...draft({ model: MODEL }), options: { search: 'auto' } };
    expect((await refusal(await user.post('/api/messages', searching))).code).toBe('invalid_request');
    const free = await app.signedIn();
    expect((await refusal(await free.post('/api/messages', draft({ model: MODEL })))).code).toBe(
      'model_not_allowed',
    );
    const dear = { ...draft({ model: MODEL }), options: { picture: { size: '4K' } } };
    expect(await refusal(await user.post('/api/messages', dear))).toMatchObject({
      ...{ code: 'insufficient_credits', params: { needed: 70, balance: 40 } },
    });
  });

  test('is unknown where the operator has switched pictures off', async () => {
    const other = await createTestApp({ beside: app, env: { PICTURES: 'off' } });
    const user = await subscriber();
    const client = other.visit({ cookie: await other.cookieOf(user.userId) });
    expect(await (await client.get('/api/catalogue')).text()).not.toContain(MODEL);
    expect((await refusal(await client.post('/api/messages', draft({ model: MODEL })))).code).toBe(
      'not_found',
    );
    expect(await (await user.get('/api/catalogue')).text()).toContain(MODEL);
    await other.close();
  });
});
