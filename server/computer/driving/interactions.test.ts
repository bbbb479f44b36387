import type { Interactions } from '@google/genai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  actOn,
  type ComputerApp,
  createComputerApp,
  partsOf,
  sendTask,
  waitForTask,
  waitingIn,
} from '#test/computer/computer.ts';
import { NOT_KEPT } from '#test/computer/make-picture.ts';
import { callOf, DONE } from '#test/computer/played-model.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';

const MODEL = 'gemini-3.7-flash';

let app: ComputerApp;
beforeAll(async () => {
  app = await createComputerApp();
});
beforeEach(() => {
  app.reset();
  app.host.play(() => ({ jpeg: NOT_KEPT }));
  app.model.servedAt = 'interactions';
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

/** The steps of one type in the last request. */
function stepsOf<Type extends Interactions.Step['type']>(type: Type) {
  const { input } = app.model.interactions.at(-1) ?? { input: [] };
  return input.filter((step) => step.type === type) as Extract<Interactions.Step, { type: Type }>[];
}

test('a model that serves browsers only there drives one, at the same price, and is asked there first from then on', async () => {
  const user = await app.pro();
  app.model.play(
    [{ text: 'I open the shop.' }, callOf('navigate', { url: 'http://shop.test/', intent: 'open the shop' })],
    [callOf('click', { x: 10, y: 20 })],
    [{ text: 'Tea costs 3.' }],
  );
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(message).toMatchObject({ status: 'completed', creditsUsed: 15, computer: 'browser' });
  expect(message.response).toBe('I open the shop.\n\nTea costs 3.');
  expect(partsOf(message, 'step')).toMatchObject([
    { n: 1, action: 'navigate', intent: 'open the shop', args: '{"url":"http://shop.test/"}' },
    { n: 2, action: 'click', args: '{"x":10,"y":20}', url: 'http://shop.test/' },
  ]);
  expect(app.model.interactions).toHaveLength(3);
  expect(app.model.asked).toHaveLength(1);
  app.model.asked.length = 0;
  await waitForTask(user, (await sendTask(user)).id);
  expect(app.model.interactions).toHaveLength(4);
  expect(app.model.asked).toHaveLength(0);
});

test('the model gets back its steps and what its calls came to, with the pictures of its last three turns', async () => {
  const user = await app.pro();
  app.model.play(...['one', 'two', 'three', 'four'].map((id) => [callOf('click', { x: 1, y: 2 }, id)]));
  await waitForTask(user, (await sendTask(user)).id);
  const { model, tools, store, system_instruction: system } = app.model.interactions.at(-1) ?? {};
  expect({ model, store, system: typeof system }).toEqual({ model: MODEL, store: false, system: 'string' });
  expect(tools).toEqual([
    {
      type: 'computer_use',
      environment: 'browser',
      enable_prompt_injection_detection: true,
    },
  ]);
  const ids = ['one', 'two', 'three', 'four'];
  expect(stepsOf('function_call')).toEqual(
    ids.map((id) => ({ type: 'function_call', id, name: 'click', arguments: { x: 1, y: 2 } })),
  );
  for (const { signature } of stepsOf('thought')) expect(signature).toMatch(`sig/${MODEL}/`);
  const results = stepsOf('function_result');
  expect(results.map(({ call_id }) => call_id)).toEqual(ids);
  const pictures = results.map(({ result }) => (result as Interactions.Content[]).length - 1);
  expect(pictures).toEqual([0, 1, 1, 1]);
  expect(results.at(-1)?.result).toMatchObject([
    { type: 'text', text: expect.stringContaining('"url":"http://shop.test/"') },
    { type: 'image', mime_type: 'image/jpeg', data: expect.any(String) },
  ]);
});

test('calls of one turn are carried out in their order, and an unknown one is answered as such and is no step', async () => {
  const user = await app.pro();
  app.host.play(({ action }) =>
    action === 'fly' ? { error: 'unsupported', message: 'no such action' } : { jpeg: NOT_KEPT },
  );
  app.model.play([callOf('fly'), callOf('click', { x: 1, y: 1 }), callOf('wait', { seconds: 1 })]);
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(partsOf(message, 'step').map(({ action }) => action)).toEqual(['click', 'wait']);
  expect(stepsOf('function_call').map(({ name }) => name)).toEqual(['fly', 'click', 'wait']);
  expect(stepsOf('function_result')[0]?.result).toMatchObject([
    { text: expect.stringContaining('unsupported: no such action') },
  ]);
});

test('a call that the model could not write is asked for again', async () => {
  const user = await app.pro();
  app.model.play({ finishReason: 'MALFORMED_FUNCTION_CALL' }, [callOf('click', { x: 1, y: 1 })]);
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(message).toMatchObject({ status: 'completed', response: DONE, creditsUsed: 15 });
  expect(app.model.interactions).toHaveLength(3);
});

test('what the provider marks is asked and acknowledged, and what it blocks ends the run', async () => {
  const user = await app.pro();
  const marked = { decision: 'require_confirmation', explanation: 'Must check the box' };
  app.model.play(
    [callOf('click', { x: 1, y: 1, safety_decision: marked })],
    [callOf('click', { x: 2, y: 2, safety_decision: { decision: 'blocked' } })],
  );
  const { id } = await sendTask(user);
  const { id: confirmationId, reason } = await waitingIn(app, id);
  expect(reason).toBe('provider');
  await actOn(user, id, { act: 'allow', confirmationId });
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'failed', creditsUsed: 0, error: { code: 'upstream_blocked' } });
  expect(partsOf(message, 'step')).toHaveLength(1);
  const [{ text = '' } = {}] = (stepsOf('function_result')[0]?.result ?? []) as { text?: string }[];
  expect(JSON.parse(text)).toMatchObject({ safety_acknowledgement: true });
});

test('a run that is stopped while the model is silent is charged for the ten steps that it began', async () => {
  const user = await app.pro();
  app.model.play([callOf('click', { x: 1, y: 1 })], 'never');
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.interactions.length).toBe(2);
  await user.post(`/api/messages/${id}/stop`);
  expect(await waitForTask(user, id)).toMatchObject({ status: 'stopped', creditsUsed: 15 });
  expect(app.host.open.size).toBe(0);
});

test('a model that changes its endpoint in the middle of a run is told in words what it did, and goes on', async () => {
  const user = await app.pro();
  app.model.play([callOf('click', { x: 3, y: 4 })]);
  app.host.play(() => {
    app.model.servedAt = 'generateContent';
    return { jpeg: NOT_KEPT };
  });
  expect(await waitForTask(user, (await sendTask(user)).id)).toMatchObject({
    ...{ status: 'completed', response: DONE, creditsUsed: 15 },
  });
  const parts = app.model.asked.at(-1)?.body.contents.flatMap((content) => content.parts) ?? [];
  expect(JSON.stringify(parts)).not.toContain(`sig/${MODEL}`);
  expect(parts.map((part) => Object.keys(part)[0])).toEqual(['text', 'functionCall', 'functionResponse']);

  app.model.play([callOf('click', { x: 5, y: 6 })]);
  app.host.play(() => {
    app.model.servedAt = 'interactions';
    return { jpeg: NOT_KEPT };
  });
  expect(await waitForTask(user, (await sendTask(user)).id)).toMatchObject({
    ...{ status: 'completed', response: DONE, creditsUsed: 15 },
  });
  expect(stepsOf('function_call')).toEqual([]);
  expect(stepsOf('model_output')).toMatchObject([{ content: [{ text: '[click({"x":5,"y":6})]' }] }]);
  expect(stepsOf('user_input').at(-1)?.content).toMatchObject([
    { type: 'text', text: expect.stringContaining('http://shop.test/') },
    { type: 'image' },
  ]);
});

test('a model that serves no browser anywhere fails for nothing', async () => {
  const user = await app.pro();
  app.model.servedAt = null;
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(message).toMatchObject({ status: 'failed', creditsUsed: 0, error: { code: 'upstream_failed' } });
  expect([app.model.asked.length, app.model.interactions.length]).toEqual([1, 1]);
});
