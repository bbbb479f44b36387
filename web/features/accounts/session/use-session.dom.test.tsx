import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SendMessage } from '#contract/chat.ts';
import { closePage, draw, find, openPage, shown } from '#test/dom/page.ts';
import { doubtfulBeginning, noteDoubtful } from '#web/features/chat/messages/doubtful-messages.ts';
import { useMessages } from '#web/features/chat/messages/use-messages.ts';
import { keepChatPlace, readChatPlace } from '#web/lib/chat-place.ts';
import { readAgain } from '#web/lib/read-again.ts';
import { rememberSession, sessionQuery, useSession } from './use-session.ts';

/** Who is signed in in this browser. */
let uid: string | null = null;
const server = createServer(({ url }, response) => {
  const path = new URL(url ?? '', 'http://localhost').pathname;
  const refusal = {
    error: { code: uid === null ? 'unauthenticated' : 'not_found', message: '', params: {} },
  };
  const answers: Record<string, unknown> = {
    '/api/me': uid === null ? null : { uid },
    '/api/messages': uid === 'ann' ? MESSAGES : null,
  };
  const status = answers[path] || path === '/api/auth/get-session' ? 200 : uid === null ? 401 : 404;
  const body = status === 200 ? (answers[path] ?? (uid === null ? null : {})) : refusal;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
const MESSAGES = {
  messages: [{ id: 'm', conversationId: 'c', parentId: null, content: '安的秘密', status: 'completed' }],
  siblings: {},
  siblingsBeyond: {},
  olderCursor: null,
  newerCursor: null,
  leafId: 'm',
};

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterEach(() => {
  closePage();
  server.close();
});

function Chat() {
  const { known, state } = useMessages('c', false);
  return <p>{`${state}: ${known.messages.map(({ content }) => content).join()}`}</p>;
}

function Page() {
  const session = useSession();
  return session.state === 'signed-in' ? <Chat key={session.user.uid} /> : <p>{session.state}</p>;
}

async function drawFor(client: QueryClient, user: string): Promise<void> {
  uid = user;
  rememberSession(true);
  draw(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  );
  await find('p', 'ready: 安的秘密');
}

test('who signs in where another tab signed the former user out finds nothing of theirs', async () => {
  const client = new QueryClient();
  await drawFor(client, 'ann');
  keepChatPlace('/zh/chat/c');
  client.setQueryData(['reset-offer', 'token'], 'of a mail');
  uid = null;
  rememberSession(false);
  await readAgain(client, ['me']);
  await find('p', 'signed-out');
  expect(client.getQueryData(['messages', 'c'])).toBeUndefined();
  expect(client.getQueryData(['reset-offer', 'token'])).toBe('of a mail');
  expect(readChatPlace()).toBeNull();
  uid = 'ben';
  await readAgain(client, ['me']);
  await find('p', 'missing');
  expect(shown()).not.toContain('安的秘密');
});

test('who signed in in another tab finds nothing of the former user in this one, which was reloaded', async () => {
  await drawFor(new QueryClient(), 'ann');
  keepChatPlace('/zh/chat/c');
  noteDoubtful({ id: 'm', conversationId: 'c' } as SendMessage, true);
  uid = 'ben';
  const reloaded = new QueryClient();
  await reloaded.fetchQuery(sessionQuery);
  expect(readChatPlace()).toBeNull();
  expect(doubtfulBeginning()).toBeUndefined();
});

test('who signs in reads anew what they may use, which was read for a visitor', async () => {
  const client = new QueryClient();
  uid = null;
  draw(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  );
  await find('p', 'signed-out');
  client.setQueryData(['catalogue'], 'of a visitor');
  client.setQueryData(['sign-in-options'], 'of everyone');
  uid = 'ann';
  await readAgain(client, ['me']);
  await find('p', 'ready');
  expect(client.getQueryData(['catalogue'])).toBeUndefined();
  expect(client.getQueryData(['sign-in-options'])).toBe('of everyone');
});

test('another user at once finds nothing of the former one', async () => {
  const client = new QueryClient();
  await drawFor(client, 'ann');
  keepChatPlace('/zh/chat/c');
  const sent = { id: 'm', conversationId: 'c', parentId: null, content: '潮汐', model: 'm', maxCredits: 15 };
  noteDoubtful(sent, true);
  uid = 'ben';
  await readAgain(client, ['me']);
  await find('p', 'missing');
  expect(shown()).not.toContain('安的秘密');
  expect(readChatPlace()).toBeNull();
  expect(doubtfulBeginning()).toBeUndefined();
});
