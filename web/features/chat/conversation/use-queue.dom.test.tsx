import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { Draft } from '../composer/draft.ts';
import { addQueued, deleteQueued, takeQueue } from '../queue/queue-store.ts';
import { useQueue } from './use-queue.ts';

/** Paths that the server knows; it knows no message. */
let known = new Set<string>();
let asked: string[] = [];
const server = createServer(({ url = '' }, response) => {
  asked.push(url);
  const isKnown = known.has(url);
  const body = isKnown
    ? { id: 'there', running: [] }
    : { error: { code: 'not_found', message: '', params: {} } };
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

let draft: Draft;

beforeEach(async () => {
  known = new Set(['/api/conversations/running']);
  asked = [];
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
  useQueue({
    ...{ userId: 'u', conversationId: 'shown', messages: [], isLoaded: true, underWay: null, models: [] },
    ...{ credits: 40, isPaused: false, beginPause: () => {} },
    ...{ isNew: true, draft },
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
