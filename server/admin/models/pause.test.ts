import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Act, ActPreview } from '#contract/admin/acts.ts';
import type { ModelsScreen } from '#contract/admin/models.ts';
import type { Catalogue } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import { act, read } from '#test/admin/console.ts';
import { openPeople, type Person } from '#test/admin/people.ts';
import { makeKey, openaiClient } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { ask, draft, refusal, send, waitForEnd } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';
import { parseCommand } from '../parse-command.ts';
import { runCommand, type UsualCommand } from '../run-command.ts';

const MODEL = 'gemini-2.5-flash-lite';
const PAUSE: Act = { act: 'pause_model', model: MODEL };
const RESUME: Act = { act: 'resume_model', model: MODEL };
const DONE = { status: 200, state: 'done' };
const CONFLICT = { status: 409, code: 'conflict' };
const PAUSED = { status: 409, code: 'model_paused', params: {} };

let shop: Shop;
let beside: TestApp;
beforeAll(async () => {
  shop = await openShop();
  beside = await createTestApp({ beside: shop.app, clock: shop.clock });
});
afterEach(() => shop.sql`delete from paused_models`);
afterAll(async () => {
  await expectNoDrift(shop.sql);
  await beside.close();
  await shop.close();
});

let ann: Person;
let ben: Person;
let user: Person;
beforeEach(async () => {
  [ann, ben, user] = await openPeople(shop);
});

/** The same browser at the other process. */
const there = ({ cookie }: TestClient) => beside.visit({ cookie });
const sendTo = async (client: TestClient, over = {}) =>
  refusal(await client.post('/api/messages', draft(over)));
const pausedIn = async (client: TestClient) =>
  (await read<Catalogue>(client, '/api/catalogue')).models.filter(({ paused }) => paused).map(({ id }) => id);
const linesOf = (actor: string) =>
  shop.sql<{ act: string; subject: string; reason: string }[]>`
    select act, subject, reason from billing.audit where actor = ${actor} order by id`;

it('a paused model takes no new message at any process, and nobody is charged, until it is resumed', async () => {
  expect(await pausedIn(user.client)).toEqual([]);
  expect(await act(ann.client, PAUSE)).toEqual(DONE);
  for (const client of [user.client, there(user.client)]) {
    expect(await sendTo(client)).toEqual(PAUSED);
    expect(await pausedIn(client)).toEqual([MODEL]);
  }
  expect(await pausedIn(shop.app.visit())).toEqual([MODEL]);
  expect((await shop.sql`select from messages where user_id = ${user.userId}`).count).toBe(0);
  expect(await user.balance()).toBe(40);
  expect(await ask(user.client, { model: 'parley-flash' })).toMatchObject({ creditsUsed: 15 });
  expect(await act(ben.client, RESUME)).toEqual(DONE);
  expect(await pausedIn(user.client)).toEqual([]);
  expect(await ask(there(user.client))).toMatchObject({ status: 'completed', creditsUsed: 8 });
});

it('a server that starts later refuses it as well', async () => {
  expect(await act(ann.client, PAUSE)).toEqual(DONE);
  const later = await createTestApp({ beside: shop.app, clock: shop.clock });
  try {
    expect(await sendTo(later.visit({ cookie: user.client.cookie }))).toEqual(PAUSED);
  } finally {
    await later.close();
  }
});

it.each([
  ['zh', '暂时不可用'],
  ['en', 'temporarily unavailable'],
])('the refusal says in %s that the model is not available for now', async (language, text) => {
  await act(ann.client, PAUSE);
  const response = await user.client.request('/api/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': language },
    body: JSON.stringify(draft()),
  });
  expect(await response.text()).toContain(text);
});

it('at /v1 it is refused for good under a code of its own, listed as not available, and costs nothing', async () => {
  const { key } = await makeKey(user.client);
  const client = openaiClient(shop.app, key, 2);
  const question = { model: MODEL, messages: [{ role: 'user' as const, content: 'Hello' }] };
  const listed = async () => client.models.retrieve(MODEL);
  expect(await listed()).toMatchObject({ allowed: true, available: true });
  const headers = { 'idempotency-key': randomUUID() };
  const before = await client.chat.completions.create(question, { headers });
  await act(ann.client, PAUSE);
  expect(await listed()).toMatchObject({ allowed: true, available: false });
  const error = await client.chat.completions.create(question).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(OpenAI.ConflictError);
  expect(error).toMatchObject({ status: 409, code: 'model_paused', param: 'model' });
  expect((error as InstanceType<typeof OpenAI.APIError>).headers?.get('x-should-retry')).toBe('false');
  const again = await client.chat.completions.create(question, { headers });
  expect(again.id).toBe(before.id);
  expect(await user.balance()).toBe(32);
});

it('an answer that runs goes on, and a message that was sent before is the same message', async () => {
  const message = draft({ content: '/emulate never-ends' });
  await send(user.client, message);
  const events = await openEvents(user.client, `/api/messages/${message.id}/events`);
  const first = await events.next(({ event }) => event === 'text');
  await act(ann.client, PAUSE);
  await events.next(({ event, id }) => event === 'text' && (id ?? 0) > (first.id ?? 0) + 2);
  const repeated = await user.client.post('/api/messages', message);
  expect([repeated.status, ((await repeated.json()) as Message).id]).toEqual([200, message.id]);
  await user.client.post(`/api/messages/${message.id}/stop`);
  await events.ended;
  expect(await waitForEnd(user.client, message.id)).toMatchObject({ status: 'stopped', creditsUsed: 8 });
  expect(await user.balance()).toBe(32);
});

it('of messages that are sent while it is paused each is answered and charged whole, or refused and free', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => shop.buyer()));
  const ids = people.map(() => Array.from({ length: 4 }, () => randomUUID()));
  const sending = people.map(async ({ client }, who) => {
    const statuses = [];
    for (const [at, id] of (ids[who] ?? []).entries()) {
      const response = await (at % 2 ? client : there(client)).post('/api/messages', draft({ id }));
      statuses.push(response.status);
      if (response.status === 201) await waitForEnd(client, id);
    }
    return statuses;
  });
  expect(await act(ann.client, PAUSE)).toEqual(DONE);
  const late = await Promise.all(people.map(({ client }) => sendTo(client)));
  expect(late).toEqual(late.map(() => PAUSED));
  const all = await Promise.all(sending);
  for (const [who, statuses] of all.entries()) {
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    const sent = statuses.filter((status) => status === 201).length;
    expect(await people[who]?.balance()).toBe(40 - 8 * sent);
    const stored = await shop.sql`select from messages where id = any(${ids[who] ?? []}::uuid[])`;
    expect(stored.count).toBe(sent);
  }
});

it('a double click pauses it once, and of two operators at once one is told that it has changed', async () => {
  const id = randomUUID();
  const clicks = await Promise.all(Array.from({ length: 6 }, () => act(ann.client, PAUSE, id)));
  expect(clicks).toEqual(clicks.map(() => DONE));
  expect(await act(ann.client, PAUSE, id)).toEqual(DONE);
  expect(await act(ann.client, PAUSE)).toEqual(CONFLICT);
  const answers = await Promise.all([ann, ben, ann, ben].map(({ client }) => act(client, RESUME)));
  expect(answers.filter(({ status }) => status === 200)).toEqual([DONE]);
  expect(answers.filter(({ status }) => status === 409)).toEqual([CONFLICT, CONFLICT, CONFLICT]);
  expect(await act(ann.client, PAUSE, id)).toEqual(DONE);
  expect(await pausedIn(user.client)).toEqual([]);
  const lines = [...(await linesOf(ann.email)), ...(await linesOf(ben.email))];
  expect(lines.map((line) => line.act).sort()).toEqual(['pause_model', 'resume_model']);
});

it('it takes a fresh proof and a reason, and only a model that there is', async () => {
  expect(await act(user.client, PAUSE)).toEqual({ status: 404, code: 'not_found' });
  for (const model of ['gpt-4o', 'gemini-3.5-pro'])
    expect(await act(ann.client, { act: 'pause_model', model })).toEqual({ status: 404, code: 'not_found' });
  const without = await ann.client.post('/api/admin/acts', { id: randomUUID(), reason: ' ', act: PAUSE });
  expect(without.status).toBe(422);
  await shop.sql`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${ann.userId}`;
  expect(await act(ann.client, PAUSE)).toEqual({ status: 403, code: 'confirmation_required' });
  expect(await pausedIn(user.client)).toEqual([]);
  expect(await linesOf(ann.email)).toHaveLength(0);
});

it('before, it is said whom it concerns; afterwards, who did it, when and why', async () => {
  const preview = async (wanted: Act) =>
    (await (await ann.client.post('/api/admin/acts/preview', { act: wanted })).json()) as ActPreview;
  const before = await preview(PAUSE);
  await ask(user.client);
  const { id } = await send(user.client, { content: '/emulate never-ends' });
  const shown = await preview(PAUSE);
  expect(shown).toMatchObject({
    effects: [{ what: 'model_state', before: 'on', after: 'paused' }],
    needsSecondOperator: false,
    pause: { users: (before.pause?.users ?? 0) + 1, running: (before.pause?.running ?? 0) + 1 },
  });
  const others = new Map(shown.pause?.others.map(({ tier, models }) => [tier, models.map(({ en }) => en)]));
  expect([...others.keys()]).toEqual(['free', 'basic', 'pro']);
  expect(others.get('free')).toEqual(['Parley Flash']);
  expect(others.get('pro')).not.toContain('Gemini 2.5 Flash-Lite');
  await user.client.post(`/api/messages/${id}/stop`);
  expect(await act(ann.client, { act: 'pause_model', model: 'parley-flash' })).toEqual(DONE);
  expect((await preview(PAUSE)).pause?.others[0]).toEqual({ tier: 'free', models: [] });
  expect(await act(ben.client, PAUSE)).toEqual(DONE);
  expect((await preview(RESUME)).effects).toEqual([{ what: 'model_state', before: 'paused', after: 'on' }]);
  const refused = await ann.client.post('/api/admin/acts/preview', { act: PAUSE });
  expect((await refusal(refused)).code).toBe('conflict');
  const screen = await read<ModelsScreen>(ann.client, '/api/admin/models');
  expect(screen.history.slice(0, 2)).toMatchObject([
    { act: 'pause_model', model: MODEL, actor: ben.email, reason: 'because', at: expect.any(Number) },
    { act: 'pause_model', model: 'parley-flash', actor: ann.email },
  ]);
  expect(screen.models.find((model) => model.id === MODEL)?.pausedAt).toEqual(expect.any(Number));
});

it('every tab, at whichever process, is told which models are paused', async () => {
  const tabs = [
    await openEvents(user.client, '/api/live'),
    await openEvents(there(user.client), '/api/live'),
  ];
  await act(ann.client, PAUSE);
  for (const tab of tabs) {
    const news = await tab.next(
      ({ event, data }) => event === 'models' && (data.paused as string[]).length > 0,
    );
    expect(news.data).toEqual({ paused: [MODEL] });
  }
  await act(ann.client, RESUME);
  for (const tab of tabs) {
    await tab.next(({ event, data }) => event === 'models' && (data.paused as string[]).length === 0);
    tab.close();
  }
});

it('the command line shows whom it concerns, pauses and resumes by the same use case, with a line in the log', async () => {
  const actor = `on call ${randomUUID()}`;
  const run = (...argv: string[]) =>
    runCommand(shop.app.deps, { ...(parseCommand(argv) as UsualCommand), actor });
  await run('pause-model', MODEL);
  expect(await pausedIn(user.client)).toEqual([]);
  await run('pause-model', MODEL, '--apply', '--reason', 'provider is down');
  expect(await sendTo(user.client)).toEqual(PAUSED);
  const { sections } = await run('models');
  const rows = sections.flatMap((section) => (typeof section === 'string' ? [] : section.rows));
  expect(rows.find(({ model }) => model === MODEL)?.paused_since).toBeInstanceOf(Date);
  await run('resume-model', MODEL, '--reason', 'it is back');
  await expect(run('resume-model', MODEL, '--reason', 'twice')).rejects.toMatchObject({ code: 'conflict' });
  expect(await linesOf(actor)).toMatchObject([
    { act: 'pause_model', subject: MODEL, reason: 'provider is down' },
    { act: 'resume_model', subject: MODEL, reason: 'it is back' },
  ]);
});
