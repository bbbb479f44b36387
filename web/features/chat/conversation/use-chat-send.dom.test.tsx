import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { Draft } from '../composer/draft.ts';
import type { QueuedMessage } from '../queue/queue-store.ts';
import { type ChatSend, useChatSend } from './use-chat-send.ts';
import type { Outgoing } from './use-outgoing.ts';

const sent: { id: string; content: string; maxCredits: number; files?: string[] }[] = [];
const server = createServer((request, response) => {
  let text = '';
  request.on('data', (piece) => {
    text += piece;
  });
  request.on('end', () => {
    const message = JSON.parse(text) as (typeof sent)[number];
    sent.push(message);
    const isDeleted = message.files?.includes('gone') ?? false;
    const error = isDeleted
      ? { code: 'file_deleted', params: { name: '', fileId: 'gone' } }
      : { code: 'unavailable', params: {} };
    const body = { error: { message: '', ...error } };
    response
      .writeHead(isDeleted ? 409 : 503, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  });
});

beforeEach(async () => {
  sent.length = 0;
  held.length = 0;
  isThere = true;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  closePage();
  server.close();
});

const TOOLS = { search: false, code: false, addresses: false };
const MODEL = {
  ...{ id: 'm', cost: 15, allowed: true, paused: false, tools: TOOLS, pictures: null, efforts: [] },
  ...{ computerUse: false, computer: null },
} as unknown as CatalogueModel;
const QUEUED: QueuedMessage = { id: 'q', content: '排队的', model: 'm', cost: 18, at: Date.now() };

let sending: ChatSend;
/** The messages that are kept from being taken off, and what became of that. */
const held: string[] = [];
let isThere = true;
const hold = (id: string) => isThere && held.push(`hold ${id}`) > 0;
const letGo = (id: string) => void held.push(`let go ${id}`);
function Page({ draft, toEnd }: { draft: Draft; toEnd: () => Promise<string | null> }) {
  const quote = { max: 15, lines: [], isPending: false, error: null };
  const files = { ids: [], state: 'ready' };
  sending = useChatSend({
    ...{ conversationId: 'c', messages: [], temporary: false, model: MODEL, credits: 40, draft, toEnd },
    ...{ state: 'ready', pause: null, beginPause: () => {}, onQuoteChanged: () => {}, setPending: () => {} },
    release: () => () => {},
    queue: { isMoving: false, add: () => null, items: [QUEUED], hold, letGo },
    outgoing: { extras: {}, quote, files } as unknown as Outgoing,
  });
  return null;
}

function open(toEnd: () => Promise<string | null>) {
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <QueryClientProvider client={new QueryClient()}>
        <Page draft={new Draft('u', 'c')} toEnd={toEnd} />
      </QueryClientProvider>
    </TranslationProvider>,
  );
}

test('a second press while the end of the conversation is being read sends nothing', async () => {
  const ends = [Promise.withResolvers<string | null>(), Promise.withResolvers<string | null>()];
  const left = [...ends];
  open(() => left.shift()?.promise ?? Promise.resolve(null));
  const [first, second] = [sending.send('潮汐', {}, 15), sending.send('潮汐', {}, 15)];
  ends[0]?.resolve(null);
  await first;
  ends[1]?.resolve(null);
  await second;
  expect(sent.map(({ content }) => content)).toEqual(['潮汐']);
});

test('a question that failed has the same id when it is asked once more, after its conversation was left', async () => {
  open(async () => null);
  await sending.send('会不会两次？', {}, 15);
  closePage();
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  open(async () => null);
  await sending.send('会不会两次？', {}, 15);
  await sending.send('别的', {}, 15);
  const [first, again, other] = sent.map(({ id }) => id);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test('a message that waited is sent for at most the price on its button', async () => {
  open(async () => null);
  await sending.sendQueued(MODEL, 18);
  expect(sent).toMatchObject([{ content: '排队的', maxCredits: 18 }]);
});

test('a message that waited is held while it is sent, and not sent where another tab took it off', async () => {
  open(async () => {
    held.push('read the end');
    return null;
  });
  await sending.sendQueued(MODEL, 18);
  expect(held).toEqual(['hold q', 'read the end', 'let go q']);
  isThere = false;
  await sending.sendQueued(MODEL, 18);
  expect(sent).toHaveLength(1);
});

test('a second press while a message that waited is sent lets go of nothing', async () => {
  const end = Promise.withResolvers<string | null>();
  open(() => end.promise);
  const first = sending.sendQueued(MODEL, 18);
  await sending.sendQueued(MODEL, 18);
  expect(held).toEqual(['hold q']);
  end.resolve(null);
  await first;
  expect(held).toEqual(['hold q', 'let go q']);
  expect(sent).toHaveLength(1);
});

test('a file of a question that was deleted is left out when the question is asked once more', async () => {
  open(async () => null);
  const parts = ['gone', 'there'].map((fileId) => ({ kind: 'image', fileId }));
  const question = { content: '看图', parentId: null, inputParts: parts, quote: { max: 15, lines: [] } };
  const asked = [question as unknown as Message, { model: MODEL }] as const;
  expect(await sending.askBeside(...asked)).toBe(false);
  await expect.poll(() => sending.problem?.alert).toBe(zh.chat.fileLeftOut);
  await sending.askBeside(...asked);
  expect(sent.map(({ files }) => files)).toEqual([['gone', 'there'], ['there']]);
});
