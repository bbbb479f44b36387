import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import {
  actOn,
  type ComputerApp,
  createComputerApp,
  partsOf,
  readTask,
  sendTask,
  stateOf,
  waitForState,
  waitForTask,
  waitingIn,
} from '#test/computer/computer.ts';
import { callOf, click } from '#test/computer/played-model.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';
import { IS_LONG } from '#test/runs.ts';

let app: ComputerApp;
let beside: TestApp;
beforeAll(async () => {
  app = await createComputerApp();
  beside = await app.openBeside();
});
beforeEach(() => {
  app.reset();
  app.host.play(() => ({ jpeg: null }));
});
afterAll(async () => {
  await beside.close();
  await app.close();
});

const inputs = () => app.host.requests.filter((request) => request.op === 'input').map(({ input }) => input);

test('a user takes over from another process, acts in the page, and hands it back with the model told so', async () => {
  const user = await app.pro();
  const elsewhere = beside.visit({ cookie: user.cookie });
  app.host.play(({ action, args }) => ({
    jpeg: null,
    ask: action === 'click' && args.x === 3 ? {} : undefined,
  }));
  app.model.play([callOf('click', { x: 3, y: 3 })], [click('later')]);
  const { id } = await sendTask(user);
  const { id: confirmationId } = await waitingIn(app, id);
  expect((await actOn(elsewhere, id, { act: 'takeover' })).status).toBe(200);
  await actOn(user, id, { act: 'allow', confirmationId });
  await waitForState(user, id, 'taken_over');
  const typed = { kind: 'type', text: '你好' } as const;
  await actOn(elsewhere, id, { act: 'input', input: typed });
  await expect.poll(inputs).toEqual([typed]);
  expect((await actOn(user, id, { act: 'handback' })).status).toBe(200);
  await waitForTask(user, id);
  expect(JSON.stringify(app.model.asked.at(-1)?.body.contents)).toContain('The user took over the browser');
  expect((await actOn(user, id, { act: 'input', input: typed })).code).toBe('computer_not_running');
  const rows = await app.database.database.sql`select from message_events where events::text like '%你好%'`;
  expect(rows).toHaveLength(0);
});

test('what a user does while the model thinks reaches the browser in its order, and the model is told so', async () => {
  const user = await app.pro();
  const elsewhere = beside.visit({ cookie: user.cookie });
  const think = Promise.withResolvers<void>();
  app.model.play([click()], { after: think.promise, parts: [click('late')] }, [{ text: 'Done.' }]);
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  expect((await actOn(user, id, { act: 'takeover' })).state).toBe('taken_over');
  const typed = ['a', 'b', 'c', 'd'].map((text) => ({ kind: 'type', text }) as const);
  for (const [n, input] of typed.entries())
    expect((await actOn(n < 2 ? user : elsewhere, id, { act: 'input', input })).status).toBe(200);
  await expect.poll(inputs).toEqual(typed);
  await actOn(user, id, { act: 'handback' });
  think.resolve();
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'completed', response: 'Done.' });
  expect(partsOf(message, 'step')).toHaveLength(1);
  const told = JSON.stringify(app.model.asked.at(-1)?.body.contents.at(-1));
  expect(told).toContain('this action was not carried out');
  expect(told).toContain('acted in it afterwards');
});

test('what a user does while an action runs reaches the browser, and the model is told so', async () => {
  const user = await app.pro();
  app.host.play(({ action }) => (action === 'wait' ? 'never' : { jpeg: null }));
  app.model.play([callOf('wait', { seconds: 9 })]);
  const { id } = await sendTask(user);
  const acting = () => app.host.requests.find((request) => request.op === 'act');
  await expect.poll(acting).toBeDefined();
  await actOn(user, id, { act: 'takeover' });
  const clicked = { kind: 'click', x: 5, y: 6 } as const;
  await actOn(user, id, { act: 'input', input: clicked });
  await expect.poll(inputs).toEqual([clicked]);
  await actOn(user, id, { act: 'handback' });
  app.host.finish(id);
  expect(await waitForTask(user, id)).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(app.model.asked.at(-1)?.body.contents.at(-1))).toContain('acted in it afterwards');
});

test('while a user drives, the address is that of the site they went to, and no more of it', async () => {
  const user = await app.pro();
  app.model.play([click()], 'never');
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  const address = async () => (await stateOf(user, id)).url;
  expect(await address()).toBe('http://shop.test/');
  const pictures: string[] = [];
  app.deps.computer.find(id)?.screen.watch((jpeg) => pictures.push(jpeg));
  app.host.sendFrame(id, 'cGljdHVyZQ==', 'http://other.test/');
  await expect.poll(() => pictures).toHaveLength(1);
  expect(await address()).toBe('http://shop.test/');
  await actOn(user, id, { act: 'takeover' });
  const addressAt = (url: string) => {
    app.host.sendFrame(id, 'cGljdHVyZQ==', url);
    return address();
  };
  await expect.poll(() => addressAt('http://other.test/in/hunter2?p=hunter2')).toBe('http://other.test/');
  await expect.poll(() => addressAt('http://shop.test/')).toBe('http://shop.test/');
  await user.post(`/api/messages/${id}/stop`);
  await waitForTask(user, id);
});

test('a browser is acted in by its user alone, from any tab, and only while they have it', async () => {
  const [user, other] = [await app.pro(), await app.pro()];
  const tab = beside.visit({ cookie: user.cookie });
  app.model.play([click()], 'never');
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  const press = { act: 'input', input: { kind: 'key', key: 'Enter' } } as const;
  expect((await actOn(user, id, press)).code).toBe('computer_not_running');
  for (const client of [user, tab])
    expect(await actOn(client, id, { act: 'takeover' })).toMatchObject({ status: 200, state: 'taken_over' });
  for (const act of [press, { act: 'handback' } as const, { act: 'pause' } as const])
    expect(await actOn(other, id, act)).toMatchObject({ status: 404, code: 'not_found' });
  expect((await other.get(`/api/messages/${id}/screen`)).status).toBe(404);
  for (const client of [user, tab]) expect((await actOn(client, id, press)).status).toBe(200);
  await expect.poll(inputs).toEqual([press.input, press.input]);
  expect((await actOn(tab, id, { act: 'pause' })).state).toBe('paused');
  expect((await actOn(user, id, press)).code).toBe('computer_not_running');
  await actOn(user, id, { act: 'takeover' });
  for (const client of [tab, user])
    expect(await actOn(client, id, { act: 'handback' })).toMatchObject({ status: 200, state: 'running' });
  expect((await actOn(tab, id, press)).code).toBe('computer_not_running');
  await user.post(`/api/messages/${id}/stop`);
  await waitForTask(user, id);
  expect((await actOn(user, id, { act: 'takeover' })).code).toBe('computer_not_running');
  expect(inputs()).toHaveLength(2);
});

test('what a user types into a secret field while they drive is kept nowhere, and the model is not told it', async () => {
  const user = await app.pro();
  const [think, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const url = 'http://shop.test/in?pass=p%40ss+w%C3%B6rd';
  const told = { url, title: 'for p@ss wörd', dialogs: [{ kind: 'alert', text: 'p@ss wörd is wrong' }] };
  app.host.play(({ action }) => ({
    ...{ jpeg: null, ...(action === 'click' ? {} : told) },
    ...(action === 'take_screenshot' ? { secrets: ['p@ss wörd', 'ab'] } : {}),
  }));
  const rows = [
    ['ab', 'p@ss wörd'],
    ['1', '2'],
  ];
  app.host.showTables([{ heading: 'Tea', hasHead: true, isCut: false, rows }]);
  app.model.play(
    ...[[click()], { after: think.promise, parts: [click('late')] }],
    ...[{ after: rest.promise, parts: [callOf('wait', { seconds: 1 })] }, [{ text: 'Done.' }]],
  );
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  await actOn(user, id, { act: 'takeover' });
  await actOn(user, id, { act: 'input', input: { kind: 'key', key: 'Enter' } });
  await expect.poll(() => inputs().length).toBe(1);
  await actOn(user, id, { act: 'handback' });
  think.resolve();
  await expect.poll(() => app.model.asked.length).toBe(3);
  expect((await stateOf(user, id)).url).toBe('http://shop.test/in?pass=•••');
  rest.resolve();
  const message = await waitForTask(user, id);
  expect(partsOf(message, 'step')).toMatchObject([{}, { url: 'http://shop.test/in?pass=•••' }]);
  expect(partsOf(message, 'table')).toMatchObject([{ rows: [['ab', '•••'], rows[1]] }]);
  const asked = JSON.stringify(app.model.asked);
  expect(asked).toContain('••• is wrong');
  const kept = await app.database.database.sql`
    select events::text from message_events where message_id = ${id} union all
    select to_jsonb(m)::text from messages m where id = ${id}`;
  expect(`${asked}${JSON.stringify(kept)}`).not.toMatch(/w(ö|%C3%B6)rd/);
});

test('a run that was paused goes on when its user says so', async () => {
  const user = await app.pro();
  app.host.play(({ args }) => ({ jpeg: null, ask: args.x === 1 ? {} : undefined }));
  app.model.play([click()], [callOf('click', { x: 2, y: 2 })], [{ text: 'Done.' }]);
  const { id } = await sendTask(user);
  const { id: confirmationId } = await waitingIn(app, id);
  await actOn(user, id, { act: 'pause' });
  await actOn(user, id, { act: 'allow', confirmationId });
  await waitForState(user, id, 'paused');
  expect(app.model.asked).toHaveLength(1);
  expect((await actOn(user, id, { act: 'resume' })).state).toBe('running');
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'completed', response: 'Done.', creditsUsed: 15 });
  expect(partsOf(message, 'step')).toHaveLength(2);
  expect(JSON.stringify(app.model.asked.at(-1)?.body.contents)).not.toContain('took over');
});

test('an action that a user allows while they have the browser is not carried out', async () => {
  const user = await app.pro();
  const safety = { decision: 'require_confirmation', explanation: 'This pays.' };
  app.model.play(
    [callOf('click', { x: 1, y: 1, safety_decision: safety }), click('next')],
    [{ text: 'Done.' }],
  );
  const { id } = await sendTask(user);
  const { id: confirmationId } = await waitingIn(app, id);
  expect((await actOn(user, id, { act: 'takeover' })).status).toBe(200);
  await actOn(user, id, { act: 'allow', confirmationId });
  await waitForState(user, id, 'taken_over');
  await expect.poll(async () => (await stateOf(user, id)).until).not.toBeNull();
  await actOn(user, id, { act: 'handback' });
  await waitForTask(user, id);
  const acts = app.host.requests.filter((request) => request.op === 'act').map(({ action }) => action);
  expect(acts).toEqual(['take_screenshot']);
  expect(JSON.stringify(app.model.asked.at(-1)?.body.contents)).toContain('was not carried out');
});

test('a question to a user who has taken over leaves the time that they have as it was', async () => {
  const user = await app.pro();
  app.model.play([click()], [{ text: 'Done.' }]);
  app.host.play(({ action }) => ({ jpeg: null, ask: action === 'click' ? {} : undefined }));
  const { id } = await sendTask(user);
  const first = await waitingIn(app, id);
  await actOn(user, id, { act: 'takeover' });
  await actOn(user, id, { act: 'allow', confirmationId: first.id });
  await waitForState(user, id, 'taken_over');
  await expect.poll(async () => (await stateOf(user, id)).until).not.toBeNull();
  const { until } = await stateOf(user, id);
  app.host.ask(id);
  const second = await waitingIn(app, id);
  expect(await stateOf(user, id)).toMatchObject({ state: 'waiting' });
  await actOn(user, id, { act: 'allow', confirmationId: second.id });
  await waitForState(user, id, 'taken_over');
  expect(await stateOf(user, id)).toMatchObject({ until });
  await actOn(user, id, { act: 'handback' });
  expect(await waitForTask(user, id)).toMatchObject({ status: 'completed' });
});

test.runIf(IS_LONG)(
  'a run that is left paused ends after its time, with what it began paid for',
  async () => {
    const short = await app.openBeside({ COMPUTER_ANSWER_TIMEOUT_MS: '5000' });
    await short.deps.computer.start();
    const user = await app.pro();
    const client = short.visit({ cookie: user.cookie });
    app.host.play(({ args }) => ({ jpeg: null, ask: args.x === 1 ? {} : undefined }));
    app.model.play([click()], [callOf('click', { x: 2, y: 2 })]);
    const { id } = await sendTask(client);
    const { id: confirmationId } = await waitingIn(app, id);
    expect((await actOn(client, id, { act: 'pause' })).status).toBe(200);
    await actOn(client, id, { act: 'allow', confirmationId });
    const message = await waitForTask(client, id);
    expect(message).toMatchObject({ status: 'stopped', creditsUsed: 15 });
    expect((await actOn(client, id, { act: 'resume' })).code).toBe('computer_not_running');
    await expectNoDrift(app.database.database.sql);
    await short.close();
  },
);

test.runIf(IS_LONG)('a run that is left paused before the model was asked is stopped, and free', async () => {
  const short = await app.openBeside({ COMPUTER_ANSWER_TIMEOUT_MS: '2000' });
  await short.deps.computer.start();
  const user = await app.pro();
  const client = short.visit({ cookie: user.cookie });
  const opening = Promise.withResolvers<void>();
  app.host.openAfter = opening.promise;
  const { id } = await sendTask(client);
  await expect.poll(() => app.host.requests.some(({ op }) => op === 'open')).toBe(true);
  expect(await stateOf(client, id)).toMatchObject({ state: 'running', place: null });
  expect((await actOn(client, id, { act: 'pause' })).state).toBe('paused');
  opening.resolve();
  expect(await waitForTask(client, id)).toMatchObject({ status: 'stopped', error: null, creditsUsed: 0 });
  expect(app.model.asked).toEqual([]);
  await expectNoDrift(app.database.database.sql);
  await short.close();
});

test('a browser without progress ends its run, free of charge', async () => {
  const short = await app.openBeside({ COMPUTER_IDLE_TIMEOUT_MS: '200' });
  await short.deps.computer.start();
  const user = await app.pro();
  const client = short.visit({ cookie: user.cookie });
  app.host.play(({ action }) => (action === 'hang' ? 'never' : { jpeg: null }));
  app.model.play([callOf('hang')]);
  expect(await waitForTask(client, (await sendTask(client)).id)).toMatchObject({
    status: 'failed',
    error: { code: 'browser_failed' },
    creditsUsed: 0,
  });
  await short.close();
});

test('who comes when all browsers are taken waits for their turn, and sees their place', async () => {
  const small = await app.openBeside({ COMPUTER_RUNS: '1' });
  await small.deps.computer.start();
  const [first, second] = [await app.pro(), await app.pro()];
  const [one, two] = [small.visit({ cookie: first.cookie }), small.visit({ cookie: second.cookie })];
  app.model.play('never');
  const running = await sendTask(one);
  await expect.poll(() => app.model.asked.length).toBe(1);
  expect(await stateOf(one, running.id)).toMatchObject({ state: 'running', place: null });
  const waiting = await sendTask(two);
  await waitForState(two, waiting.id, 'queued');
  expect(await stateOf(two, waiting.id)).toMatchObject({ place: 1, viewport: { width: 1440, height: 900 } });
  expect((await actOn(two, waiting.id, { act: 'pause' })).code).toBe('computer_not_running');
  await one.post(`/api/messages/${running.id}/stop`);
  expect(await waitForTask(two, waiting.id)).toMatchObject({ status: 'completed' });
  expect(await readTask(one, running.id)).toMatchObject({ status: 'stopped', creditsUsed: 0 });
  await small.close();
});

test('the live picture goes to its user at any process, and ends with the run', async () => {
  const user = await app.pro();
  app.model.play([click()], 'never');
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  const here = await openEvents(user, `/api/messages/${id}/screen`);
  const there = await openEvents(beside.visit({ cookie: user.cookie }), `/api/messages/${id}/screen`);
  const first = await here.next(() => true);
  expect(first).toMatchObject({ event: 'state', data: { state: 'running' } });
  const isFrame = (jpeg: string) => (event: { event: string; data: Record<string, unknown> }) =>
    event.event === 'frame' && event.data.jpeg === jpeg;
  await expect.poll(() => app.host.requests.some(({ op }) => op === 'screencast')).toBe(true);
  await expect
    .poll(() => {
      app.host.sendFrame(id, 'cGljdHVyZQ==');
      return there.received.some(isFrame('cGljdHVyZQ=='));
    })
    .toBe(true);
  await here.next(isFrame('cGljdHVyZQ=='));
  const [log] = await app.database.database.sql<{ n: number }[]>`
    select count(*)::int as n from message_events where message_id = ${id} and events::text like '%cGljdHVyZQ%'`;
  expect(log?.n).toBe(0);
  await user.post(`/api/messages/${id}/stop`);
  await Promise.all([here.ended, there.ended]);
  expect(here.received.at(-1)).toMatchObject({ event: 'state', data: { state: 'ended' } });
});

test('the live picture ends with the session that watches it, at any process, and the run goes on', async () => {
  const user = await app.pro();
  const think = Promise.withResolvers<void>();
  app.model.play([click()], { after: think.promise, parts: [{ text: 'Done.' }] });
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  const path = `/api/messages/${id}/screen`;
  const here = await openEvents(user, path);
  const there = await openEvents(beside.visit({ cookie: user.cookie }), path);
  const isRunning = ({ event }: { event: string }) => event === 'state';
  await Promise.all([here.next(isRunning), there.next(isRunning)]);
  expect((await user.post('/api/auth/sign-out', {})).status).toBe(200);
  await Promise.all([here.ended, there.ended]);
  for (const { received } of [here, there])
    expect(received.filter(({ event }) => event === 'state').at(-1)?.data.state).toBe('running');
  expect((await user.get(path)).status).toBe(401);
  const { sql } = app.database.database;
  expect(await sql`select from computer_runs where message_id = ${id}`).toHaveLength(1);
  think.resolve();
  await expect.poll(() => sql`select from computer_runs where message_id = ${id}`).toHaveLength(0);
});

test('without a browser the model answers in words, and says so', async () => {
  const wordy = await createTestApp({ beside: app, env: { GEMINI_BASE_URL: app.model.url } });
  const user = await app.pro();
  const client = wordy.visit({ cookie: user.cookie });
  const sent = await sendTask(client, { options: { computer: { steps: 30 } } });
  expect(sent).toMatchObject({ cost: 15, computer: 'words' });
  const events = await openEvents(client, `/api/messages/${sent.id}/events`);
  await events.ended;
  expect(events.received).toContainEqual({ id: 1, event: 'notice', data: { code: 'computer_words' } });
  expect(await readTask(client, sent.id)).toMatchObject({
    status: 'completed',
    creditsUsed: 15,
    computer: 'words',
  });
  const models = (await (await client.get('/api/catalogue')).json()) as {
    models: { computer: string | null }[];
  };
  expect(models.models.filter(({ computer }) => computer === 'words')).toHaveLength(1);
  await wordy.close();
});
