import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { controlEmulator, type EmulatorControl } from '#test/emulator-control.ts';
import { startGeminiEmulator } from './gemini/gemini-emulator.ts';
import type { Emulator } from './http-server.ts';
import { SCENARIO_NAMES } from './scenario.ts';

describe('the control of an emulator', () => {
  let emulator: Emulator;
  let control: EmulatorControl;
  beforeAll(async () => {
    emulator = await startGeminiEmulator({ port: 0 });
    control = controlEmulator(emulator.url);
  });
  beforeEach(async () => {
    await control.reset();
    await control.pace({ ttftMs: 1, gapMs: 0.2, jitter: 0 });
  });
  afterAll(() => emulator.close());

  async function ask(prompt: string) {
    const url = `${emulator.url}/v1beta/models/gemini-3.8-flash:generateContent`;
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: prompt }] }] });
    const response = await fetch(url, { method: 'POST', headers: { 'x-goog-api-key': 'k' }, body });
    const answer = (await response.json()) as { candidates?: { content?: { parts: { text: string }[] } }[] };
    return { status: response.status, text: answer.candidates?.[0]?.content?.parts[0]?.text ?? '' };
  }

  test('applies a scenario once, N times, or for ever', async () => {
    await control.scenario('http-503');
    expect([(await ask('a')).status, (await ask('a')).status]).toEqual([503, 200]);
    await control.scenario('http-500', { times: 2 });
    expect([(await ask('a')).status, (await ask('a')).status, (await ask('a')).status]).toEqual([
      500, 500, 200,
    ]);
    await control.scenario('http-429', { times: null });
    for (let count = 0; count < 4; count += 1) expect((await ask('a')).status).toBe(429);
  });

  test('applies a scenario to prompts with a mark, until it is reset', async () => {
    await control.scenario('http-403', { match: 'MARK-1' });
    expect([(await ask('a')).status, (await ask('x MARK-1 y')).status, (await ask('MARK-1')).status]).toEqual(
      [200, 403, 403],
    );
    await control.reset();
    expect((await ask('MARK-1')).status).toBe(200);
  });

  test('hears a command in a prompt, answers the rest of it, and counts its times', async () => {
    expect((await ask('/emulate http-404 你好')).status).toBe(404);
    expect((await ask('/emulate slow-first-token ms=1 你好')).text).toContain('很高兴见到你');
    const once = '/emulate http-503 times=1 你好';
    expect([(await ask(once)).status, (await ask(once)).status]).toEqual([503, 200]);
  });

  test('tells the names for a command without a known one', async () => {
    for (const prompt of ['/emulate', '/emulate nonsense', '怎么用？\n/emulate']) {
      const { text } = await ask(prompt);
      for (const name of SCENARIO_NAMES) expect(text).toContain(`\`/emulate ${name}\``);
    }
  });

  test('refuses an unknown scenario', async () => {
    await expect(control.scenario('no-such' as never)).rejects.toThrow('unknown scenario');
  });

  test('logs requests without their keys', async () => {
    await ask('你好');
    const [request] = await control.requests();
    expect(request).toMatchObject({ method: 'POST', status: 200, aborted: false, scenario: null });
    expect(request?.headers['x-goog-api-key']).toBe('…');
    expect(request?.body).toMatchObject({ contents: [{ parts: [{ text: '你好' }] }] });
    expect(request?.endedAt).toBeGreaterThanOrEqual(request?.at ?? Number.POSITIVE_INFINITY);
  });

  test('works like a metronome when told its work', async () => {
    await control.work({ ttftMs: 20, tokens: 30, gapMs: 2, text: '字' });
    const started = performance.now();
    const url = `${emulator.url}/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse`;
    const body = JSON.stringify({ contents: [{ parts: [{ text: 'a' }] }] });
    const response = await fetch(url, { method: 'POST', headers: { 'x-goog-api-key': 'k' }, body });
    const events = (await response.text()).split('\r\n\r\n').filter((event) => event !== '');
    expect(performance.now() - started).toBeGreaterThanOrEqual(20 + 29 * 2 - 2);
    expect(events).toHaveLength(31);
    expect(JSON.parse(events[29]?.slice('data: '.length) ?? '')).toMatchObject({
      candidates: [{ content: { parts: [{ text: '字' }] } }],
      usageMetadata: { candidatesTokenCount: 30 },
    });
  });

  test('sends some characters in two packets at the pace of a person', async () => {
    await control.pace({ ttftMs: 1, gapMs: 2, jitter: 0.5 });
    const url = `${emulator.url}/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse`;
    const body = JSON.stringify({ contents: [{ parts: [{ text: '帮我列一个学英语的计划' }] }] });
    const response = await fetch(url, { method: 'POST', headers: { 'x-goog-api-key': 'k' }, body });
    let cut = 0;
    const whole = new TextDecoder();
    let text = '';
    for await (const packet of response.body ?? []) {
      if (new TextDecoder().decode(packet).endsWith('\ufffd')) cut += 1;
      text += whole.decode(packet, { stream: true });
    }
    expect(cut).toBeGreaterThan(0);
    expect(text).not.toContain('\ufffd');
    expect(text).toContain('"finishReason":"STOP"');
  });
});
