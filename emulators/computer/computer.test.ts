import { GoogleGenAI } from '@google/genai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGeminiEmulator } from '../gemini/gemini-emulator.ts';
import type { Emulator } from '../http-server.ts';
import { type Sight, Sights } from '../site/sights.ts';

const LEGACY = 'gemini-2.5-computer-use-preview-10-2025';
const NEW = 'gemini-3.6-flash';
const ACTIONS = new Set([
  'navigate',
  'click',
  'type',
  'scroll',
  'click_at',
  'type_text_at',
  'scroll_document',
]);

describe('the emulated model with a browser, asked by Google’s own client', () => {
  const sights = new Sights();
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startGeminiEmulator({ port: 0, sights });
  });
  afterAll(() => emulator.close());

  type Turn = { role: string; parts: object[] };

  async function ask(model: string, contents: Turn[]) {
    const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: emulator.url } });
    const tools = [{ computerUse: { environment: 'ENVIRONMENT_BROWSER' as never } }];
    const answer = await client.models.generateContent({ model, contents, config: { tools } });
    const content = answer.candidates?.[0]?.content;
    return {
      calls: answer.functionCalls ?? [],
      content: { role: 'model', parts: content?.parts ?? [] },
      text: answer.text,
    };
  }

  /** What the window at this address would tell. */
  function show(url: string, over: Partial<Sight>): void {
    const visit = new URL(url).searchParams.get('visit') ?? '';
    const empty = { title: '', atEnd: true, elements: [], head: [], rows: [], lines: [], everything: '' };
    sights.report({ ...empty, visit, url, ...over });
  }

  const field = (name: string, value: string, y: number) =>
    ({ role: 'field', name, value, checked: false, x: 0.5, y }) as const;

  function results(calls: { id?: string; name?: string }[], url: string): Turn {
    const parts = calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { url } } }));
    return { role: 'user', parts };
  }

  test.each([
    [
      LEGACY,
      ['type_text_at'],
      { x: 500, y: 250, text: '王小雨', press_enter: false, clear_before_typing: true },
    ],
    [NEW, ['click', 'type'], { text: '王小雨', press_enter: false, intent: '在“姓名”里填写 王小雨' }],
  ] as const)('%s fills a field by its own actions, where it is', async (model, names, args) => {
    const goal = { role: 'user', parts: [{ text: '打开 shop.test，替王小雨报名品茶会，两位' }] };
    const first = await ask(model, [goal]);
    expect(first.calls.map(({ name }) => name)).toEqual(['navigate']);
    const opened = new URL(String(first.calls[0]?.args?.url));
    expect(opened.host).toBe('shop.test');
    opened.pathname = '/zh/tasting';
    show(opened.href, { elements: [field('姓名', '', 0.25), field('手机号', '', 0.5)] });
    const next = await ask(model, [goal, first.content, results(first.calls, opened.href)]);
    expect(next.calls.map(({ name }) => name)).toEqual(names);
    expect(next.calls.at(-1)?.args).toEqual(args);
    for (const { name } of next.calls) expect(ACTIONS).toContain(name);
  });

  test('asks for consent before it sends a form, and stops when that is refused', async () => {
    const goal = { role: 'user', parts: [{ text: 'Open shop.test and register Ann Lee for the tasting' }] };
    const first = await ask(NEW, [goal]);
    const url = String(first.calls[0]?.args?.url).replace('/en', '/en/tasting');
    const filled = [field('Name', 'Ann Lee', 0.2), field('Mobile number', '1380', 0.3)];
    const button = { role: 'button', name: 'Register', value: '', checked: false, x: 0.1, y: 0.6 } as const;
    show(url, { elements: [...filled, button] });
    const said = [goal, first.content, results(first.calls, url)];
    const next = await ask(NEW, said);
    expect(next.calls[0]?.args?.safety_decision).toMatchObject({ decision: 'require_confirmation' });
    const refused = { functionResponse: { name: 'click', response: { url, error: 'refused' } } };
    const last = await ask(NEW, [...said, next.content, { role: 'user', parts: [refused] }]);
    expect(last.calls).toEqual([]);
    expect(last.text).toContain('I stop here');
  });

  test('says that a file is there once its page offers it', async () => {
    const goal = { role: 'user', parts: [{ text: '打开 shop.test，下载价目表' }] };
    const first = await ask(NEW, [goal]);
    const url = String(first.calls[0]?.args?.url).replace('/zh', '/zh/prices');
    const name = '下载价目表（CSV）';
    show(url, { elements: [{ role: 'link', name, value: '', checked: false, x: 0.4, y: 0.2 }] });
    const said = [goal, first.content, results(first.calls, url)];
    const next = await ask(NEW, said);
    expect(next.calls[0]).toMatchObject({ name: 'click', args: { x: 400, y: 200 } });
    const offered = { functionResponse: { name: 'click', response: { url, offered_files: ['prices.csv'] } } };
    const last = await ask(NEW, [...said, next.content, { role: 'user', parts: [offered] }]);
    expect(last.calls).toEqual([]);
    expect(last.text).toContain('`prices.csv`');
  });

  test('says what it can do when it is asked for something else', async () => {
    const answer = await ask(NEW, [{ role: 'user', parts: [{ text: '写一首诗' }] }]);
    expect(answer.text).toContain('shop.test');
  });
});
