import { ApiError, GoogleGenAI, type Interactions } from '@google/genai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { controlEmulator, type EmulatorControl } from '#test/emulator-control.ts';
import type { Emulator } from '../http-server.ts';
import { startGeminiEmulator } from './gemini-emulator.ts';

const MODEL = 'gemini-3.8-flash';

describe('the emulated Interactions API, asked by Google’s own client', () => {
  let emulator: Emulator;
  let control: EmulatorControl;
  beforeAll(async () => {
    emulator = await startGeminiEmulator({ port: 0 });
    control = controlEmulator(emulator.url);
  });
  beforeEach(() => control.reset());
  afterAll(() => emulator.close());

  const client = () => new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: emulator.url } });

  const tools: Interactions.Tool[] = [{ type: 'computer_use', environment: 'browser' }];
  const goal: Interactions.Step = {
    type: 'user_input',
    content: [{ type: 'text', text: 'Open shop.test and show me the prices' }],
  };

  async function interact(input: Interactions.Step[], over: { model?: string; tools?: typeof tools } = {}) {
    const events: Interactions.InteractionSSEEvent[] = [];
    const request = { model: MODEL, input, tools, store: false, ...over };
    for await (const event of await client().interactions.create({ ...request, stream: true }))
      events.push(event);
    return events;
  }

  /** The steps that a stream brought, as they go back. */
  function stepsOf(events: Interactions.InteractionSSEEvent[]): Interactions.Step[] {
    const steps: Interactions.Step[] = [];
    for (const event of events) {
      if (event.event_type === 'step.start') steps.push(event.step);
      const step = steps.at(-1);
      if (event.event_type !== 'step.delta' || !step) continue;
      const { delta } = event;
      if (delta.type === 'thought_signature' && step.type === 'thought' && delta.signature)
        step.signature = delta.signature;
      if (delta.type === 'text' && step.type === 'model_output')
        step.content = [{ type: 'text', text: delta.text }];
    }
    return steps;
  }

  const argumentsIn = (events: Interactions.InteractionSSEEvent[]) =>
    events
      .map((event) =>
        event.event_type === 'step.delta' && event.delta.type === 'arguments_delta'
          ? (event.delta.arguments ?? '')
          : '',
      )
      .join('');

  test('streams a call behind a signed thought, and goes on when it is answered', async () => {
    const events = await interact([goal]);
    const steps = stepsOf(events);
    expect(steps).toMatchObject([
      { type: 'thought', signature: expect.stringContaining(`sig/${MODEL}/`) },
      { type: 'function_call', name: 'navigate', arguments: {} },
    ]);
    expect(JSON.parse(argumentsIn(events))).toMatchObject({ url: expect.stringContaining('shop.test') });
    const last = events.at(-1);
    if (last?.event_type !== 'interaction.completed') throw new Error('not completed');
    const { status, model, usage } = last.interaction;
    expect([status, model]).toEqual(['requires_action', MODEL]);
    const { total_input_tokens: read = 0, total_output_tokens: written = 0, total_tokens: all } = usage ?? {};
    expect([read > 0, written > 0, all]).toEqual([true, true, read + written]);
    const [thought, call] = steps;
    if (call?.type !== 'function_call' || !thought) throw new Error('no call');
    const said: Interactions.FunctionCallStep = { ...call, arguments: JSON.parse(argumentsIn(events)) };
    const result: Interactions.FunctionResultStep = {
      ...{ type: 'function_result', call_id: call.id, name: call.name },
      result: [{ type: 'text', text: '{"url":"http://shop.test/en","error":"refused"}' }],
    };
    const next = stepsOf(await interact([goal, thought, said, result]));
    expect(next).toMatchObject([
      { type: 'model_output', content: [{ text: expect.stringContaining('I stop here') }] },
    ]);
    await expect(interact([goal, said, result])).rejects.toMatchObject({ statusCode: 400 });
    await expect(interact([goal, thought, said])).rejects.toMatchObject({ statusCode: 400 });
  });

  test('refuses as its documentation says', async () => {
    await expect(interact([goal], { model: 'no-such-model' })).rejects.toMatchObject({ statusCode: 404 });
    await expect(interact([goal], { tools: [{ type: 'google_search' }] })).rejects.toMatchObject({
      statusCode: 400,
    });
    const post = async (body: object, key = 'k') => {
      const headers = { 'x-goog-api-key': key };
      const init = { method: 'POST', headers, body: JSON.stringify({ model: MODEL, tools, ...body }) };
      const response = await fetch(`${emulator.url}/v1beta/interactions`, init);
      return [response.status, ((await response.json()) as { error: Interactions.Error }).error.code];
    };
    const turns = [{ role: 'user', content: 'a' }];
    expect(await post({ input: turns, stream: true })).toEqual([400, 'invalid_request']);
    expect(await post({ input: 'a', contents: [] })).toEqual([400, 'invalid_request']);
    expect(await post({ input: 'a' })).toEqual([501, 'unimplemented']);
    expect(await post({ input: 'a' }, 'invalid')).toEqual([401, 'authentication']);
  });

  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      () => '',
      (error: unknown) => (error instanceof ApiError ? error.message : ''),
    );

  test('serves what generateContent does not, or neither does', async () => {
    const config = { tools: [{ computerUse: {} }] };
    await control.scenario('only-interactions', { times: null });
    const generated = client().models.generateContent({ model: MODEL, contents: 'shop.test', config });
    expect(await refusalOf(generated)).toContain('This model only supports Interactions API.');
    expect(stepsOf(await interact([goal]))).toHaveLength(2);
    await control.reset();
    await control.scenario('no-computer-use', { times: null });
    const again = client().models.generateContent({ model: MODEL, contents: 'shop.test', config });
    expect(await refusalOf(again)).toContain(`Computer Use is not enabled for models/${MODEL}`);
    await expect(interact([goal])).rejects.toMatchObject({ statusCode: 400 });
  });

  test('says inside a stream that something failed', async () => {
    await control.scenario('mid-stream-error');
    const events = await interact([goal]);
    expect(events.at(-1)).toMatchObject({ event_type: 'error', error: { code: 'service_unavailable' } });
  });
});
