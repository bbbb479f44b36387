import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { MemoryRouter, type NavigateFunction, Route, Routes, useLocation, useNavigate } from 'react-router';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { SendMessage } from '#contract/chat.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, openPage, shown } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { Draft } from '../composer/draft.ts';
import { useDelivery } from '../conversation/use-delivery.ts';
import { clearDoubtful, noteDoubtful } from '../messages/doubtful-messages.ts';
import { type Temporary, useConversationOnScreen, useTemporary } from './use-conversation-on-screen.ts';

const server = createServer((_, response) => {
  const body = JSON.stringify({ conversations: [], nextCursor: null });
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
});
let client: QueryClient;

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client = new QueryClient();
});
afterEach(async () => {
  await vi.waitFor(() => expect(client.isFetching()).toBe(0), PATIENT);
  closePage();
  server.close();
});

let navigate: NavigateFunction;
/** The conversation on screen, and what is called when its message has arrived. */
let id: string;
let arrived: (message: SendMessage) => void;
let temporary: Temporary;

function Screen() {
  navigate = useNavigate();
  const { search } = useLocation();
  const screen = useConversationOnScreen();
  id = screen.id;
  temporary = useTemporary(screen.id, screen.isNew);
  return (
    <>
      <p>{screen.isNew ? `new${search}` : screen.id}</p>
      <Conversation key={screen.id} conversationId={screen.id} />
    </>
  );
}

const NOTHING = { messages: [], pause: null, beginPause: () => {} };

function Conversation({ conversationId }: { conversationId: string }) {
  const [draft] = useState(() => new Draft('u', conversationId));
  const delivery = useDelivery({ ...NOTHING, conversationId, draft });
  arrived = delivery.arrived;
  return null;
}

/** Opens `/chat`, and returns the id of the conversation that may begin there. */
function open(): string {
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={['/zh/chat']}>
          <Routes>
            <Route path="/:lang/chat/:conversationId?" element={<Screen />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </TranslationProvider>,
  );
  return id;
}

/** Goes on to an address under `/chat`, and waits until it is on screen. */
async function go(address: string, words: string): Promise<void> {
  await navigate(`/zh/chat${address}`);
  await vi.waitFor(() => expect(shown()).toBe(words), PATIENT);
}

const messageIn = (conversationId: string) => ({ id: 'm', conversationId, content: '潮汐' }) as SendMessage;

test('a new chat is another one once the first message of the last one arrived behind another', async () => {
  const first = open();
  const sent = arrived;
  await go('/other', 'other');
  sent(messageIn(first));
  await go('', 'new');
  expect(id).not.toBe(first);
});

test('a new chat whose message did not arrive is the same one, so that it is charged once', async () => {
  const first = open();
  await go('/other', 'other');
  await go('', 'new');
  expect(id).toBe(first);
});

test('a conversation that begins on screen stays the same until it is left', async () => {
  const first = open();
  arrived(messageIn(first));
  await go('?again', 'new?again');
  expect(id).toBe(first);
  await go(`/${first}`, first);
  await go('/other', 'other');
  await go('', 'new');
  expect(id).not.toBe(first);
});

test('a new chat whose message may have arrived is as temporary after a reload as it was', () => {
  onTestFinished(clearDoubtful);
  noteDoubtful({ ...messageIn('plain'), temporary: false }, true);
  expect([open(), temporary.on]).toEqual(['plain', false]);
  closePage();
  noteDoubtful({ ...messageIn('passing'), temporary: true }, true);
  expect([open(), temporary.on]).toEqual(['passing', true]);
});
