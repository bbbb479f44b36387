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

  /** Asks for a goal, and then for what comes next as long as there is a window to look at; what it asked for, and said last. */
  async function follow(text: string, windows: ((opened: URL) => Partial<Sight> & { path?: string })[]) {
    const said: Turn[] = [{ role: 'user', parts: [{ text }] }];
    let next = await ask(NEW, said);
    const opened = new URL(String(next.calls[0]?.args?.url));
    const asked: unknown[] = [];
    for (const look of windows) {
      const { path, ...over } = look(opened);
      const at = path === undefined ? opened : new URL(path, opened);
      at.searchParams.set('visit', opened.searchParams.get('visit') ?? '');
      show(at.href, over);
      said.push(next.content, results(next.calls, at.href));
      next = await ask(NEW, said);
      asked.push(
        next.calls.map(({ name, args }) => [name, args?.text ?? args?.x, args?.press_enter ?? args?.y]),
      );
    }
    return { host: opened.host, asked, text: next.text };
  }

  const clickable = (role: 'link' | 'button', name: string, y: number) =>
    ({ role, name, value: '', checked: false, x: 0.5, y }) as const;

  test.each([
    ['打开 rail.test，查杭州到上海的列车', '出发站', '到达站', '杭州', '上海', '杭州到上海的列车：'],
    [
      'Open rail.test and find trains from Suzhou to Beijing',
      'From',
      'To',
      'Suzhou',
      'Beijing',
      'Trains from Suzhou to Beijing:',
    ],
  ])('searches the timetable and gives its trains: %s', async (goal, start, end, from, to, said) => {
    const train = ['G7001', '06:52', '07:33', '41', '¥47'];
    const { host, asked, text } = await follow(goal, [
      () => ({ elements: [field(start, '', 0.2), field(end, '', 0.3)] }),
      () => ({ elements: [field(start, from, 0.2), field(end, '', 0.3)] }),
      () => ({ rows: [train], head: ['A', 'B', 'C', 'D', 'E'], atEnd: false }),
      () => ({ rows: [train, ['G7003', '|', '', '', '']], head: ['A', 'B', 'C', 'D', 'E'] }),
    ]);
    expect(host).toBe('rail.test');
    expect(asked).toEqual([
      [
        ['click', 500, 200],
        ['type', from, false],
      ],
      [
        ['click', 500, 300],
        ['type', to, true],
      ],
      [['scroll', 500, 500]],
      [],
    ]);
    expect(text).toContain(said);
    expect(text).toContain('| G7001 | 06:52 | 07:33 | 41 | ¥47 |\n| G7003 | \\| |');
  });

  test.each([
    ['打开 mail.test，看看图书馆的邮件', 0.2, '这封邮件写的是：'],
    ['打开 mail.test，看看周先生的邮件', 0.3, '这封邮件写的是：'],
    ['Open mail.test and read the mail from the choir', 0.4, 'The mail says:'],
  ])('opens the letter that is asked for and quotes it: %s', async (goal, y, said) => {
    const letters = ['你预约的书到了', '周四上门检修暖气', 'Rehearsal moved to Sunday'];
    const links = letters.map((name, n) => clickable('link', name, 0.2 + n / 10));
    const { host, asked, text } = await follow(goal, [
      () => ({ elements: [clickable('link', '收件箱', 0.1), clickable('link', 'Inbox', 0.1), ...links] }),
      ({ pathname }) => ({ path: `${pathname}/letters/one`, lines: ['It is about this.', 'The foot'] }),
    ]);
    expect({ host, asked }).toEqual({ host: 'mail.test', asked: [[['click', 500, y * 1_000]], []] });
    expect(text).toBe(`${said}\n\n> It is about this.`);
  });

  test.each([
    [
      '打开 shop.test，用 reader@example.com 订阅每月来信',
      '订阅来信',
      '邮箱',
      '订阅',
      '来信会由 partner.test 寄送',
    ],
    [
      ...['Open shop.test and subscribe reader@example.com to the monthly letter', 'Get the letter'],
      ...['Email', 'Subscribe', 'partner.test sends the letter'],
    ],
  ])(
    'subscribes to the letter by a form that goes to partner.test: %s',
    async (goal, link, label, button, said) => {
      const form = (value: string) => ({
        elements: [field(label, value, 0.3), clickable('button', button, 0.4)],
      });
      const { host, asked, text } = await follow(goal, [
        () => ({ elements: [clickable('link', link, 0.2)] }),
        ({ pathname }) => ({ path: `${pathname}/letter`, ...form('') }),
        ({ pathname }) => ({ path: `${pathname}/letter`, ...form('reader@example.com') }),
        ({ pathname }) => ({ path: `http://partner.test${pathname}/subscribe` }),
      ]);
      expect({ host, asked }).toEqual({
        host: 'shop.test',
        asked: [
          [['click', 500, 200]],
          [
            ['click', 500, 300],
            ['type', 'reader@example.com', false],
          ],
          [['click', 500, 400]],
          [],
        ],
      });
      expect(text).toContain(said);
    },
  );

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
