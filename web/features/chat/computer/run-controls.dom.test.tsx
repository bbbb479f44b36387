import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '#contract/chat.ts';
import type { ComputerAct, ComputerState } from '#contract/message/computer.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage, pressKey, type as typeInto } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { currentToasts, dismissToast } from '#web/ui/toast-store.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { AnswerEnd } from '../turn/answer-end.tsx';
import { ComputerRun } from './computer-run.tsx';
import { MAX_PASTED_TEXT } from './input-queue.ts';

const DICTIONARY = { zh, en } as const;
const QUOTE = { max: 15, lines: [] };
const MESSAGE = { id: 'run', conversationId: 'talk', status: 'running', quote: QUOTE } as unknown as Message;
const RUNNING: ComputerState = {
  ...{ state: 'running', place: null, url: 'http://shop.test/', until: null },
  viewport: { width: 1440, height: 900 },
};
/** What each act makes of a run. */
const AFTER: Partial<Record<ComputerAct['act'], ComputerState['state']>> = {
  ...{ pause: 'paused', resume: 'running', takeover: 'taken_over', handback: 'running' },
};

let server: Server;
let client: QueryClient;
/** What was asked for: an address with what was sent. */
let asked: [address: string, body: unknown][];
/** How the run is; null: nothing is said of it. */
let state: ComputerState | null;
/** Tells the reader who follows the run how it is. */
let tell: (state: ComputerState) => void;
/** Settles when the server may answer an act. */
let mayAnswer: Promise<void>;
/** Ends the answer in the way that is given. */
let end: (change: Partial<Message>) => void;
/** The code that acts are refused with; null: they are done. */
let refusal: string | null;

beforeEach(async () => {
  asked = [];
  state = RUNNING;
  mayAnswer = Promise.resolve();
  refusal = null;
  server = createServer(async (request, response) => {
    const { method, url = '' } = request;
    if (url === '/api/messages/run/screen') return showState(response);
    if (method !== 'POST') return answer(response, 200, { kept: [] });
    const sent = await readText(request);
    const body = sent === '' ? null : (JSON.parse(sent) as ComputerAct);
    asked.push([url, body]);
    await mayAnswer;
    if (refusal !== null) return answer(response, 409, { error: { code: refusal } });
    const { state: before } = state ?? RUNNING;
    state = { ...RUNNING, state: (body && AFTER[body.act]) ?? before };
    answer(response, 200, state);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubGlobal('IntersectionObserver', Seen);
  client = new QueryClient();
});
afterEach(async () => {
  await vi.waitFor(() => expect(client.isFetching()).toBe(0), PATIENT);
  closePage();
  vi.unstubAllGlobals();
  for (const { id } of currentToasts()) dismissToast(id);
  client.clear();
  server.closeAllConnections();
  server.close();
});

/** Everything is on screen: happy-dom's own says nothing. */
class Seen {
  private readonly tell: (entries: object[]) => void;
  constructor(tell: (entries: object[]) => void) {
    this.tell = tell;
  }
  observe() {
    this.tell([{ isIntersecting: true }]);
  }
  disconnect() {}
}

function answer(response: ServerResponse, status: number, value: object) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function showState(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  tell = (one) => response.write(`event: state\ndata: ${JSON.stringify(one)}\n\n`);
  if (state) tell(state);
  else response.write(': nothing yet\n\n');
}

/** Where a single key of the chat leads to. */
function Composer() {
  const none = () => {};
  useShortcuts({ search: none, help: none, new: none, list: none });
  return <textarea data-composer aria-label="composer" />;
}

/** The answer with the box of its run, as the server says that it is. */
function Run({ onState }: { onState?: ((line: string | null) => void) | undefined }) {
  const [message, setMessage] = useState(MESSAGE);
  end = (change) => flushSync(() => setMessage({ ...MESSAGE, ...change }));
  return (
    <>
      <ComputerRun message={message} parts={message.parts ?? []} onState={onState} />
      <AnswerEnd message={message} hasOlder={false} />
    </>
  );
}

function open(language: 'zh' | 'en', onState?: (line: string | null) => void) {
  draw(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
          <Run onState={onState} />
          <Composer />
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

/** The buttons by their names, those that are off in brackets. */
function buttons(): string {
  const found = all<HTMLButtonElement>('[role="group"] button');
  return found.map(({ disabled, textContent }) => (disabled ? `(${textContent})` : textContent)).join(' ');
}

async function press(name: string) {
  (await find<HTMLButtonElement>('button', name)).click();
}

describe('what a run shows of itself', () => {
  test.each([
    ['zh', { state: 'queued', place: 1 }, '排队中，第 1 位', '(暂停) (我来操作) 停止'],
    ['zh', { state: 'running', url: '' }, '正在打开浏览器', '暂停 我来操作 停止'],
    ['zh', { state: 'running' }, '正在操作', '暂停 我来操作 停止'],
    ['zh', { state: 'paused' }, '已暂停', '继续 我来操作 停止'],
    ['zh', { state: 'waiting' }, '等待你确认', '(暂停) (我来操作) 停止'],
    ['zh', { state: 'taken_over' }, '由你操作', '交还给模型 键盘 停止'],
    ['zh', { state: 'ended' }, '已结束', '(暂停) (我来操作) (停止)'],
    ['en', { state: 'queued', place: 3 }, 'Number 3 in the queue', '(Pause) (Take over) Stop'],
    ['en', { state: 'running', url: '' }, 'Starting the browser', 'Pause Take over Stop'],
    ['en', { state: 'running' }, 'Working', 'Pause Take over Stop'],
    ['en', { state: 'paused' }, 'Paused', 'Resume Take over Stop'],
    ['en', { state: 'waiting' }, 'Waiting for you to confirm', '(Pause) (Take over) Stop'],
    ['en', { state: 'taken_over' }, 'You’re in control', 'Hand back Keyboard Stop'],
    ['en', { state: 'ended' }, 'Ended', '(Pause) (Take over) (Stop)'],
  ] as const)('in %s, %o: “%s”, with the buttons %s', async (language, change, line, shown) => {
    state = { ...RUNNING, ...change };
    open(language);
    await vi.waitFor(
      () => expect([all('[role=status]')[0]?.textContent, buttons()]).toEqual([line, shown]),
      PATIENT,
    );
  });

  test('while nothing is known of it, it can only be stopped', async () => {
    state = null;
    open('zh');
    await find('[role=status]', '正在打开浏览器');
    expect(buttons()).toBe('(暂停) (我来操作) 停止');
  });

  test.each([
    ['zh', '轮到你时会自动开始，排队不扣 Credits'],
    ['en', 'It starts by itself when it’s your turn. Waiting costs nothing.'],
  ] as const)('in %s it says in the queue that this costs nothing, and no more', async (language, text) => {
    state = { ...RUNNING, state: 'queued', place: 2, url: '' };
    open(language);
    await find('p', text);
    expect(document.querySelector('[role=group]')?.lastElementChild?.textContent).toContain(text);
    expect(document.querySelector('.computer-panes')).toBeNull();
  });

  test('how it stands is told as well to the line beneath the answer, until it has ended', async () => {
    const told: (string | null)[] = [];
    state = { ...RUNNING, state: 'waiting' };
    open('zh', (line) => told.push(line));
    await vi.waitFor(() => expect(told.at(-1)).toBe('等待你确认'), PATIENT);
    expect(document.querySelector('.computer-panes')).not.toBeNull();
    closePage();
    expect(told.at(-1)).toBeNull();
  });
});

describe('a button', () => {
  test('sends its act to the run, and shows what came of it', async () => {
    open('zh');
    await vi.waitFor(() => expect(buttons()).toBe('暂停 我来操作 停止'), PATIENT);
    await press('暂停');
    await press('继续');
    await vi.waitFor(() => expect(buttons()).toBe('暂停 我来操作 停止'), PATIENT);
    await press('我来操作');
    await press('交还给模型');
    await vi.waitFor(() => expect(buttons()).toBe('暂停 我来操作 停止'), PATIENT);
    const acts = ['pause', 'resume', 'takeover', 'handback'];
    expect(asked).toEqual(acts.map((act) => ['/api/messages/run/computer', { act }]));
  });

  test('does not bring back how the run was before what was told of it meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    mayAnswer = promise;
    open('zh');
    await vi.waitFor(() => expect(buttons()).toBe('暂停 我来操作 停止'), PATIENT);
    await press('我来操作');
    await vi.waitFor(() => expect(asked).toHaveLength(1), PATIENT);
    tell({ ...RUNNING, state: 'taken_over', until: Date.now() + 10 * 60_000 });
    await find('span', '还剩 10 分钟');
    resolve();
    await vi.waitFor(() => expect(buttons()).toBe('交还给模型 键盘 停止'), PATIENT);
    await find('span', '还剩 10 分钟');
  });

  test('stops the answer by its own address', async () => {
    open('en');
    await press('Stop');
    await vi.waitFor(() => expect(asked).toEqual([['/api/messages/run/stop', null]]), PATIENT);
  });

  test('is off while an act is on its way, but for the one that stops', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    mayAnswer = promise;
    open('zh');
    await vi.waitFor(() => expect(buttons()).toBe('暂停 我来操作 停止'), PATIENT);
    await press('暂停');
    await vi.waitFor(() => expect(buttons()).toBe('(暂停) (我来操作) 停止'), PATIENT);
    resolve();
    await vi.waitFor(() => expect(buttons()).toBe('继续 我来操作 停止'), PATIENT);
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['zh', '我来操作', '暂停 我来操作 停止', 'computer_not_running'],
    ['en', 'Take over', 'Pause Take over Stop', 'computer_not_running'],
    ['zh', '我来操作', '暂停 我来操作 停止', 'internal'],
  ] as const)(
    'in %s says why %s was refused, and can be pressed again',
    async (language, name, shown, code) => {
      refusal = code;
      open(language);
      await vi.waitFor(() => expect(buttons()).toBe(shown), PATIENT);
      await press(name);
      const { computer, errors } = DICTIONARY[language];
      const text = code === 'internal' ? computer.failed : errors[code];
      await vi.waitFor(() => expect(currentToasts()).toMatchObject([{ kind: 'alert', text }]), PATIENT);
      await vi.waitFor(() => expect(buttons()).toBe(shown), PATIENT);
    },
  );
});

test('what the reader did on the page comes before the page is handed back', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  mayAnswer = promise;
  state = { ...RUNNING, state: 'taken_over' };
  open('zh');
  const field = await find('textarea', zh.computer.surface);
  await vi.waitFor(() => expect(document.activeElement).toBe(field), PATIENT);
  for (const key of ['Tab', 'Enter']) pressKey(key);
  await press('交还给模型');
  await vi.waitFor(() => expect(buttons()).toBe('(交还给模型) 键盘 停止'), PATIENT);
  await vi.waitFor(() => expect(asked).toHaveLength(1), PATIENT);
  resolve();
  await vi.waitFor(() => expect(buttons()).toBe('暂停 我来操作 停止'), PATIENT);
  expect(asked.map(([, body]) => (body as ComputerAct).act)).toEqual(['input', 'input', 'handback']);
});

test.each(['zh', 'en'] as const)(
  'in %s it says that a text is too long to be pasted, and sends none of it',
  async (language) => {
    state = { ...RUNNING, state: 'taken_over' };
    open(language);
    const { surface, pastedTooLong } = DICTIONARY[language].computer;
    typeInto(await find<HTMLTextAreaElement>('textarea', surface), 'a'.repeat(MAX_PASTED_TEXT + 1));
    const text = pastedTooLong.replace('{{limit}}', '100,000');
    expect(currentToasts()).toMatchObject([{ kind: 'alert', text }]);
    expect(asked).toEqual([]);
  },
);

test('while the reader drives, keys go to the run in their order, and the keyboard of a touch screen comes and goes', async () => {
  state = { ...RUNNING, state: 'taken_over' };
  open('zh');
  const field = await find<HTMLTextAreaElement>('textarea', zh.computer.surface);
  expect(field.inputMode).toBe('none');
  await press('键盘');
  await vi.waitFor(() => expect(field.inputMode).toBe('text'), PATIENT);
  expect(document.activeElement).toBe(field);
  const keyboard = await find('button', '键盘');
  expect(keyboard.getAttribute('aria-pressed')).toBe('true');
  keyboard.click();
  await vi.waitFor(() => expect(field.inputMode).toBe('none'), PATIENT);
  for (const key of ['Tab', 'Enter']) pressKey(key);
  const input = (key: string) => [
    '/api/messages/run/computer',
    { act: 'input', input: { kind: 'key', key } },
  ];
  await vi.waitFor(() => expect(asked).toEqual([input('Tab'), input('Enter')]), PATIENT);
  for (const key of ['Escape', 'Escape']) pressKey(key);
  expect(document.activeElement).toBe(await find('[role=group]', zh.computer.title));
  await vi.waitFor(() => expect(asked.slice(2)).toEqual([input('Escape')]), PATIENT);
});

test('who types on a page that the run takes back goes on in its box, and reaches nothing of the chat', async () => {
  state = { ...RUNNING, state: 'taken_over' };
  open('zh');
  const field = await find('textarea', zh.computer.surface);
  await vi.waitFor(() => expect(document.activeElement).toBe(field), PATIENT);
  tell({ ...RUNNING, state: 'waiting' });
  await vi.waitFor(() => expect(field.isConnected).toBe(false), PATIENT);
  const box = await find('[role=group]', zh.computer.title);
  expect(document.activeElement).toBe(box);
  pressKey('/');
  expect(document.activeElement).toBe(box);
});

const FAILED: Partial<Message> = {
  status: 'failed',
  error: { code: 'browser_failed', message: '' },
  creditsUsed: 0,
};
const STEP = {
  kind: 'step',
  n: 1,
  intent: '',
  action: 'click',
  args: '{}',
  url: '',
  fileId: null,
  at: 0,
  ms: 1,
};

test.each([
  ['fails', FAILED, '[data-failure]'],
  ['ends', { status: 'completed', parts: [STEP] } as unknown as Partial<Message>, '.computer-run'],
  ['is stopped before its first step', { status: 'stopped' } as Partial<Message>, '[data-composer]'],
])('who drives a run that %s is led on, and not to the body', async (_, change, where) => {
  state = { ...RUNNING, state: 'taken_over' };
  open('zh');
  const field = await find('textarea', zh.computer.surface);
  await vi.waitFor(() => expect(document.activeElement).toBe(field), PATIENT);
  end(change);
  expect(field.isConnected).toBe(false);
  expect(document.activeElement).toBe(document.querySelector(where));
});

test('a focus that is elsewhere stays there when the run ends', async () => {
  state = { ...RUNNING, state: 'taken_over' };
  open('zh');
  const field = await find('textarea', zh.computer.surface);
  await vi.waitFor(() => expect(document.activeElement).toBe(field), PATIENT);
  const composer = await find('textarea', 'composer');
  composer.focus();
  end(FAILED);
  expect(document.activeElement).toBe(composer);
});

test('a focus that is elsewhere stays there when the run takes the page back', async () => {
  state = { ...RUNNING, state: 'taken_over' };
  open('zh');
  const field = await find('textarea', zh.computer.surface);
  const composer = await find('textarea', 'composer');
  await vi.waitFor(() => expect(document.activeElement).toBe(field), PATIENT);
  composer.focus();
  tell({ ...RUNNING, state: 'waiting' });
  await vi.waitFor(() => expect(field.isConnected).toBe(false), PATIENT);
  expect(document.activeElement).toBe(composer);
});
