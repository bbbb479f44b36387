import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  actOn,
  type ComputerApp,
  createComputerApp,
  partsOf,
  readTask,
  sendTask,
  stateOf,
  waitForTask,
  waitingIn,
} from '#test/computer/computer.ts';
import { NOT_KEPT } from '#test/computer/make-picture.ts';
import { callOf, click, DONE } from '#test/computer/played-model.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';

let app: ComputerApp;
beforeAll(async () => {
  app = await createComputerApp();
});
beforeEach(() => {
  app.reset();
  // A process looks through each picture.
  app.host.play(() => ({ jpeg: null }));
});
afterAll(() => app.close());

const balanceOf = async (user: { get(path: string): Promise<Response> }) =>
  ((await (await user.get('/api/me')).json()) as { credits: number }).credits;

test('a run is a message: its steps come as parts with their pictures, and its price covers ten of them', async () => {
  const user = await app.pro();
  app.host.play(() => ({}));
  app.model.play(
    [{ text: 'I open the shop.' }, callOf('navigate', { url: 'http://shop.test/', intent: 'open the shop' })],
    [callOf('click', { x: 10, y: 20 })],
    [{ text: 'Tea costs 3.' }],
  );
  const sent = await sendTask(user);
  expect(sent).toMatchObject({ computer: 'browser', cost: 15, quote: { max: 15 } });
  const message = await waitForTask(user, sent.id);
  expect(message).toMatchObject({ status: 'completed', creditsUsed: 15, computer: 'browser' });
  expect(message.response).toBe('I open the shop.\n\nTea costs 3.');
  const steps = partsOf(message, 'step');
  expect(steps).toMatchObject([
    { n: 1, action: 'navigate', intent: 'open the shop', args: '{"url":"http://shop.test/"}' },
    { n: 2, action: 'click', args: '{"x":10,"y":20}', url: 'http://shop.test/' },
  ]);
  for (const { fileId } of steps) {
    const picture = await (await user.get(`/api/files/${fileId}`)).json();
    expect(picture).toMatchObject({ type: 'image/jpeg', width: 32, everyTurn: false });
  }
  expect(await balanceOf(user)).toBe(25);
  const [cost] = await app.database.database.sql`
    select features, credits, plan_key, upstream_model, input_tokens::int, output_tokens::int, jsonb_array_length(uses) as lines,
           unknown, cost_pico_usd > 0 as has_cost
      from provider_costs where message_id = ${sent.id}`;
  expect(cost).toEqual({
    ...{ features: ['computer'], credits: 15, plan_key: 'gemini_pro', upstream_model: 'gemini-3.7-flash' },
    ...{ input_tokens: message.usage?.inputTokens, output_tokens: message.usage?.outputTokens },
    ...{ lines: 1, unknown: [], has_cost: true },
  });
  await expectNoDrift(app.database.database.sql);
});

test('the model gets back what it wrote, byte for byte, and the pictures of its last three turns', async () => {
  const user = await app.pro();
  app.host.play(() => ({ jpeg: NOT_KEPT }));
  app.model.play(...['one', 'two', 'three', 'four'].map((id) => [callOf('click', { x: 1, y: 2 }, id)]));
  await waitForTask(user, (await sendTask(user)).id);
  const { model, body } = app.model.asked.at(-1) ?? { model: '', body: { contents: [] } };
  expect(model).toBe('gemini-3.7-flash');
  expect(body.tools).toEqual([
    {
      computerUse: {
        environment: 'ENVIRONMENT_BROWSER',
        enablePromptInjectionDetection: true,
      },
    },
  ]);
  const turns = body.contents.filter(({ role }) => role === 'model').map(({ parts }) => parts);
  expect(turns).toEqual(['one', 'two', 'three', 'four'].map((id) => [callOf('click', { x: 1, y: 2 }, id)]));
  const answers = body.contents.flatMap(({ parts }) => parts.filter((part) => 'functionResponse' in part));
  const pictures = answers.map(
    ({ functionResponse }) => (functionResponse as { parts?: unknown[] }).parts?.length ?? 0,
  );
  expect(pictures).toEqual([0, 1, 1, 1]);
  expect(answers.at(-1)).toMatchObject({
    functionResponse: { id: 'four', name: 'click', response: { url: 'http://shop.test/' } },
  });
});

test('the model is told to say in the language of its user what each action is for', async () => {
  const user = await app.pro();
  await waitForTask(user, (await sendTask(user)).id);
  const said = app.model.asked[0]?.body.systemInstruction?.parts.map(({ text }) => text).join('');
  expect(said).toMatch(/with each action say in `intent`, .*in the language of the user, what it is for/i);
});

test('calls of one turn are carried out in their order, and an unknown one is answered as such and is no step', async () => {
  const user = await app.pro();
  app.host.play(({ action }) =>
    action === 'fly' ? { error: 'unsupported', message: 'no such action', jpeg: null } : { jpeg: null },
  );
  app.model.play([callOf('fly'), callOf('click', { x: 1, y: 1 }), callOf('wait', { seconds: 1 })]);
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(partsOf(message, 'step').map(({ action }) => action)).toEqual(['click', 'wait']);
  const acts = app.host.requests.filter((request) => request.op === 'act').map(({ action }) => action);
  expect(acts).toEqual(['fly', 'click', 'wait']);
  const last = app.model.asked.at(-1)?.body.contents.at(-1)?.parts ?? [];
  expect(last[0]).toMatchObject({ functionResponse: { response: { error: 'unsupported: no such action' } } });
});

test('a step that was tried and went wrong says how', async () => {
  const user = await app.pro();
  app.host.play(({ action }) =>
    action === 'click' ? { error: 'page_unresponsive', message: 'it hangs', jpeg: null } : { jpeg: null },
  );
  app.model.play([callOf('click', { x: 1, y: 1 }), callOf('wait', { seconds: 1 })]);
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(partsOf(message, 'step').map(({ error }) => error)).toEqual(['page_unresponsive', undefined]);
});

test('what was done is a step whatever its page wants then, unless its user denies that in the same action', async () => {
  const user = await app.pro();
  app.host.play(({ args: { x } }) => {
    if (x === 3) return { jpeg: null, ask: {}, done: true };
    return { jpeg: null, error: x === 1 ? 'refused' : 'denied', message: 'no', done: x !== 4 };
  });
  app.model.play([1, 2, 3, 4].map((x) => callOf('click', { x, y: 1 }, `click-${x}`)));
  const { id } = await sendTask(user);
  const { id: confirmationId } = await waitingIn(app, id);
  await actOn(user, id, { act: 'deny', confirmationId });
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'completed', creditsUsed: 15 });
  const steps = partsOf(message, 'step').map(({ args, error }) => ({ args, error }));
  expect(steps).toEqual([{ args: '{"x":1,"y":1}' }, { args: '{"x":2,"y":1}' }]);
  const told = JSON.stringify(app.model.asked.at(-1)?.body.contents.at(-1));
  expect(told).toContain('refused: no');
});

test('three actions of a run are free because their user denied what followed, and no more', async () => {
  const user = await app.pro();
  app.host.play(() => ({ jpeg: null, ask: {}, done: true }));
  app.model.play([1, 2, 3, 4].map((x) => callOf('click', { x, y: 1 }, `click-${x}`)));
  const { id } = await sendTask(user);
  const asked = new Set<string>();
  while (asked.size < 4) {
    const { id: confirmationId } = await waitingIn(app, id);
    if (!asked.has(confirmationId)) await actOn(user, id, { act: 'deny', confirmationId });
    asked.add(confirmationId);
  }
  const steps = partsOf(await waitForTask(user, id), 'step');
  expect(steps.map(({ args }) => args)).toEqual(['{"x":4,"y":1}']);
});

test('of one answer twenty calls are carried out, and the last picture is kept', async () => {
  const user = await app.pro();
  const calls = Array.from({ length: 22 }, (_, n) => callOf('fly', {}, `fly-${n}`));
  app.model.play([callOf('click', { x: 1, y: 1 }), callOf('click', { x: 2, y: 2 })], calls);
  app.host.play(({ action }) =>
    action === 'fly' ? { error: 'unsupported', message: 'no such action', jpeg: null } : { jpeg: NOT_KEPT },
  );
  await waitForTask(user, (await sendTask(user)).id);
  const acts = app.host.requests.filter((request) => request.op === 'act');
  expect(acts.filter(({ action }) => action === 'fly')).toHaveLength(20);
  const answers = (app.model.asked.at(-1)?.body.contents ?? [])
    .flatMap(({ parts }) => parts.map(({ functionResponse }) => functionResponse))
    .filter((each) => each !== undefined) as { parts?: object[]; response: { error?: string } }[];
  expect(answers.map(({ parts }) => parts?.length ?? 0)).toEqual([0, 1, ...calls.map(() => 0)]);
  expect(answers.at(-1)?.response.error).toContain('too many actions');
});

test('a call that the model could not write is asked for again', async () => {
  const user = await app.pro();
  app.model.play({ finishReason: 'MALFORMED_FUNCTION_CALL' }, [callOf('click', { x: 1, y: 1 })]);
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(message).toMatchObject({ status: 'completed', response: DONE });
  expect(app.model.asked).toHaveLength(3);
});

test('an answer without any action is free, as is one that the model or the browser could not give', async () => {
  const user = await app.pro();
  const words = await waitForTask(user, (await sendTask(user)).id);
  expect(words).toMatchObject({ status: 'completed', creditsUsed: 0, response: DONE });
  app.model.play([callOf('click', { x: 1, y: 1 })], { status: 403 });
  const failed = await waitForTask(user, (await sendTask(user)).id);
  expect(failed).toMatchObject({ status: 'failed', creditsUsed: 0, error: { code: 'upstream_failed' } });
  app.model.play([callOf('click', { x: 1, y: 1 })], [callOf('click', { x: 2, y: 2 })]);
  app.host.play(({ runId, args }) => {
    if (args.x === 1) return { jpeg: null };
    setTimeout(() => app.host.loseBrowser(runId));
    return 'never';
  });
  const lost = await waitForTask(user, (await sendTask(user)).id);
  expect(lost).toMatchObject({ status: 'failed', creditsUsed: 0, error: { code: 'browser_failed' } });
  expect(partsOf(lost, 'step')).toHaveLength(1);
  expect(await balanceOf(user)).toBe(40);
  await expectNoDrift(app.database.database.sql);
});

test('a run that is stopped after a step is charged for the ten that it began, and its browser is closed', async () => {
  const user = await app.pro();
  app.model.play([callOf('click', { x: 1, y: 1 })], 'never');
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  await user.post(`/api/messages/${id}/stop`);
  expect(await waitForTask(user, id)).toMatchObject({ status: 'stopped', creditsUsed: 15 });
  expect(app.host.open.size).toBe(0);
  await expectNoDrift(app.database.database.sql);
});

test('a run that is stopped while its browser starts ends at once and free, and the browser is closed once it has started', async () => {
  const user = await app.pro();
  const started = Promise.withResolvers<void>();
  app.host.openAfter = started.promise;
  const { id } = await sendTask(user);
  const didHost = (op: string) => app.host.requests.some((request) => request.op === op);
  await expect.poll(() => didHost('open')).toBe(true);
  await user.post(`/api/messages/${id}/stop`);
  expect(await waitForTask(user, id)).toMatchObject({ status: 'stopped', creditsUsed: 0 });
  expect(app.host.open.size).toBe(0);
  started.resolve();
  await expect.poll(() => didHost('close')).toBe(true);
  await expect.poll(() => app.host.open.size).toBe(0);
  expect(await balanceOf(user)).toBe(40);
});

test('a user has one run at a time, and the same message sent again is the same', async () => {
  const user = await app.pro();
  app.model.play([callOf('click', { x: 1, y: 1 })], 'never');
  const sent = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  const body = { id: sent.id, conversationId: sent.conversationId, parentId: null, model: sent.modelType };
  const again = await user.post('/api/messages', { ...body, content: sent.content });
  expect(again.status).toBe(200);
  const other = await user.post('/api/messages', { ...body, id: crypto.randomUUID(), content: 'More' });
  expect(other.status).toBe(409);
  expect(((await other.json()) as { error: { code: string } }).error.code).toBe('computer_busy');
  await user.post(`/api/messages/${sent.id}/stop`);
  await waitForTask(user, sent.id);
});

test('what was typed into a secret field is kept nowhere: not in arguments, intents or addresses', async () => {
  const user = await app.pro();
  const secret = 'hunter 2ü';
  app.model.play(
    [callOf('type', { text: secret, note: `for ${secret}`, intent: `type ${secret} into the field` })],
    [callOf('navigate', { url: `http://shop.test/?q=${encodeURIComponent(secret)}`, more: [secret] })],
    [callOf('click', { x: 1, y: 1, safety_decision: { decision: 'block' } })],
  );
  app.host.play(({ action }) => ({
    jpeg: null,
    sensitive: action === 'type',
    url: action === 'type' ? 'http://shop.test/login' : 'http://shop.test/?pass=hunter+2%C3%BC',
  }));
  const { id } = await sendTask(user);
  const message = await waitForTask(user, id);
  expect(partsOf(message, 'step')).toMatchObject([
    { args: '{"text":"•••","note":"for •••"}', intent: 'type ••• into the field' },
    { args: '{"url":"http://shop.test/?q=•••","more":["•••"]}', url: 'http://shop.test/?pass=•••' },
  ]);
  const { sql } = app.database.database;
  const kept = await sql`
    select events::text from message_events where message_id = ${id} union all
    select to_jsonb(m)::text from messages m where id = ${id}`;
  expect(JSON.stringify(kept)).not.toContain('hunter');
});

test('a call whose name is longer than any is an unknown one, and too many calls end a run that is free then', async () => {
  const user = await app.pro();
  app.host.play(({ action }) =>
    action.startsWith('fly')
      ? { error: 'unsupported', message: 'no such action', jpeg: null }
      : { jpeg: null },
  );
  app.model.play([callOf('fly'.repeat(1_000))], [callOf('click', { x: 1, y: 1 })]);
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(message).toMatchObject({ status: 'completed', response: DONE });
  app.model.play([callOf('click', { x: 1, y: 1 })], Array(201).fill(callOf('fly')));
  const ended = await waitForTask(user, (await sendTask(user)).id);
  expect(ended).toMatchObject({ status: 'failed', creditsUsed: 0, error: { code: 'upstream_failed' } });
});

test('the next turn is told in words what was done', async () => {
  const user = await app.pro();
  app.model.play([callOf('click', { x: 7, y: 8, intent: 'open the cart' })]);
  const first = await waitForTask(user, (await sendTask(user)).id);
  const { conversationId } = first;
  await waitForTask(user, (await sendTask(user, { conversationId, parentId: first.id })).id);
  const told = JSON.stringify(app.model.asked.at(-1)?.body.contents[1]);
  expect(told).toContain('[step 1: click({\\"x\\":7,\\"y\\":8}) on http://shop.test/ — open the cart]');
});

test('what a reader that was cut off gets is what came', async () => {
  const user = await app.pro();
  app.model.play([callOf('click', { x: 1, y: 1 })], [callOf('click', { x: 2, y: 2 })]);
  const { id } = await sendTask(user);
  await waitForTask(user, id);
  const events = await openEvents(user, `/api/messages/${id}/events`, { after: 1 });
  await events.ended;
  expect(events.received.map(({ id: n, event }) => [n, event])).toEqual([
    [2, 'part'],
    [3, 'text'],
    [4, 'end'],
  ]);
  expect(await readTask(user, id)).toMatchObject({
    parts: [{ kind: 'step' }, { kind: 'step' }, { kind: 'text' }],
  });
});

test('a model that is done does not end the run while its user has the browser', async () => {
  const user = await app.pro();
  const think = Promise.withResolvers<void>();
  app.model.play([click()], { after: think.promise, parts: [{ text: DONE }] });
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  expect(await actOn(user, id, { act: 'takeover' })).toMatchObject({ state: 'taken_over' });
  think.resolve();
  await expect.poll(async () => (await stateOf(user, id)).until).not.toBeNull();
  const input = { kind: 'type', text: 'tea' } as const;
  expect((await actOn(user, id, { act: 'input', input })).status).toBe(200);
  await expect.poll(() => app.host.requests.find(({ op }) => op === 'input')).toMatchObject({ input });
  await actOn(user, id, { act: 'handback' });
  expect(await waitForTask(user, id)).toMatchObject({ status: 'completed', response: DONE });
});
