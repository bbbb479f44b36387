import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message, SendMessage } from '#contract/chat.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { currentToasts } from '#web/ui/toast-store.ts';
import { Draft } from '../composer/draft.ts';
import { addQueued, deleteQueued, takeQueue } from '../queue/queue-store.ts';
import { type ChatSend, useChatSend } from './use-chat-send.ts';
import type { Outgoing } from './use-outgoing.ts';
import { type QueueState, useQueue } from './use-queue.ts';

/** Paths that the server knows; it knows no message. */
let known = new Set<string>();
let asked: string[] = [];
/** Messages that came; none is answered, so that their sender does not know that they came. */
let sent: SendMessage[] = [];
/** Called when one came, before it is answered. */
let whenSent = () => {};
const server = createServer(async (request, response) => {
  const { url = '', method } = request;
  asked.push(url);
  const isPosted = method === 'POST';
  if (isPosted) sent.push((await json(request)) as SendMessage);
  if (isPosted) whenSent();
  const isKnown = known.has(url);
  const error = { code: isPosted ? 'unavailable' : 'not_found', message: '', params: {} };
  const status = isPosted ? 503 : 404;
  response
    .writeHead(isKnown ? 200 : status, { 'content-type': 'application/json' })
    .end(JSON.stringify(isKnown ? { id: 'there', running: [] } : { error }));
});

const TOOLS = { search: false, code: false, addresses: false };
const MODEL = {
  ...{ id: 'm', cost: 15, allowed: true, paused: false, tools: TOOLS, pictures: null, efforts: [] },
  ...{ computerUse: false, computer: null },
} as unknown as CatalogueModel;
const BEFORE = { id: 'before', status: 'completed', finishReason: 'stop' } as Message;

/** What is being answered. */
let running: Message | null = null;
let draft: Draft;
let queued: QueueState;
let sending: ChatSend;

beforeEach(async () => {
  known = new Set(['/api/conversations/running']);
  asked = [];
  sent = [];
  whenSent = () => {};
  running = null;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  draft = new Draft('u', 'new');
});

afterEach(() => {
  takeQueue('u', 'left');
  closePage();
  server.close();
});

function Page() {
  const shown = { conversationId: 'shown', messages: [BEFORE], credits: 40, beginPause: () => {}, draft };
  queued = useQueue({
    ...shown,
    ...{ userId: 'u', isLoaded: true, underWay: running, models: [MODEL], isPaused: false, isNew: true },
  });
  const quote = { max: 15, lines: [], isPending: false, error: null };
  const files = { ids: [], state: 'ready' };
  sending = useChatSend({
    ...shown,
    ...{ temporary: false, model: MODEL, state: running ? 'running' : 'ready', pause: null, queue: queued },
    ...{ onQuoteChanged: () => {}, setPending: () => {} },
    release: () => () => {},
    toEnd: async () => 'before',
    outgoing: { extras: {}, quote, files } as unknown as Outgoing,
  });
  return null;
}

function openChat() {
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <QueryClientProvider client={new QueryClient()}>
        <Page />
      </QueryClientProvider>
    </TranslationProvider>,
  );
}

/** A message that waits behind one that the server never had, for `ms` already. */
function queue(ms: number) {
  addQueued('u', 'left', 'refused', {
    id: 'b',
    content: '再问一句',
    model: 'm',
    cost: 15,
    at: Date.now() - ms,
  });
}

const isAsked = (path: string) => vi.waitFor(() => expect(asked).toContain(path));

test('what waits behind a message that was never taken stays where its conversation is there', async () => {
  known.add('/api/conversations/left');
  queue(300_000);
  openChat();
  await isAsked('/api/messages/refused');
  await isAsked('/api/conversations/left');
  expect(deleteQueued('u', 'left', 'b')?.content).toBe('再问一句');
  expect(draft.read()).toBe('');
});

test('where the conversation never came to be its writer has it back', async () => {
  queue(300_000);
  openChat();
  await vi.waitFor(() => expect(draft.read()).toBe('再问一句'));
  expect(deleteQueued('u', 'left', 'b')).toBeNull();
});

test('a message before it that may still be on its way is waited for', async () => {
  queue(1_000);
  openChat();
  await isAsked('/api/messages/refused');
  expect(deleteQueued('u', 'left', 'b')?.content).toBe('再问一句');
  expect(draft.read()).toBe('');
});

test('one that may have arrived is the same message when its writer takes it back and sends it as it was', async () => {
  addQueued('u', 'shown', 'before', {
    id: 'w',
    content: '再问一句',
    model: 'm',
    cost: 15,
    at: Date.now(),
  });
  openChat();
  await vi.waitFor(() => expect(queued.refusal?.code).toBe('unavailable'), PATIENT);
  draft.putBefore(queued.withdraw('w')?.content ?? '');
  expect(draft.read()).toBe('再问一句');
  await sending.send('再问一句', {}, 15);
  expect(sent.map(({ id, content }) => [id, content])).toEqual([
    ['w', '再问一句'],
    ['w', '再问一句'],
  ]);
});

test('what one tab sends no other takes back meanwhile, and each can once that failed', async () => {
  addQueued('u', 'shown', 'before', { id: 'w', content: '再问一句', model: 'm', cost: 15, at: Date.now() });
  const taken: unknown[] = [];
  whenSent = () => taken.push(deleteQueued('u', 'shown', 'w'));
  openChat();
  await vi.waitFor(() => expect(queued.refusal?.code).toBe('unavailable'), PATIENT);
  expect(taken).toEqual([null]);
  expect(deleteQueued('u', 'shown', 'w')?.content).toBe('再问一句');
});

test('a message that the browser cannot keep stays in the message box, and its writer reads why', () => {
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: refuse,
    removeItem: () => {},
    clear: () => {},
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  running = { ...BEFORE, status: 'running' };
  openChat();
  draft.write('再问一句');
  sending.submit();
  expect([draft.read(), queued.items]).toEqual(['再问一句', []]);
  expect(currentToasts().map(({ text }) => text)).toContain(zh.chat.queueNotKept);
});
