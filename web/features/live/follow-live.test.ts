import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import type { Conversation, ConversationPage, Message } from '#contract/chat.ts';
import { PATIENT } from '#test/patient.ts';
import { conversationsKey } from '#web/features/chat/list/conversation-cache.ts';
import { type KnownMessages, messagesKey, NOTHING_KNOWN } from '#web/features/chat/messages/message-cache.ts';
import { ApiError } from '#web/lib/api.ts';
import { applyLiveEvent, readMissed } from './follow-live.ts';

const USER = { uid: 'u', credits: 40, subscription: null } as UserRecord;
const MESSAGE = { id: 'm', conversationId: 'c', status: 'running', timestamp: 1 } as Message;
const conversation = (id: string, updatedAt: number): Conversation => ({
  id,
  updatedAt,
  createdAt: 0,
  title: id,
  pinnedAt: null,
  archivedAt: null,
  temporary: false,
});

function page(): QueryClient {
  const client = new QueryClient();
  client.setQueryData(['me'], USER);
  client.setQueryData(messagesKey('c'), NOTHING_KNOWN);
  client.setQueryData(conversationsKey, { conversations: [conversation('c', 5)], nextCursor: null });
  return client;
}

const titles = (client: QueryClient) =>
  client.getQueryData<ConversationPage>(conversationsKey)?.conversations.map(({ id }) => id);

test('credits and the plan change the user on screen', () => {
  const client = page();
  applyLiveEvent(client, { type: 'credits', data: { credits: 25 } });
  expect(client.getQueryData(['me'])).toMatchObject({ uid: 'u', credits: 25 });
});

test('credits told while the user is being read are not overwritten by what was read before', async () => {
  const client = page();
  const readings: ((user: UserRecord) => void)[] = [];
  const observer = new QueryObserver<UserRecord>(client, {
    queryKey: ['me'],
    queryFn: () => new Promise((answer) => readings.push(answer)),
  });
  observer.subscribe(() => {});
  await vi.waitFor(() => expect(readings).toHaveLength(1), PATIENT);
  applyLiveEvent(client, { type: 'credits', data: { credits: 1_540 } });
  await vi.waitFor(() => expect(readings).toHaveLength(2), PATIENT);
  readings[0]?.(USER);
  readings[1]?.({ ...USER, credits: 1_540 });
  await vi.waitFor(() => expect(client.isFetching()).toBe(0), PATIENT);
  expect(client.getQueryData(['me'])).toMatchObject({ credits: 1_540 });
});

test('a message told while its conversation is read for the first time has it read again', async () => {
  const client = page();
  const readings: ((known: KnownMessages) => void)[] = [];
  const observer = new QueryObserver<KnownMessages>(client, {
    queryKey: messagesKey('new'),
    queryFn: () => new Promise((answer) => readings.push(answer)),
  });
  observer.subscribe(() => {});
  await vi.waitFor(() => expect(readings).toHaveLength(1), PATIENT);
  const message = { ...MESSAGE, conversationId: 'new' };
  applyLiveEvent(client, { type: 'message', data: { message } });
  await vi.waitFor(() => expect(readings).toHaveLength(2), PATIENT);
  readings[0]?.(NOTHING_KNOWN);
  readings[1]?.({ ...NOTHING_KNOWN, messages: [message] });
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.messages).toEqual([message]), PATIENT);
});

test('what another tab changed before the channel stood is read again, and the messages of no other conversation', async () => {
  const client = page();
  client.setQueryData(messagesKey('d'), NOTHING_KNOWN);
  const old = [conversation('c', 5), conversation('d', 4)];
  client.setQueryData(conversationsKey, { conversations: old, nextCursor: null });
  const conversations = [{ ...conversation('c', 9), title: 'renamed' }, ...old.slice(1)];
  const reading: string[] = [];
  const answers = new Map<readonly string[], unknown>([
    [conversationsKey, { conversations, nextCursor: null }],
    [messagesKey('c'), { ...NOTHING_KNOWN, messages: [MESSAGE] }],
    [messagesKey('d'), NOTHING_KNOWN],
  ]);
  for (const [queryKey, answer] of answers) {
    const queryFn = async () => {
      reading.push(queryKey.join());
      return answer;
    };
    new QueryObserver(client, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY }).subscribe(() => {});
  }
  expect(reading).toEqual([]);
  await readMissed(client);
  expect(client.getQueryData(conversationsKey)).toMatchObject({ conversations });
  expect(client.getQueryData<KnownMessages>(messagesKey('c'))?.messages).toEqual([MESSAGE]);
  expect(reading).toEqual(['conversations,current', 'messages,c']);
});

test('messages on screen are read again where their conversation is not in the list, before the channel stood', async () => {
  const client = page();
  const reading: string[] = [];
  const watch = (queryKey: readonly string[], queryFn: () => unknown) =>
    new QueryObserver(client, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY, retry: false });
  const gone = watch(messagesKey('c'), () => {
    reading.push('c');
    throw new ApiError('not_found', {}, 404);
  });
  gone.subscribe(() => {});
  watch(conversationsKey, () => ({ conversations: [], nextCursor: null })).subscribe(() => {});
  await readMissed(client);
  expect(reading).toEqual(['c']);
  expect(gone.getCurrentResult().error).toMatchObject({ code: 'not_found' });
});

test('a new name or picture changes the user on screen', () => {
  const client = page();
  applyLiveEvent(client, { type: 'profile', data: { displayName: 'Ada', photoURL: '/api/pictures/x' } });
  expect(client.getQueryData(['me'])).toMatchObject({
    uid: 'u',
    displayName: 'Ada',
    photoURL: '/api/pictures/x',
  });
});

test('a model that is paused changes in the menu, and again once it is resumed', () => {
  const client = page();
  const models = [
    { id: 'a', paused: false },
    { id: 'b', paused: false },
  ];
  client.setQueryData(['catalogue'], { defaultModel: 'a', models });
  applyLiveEvent(client, { type: 'models', data: { paused: ['b'] } });
  expect(client.getQueryData(['catalogue'])).toEqual({
    defaultModel: 'a',
    models: [
      { id: 'a', paused: false },
      { id: 'b', paused: true },
    ],
  });
  applyLiveEvent(client, { type: 'models', data: { paused: [] } });
  expect(client.getQueryData(['catalogue'])).toEqual({ defaultModel: 'a', models });
});

test('nobody signed in stays nobody', () => {
  const client = page();
  client.setQueryData(['me'], null);
  applyLiveEvent(client, { type: 'credits', data: { credits: 25 } });
  expect(client.getQueryData(['me'])).toBeNull();
});

test('a message goes into its conversation where that is open, and nowhere else', () => {
  const client = page();
  applyLiveEvent(client, { type: 'message', data: { message: MESSAGE } });
  applyLiveEvent(client, { type: 'message', data: { message: { ...MESSAGE, conversationId: 'other' } } });
  expect(client.getQueryData<KnownMessages>(messagesKey('c'))?.messages).toEqual([MESSAGE]);
  expect(client.getQueryData(messagesKey('other'))).toBeUndefined();
});

test('a conversation is listed by its last change and once', () => {
  const client = page();
  applyLiveEvent(client, { type: 'conversation', data: { conversation: conversation('d', 9) } });
  applyLiveEvent(client, { type: 'conversation', data: { conversation: conversation('c', 7) } });
  expect(titles(client)).toEqual(['d', 'c']);
});

test('a deleted conversation takes its messages along', () => {
  const client = page();
  applyLiveEvent(client, { type: 'conversation_deleted', data: { id: 'c', restorableUntil: 9 } });
  expect(titles(client)).toEqual([]);
  expect(client.getQueryData(messagesKey('c'))).toBeUndefined();
});

test('signing out elsewhere leaves nothing of the user on the page', () => {
  const client = page();
  applyLiveEvent(client, { type: 'signed_out', data: {} });
  expect(client.getQueryData(['me'])).toBeNull();
  expect(client.getQueryCache().getAll()).toHaveLength(1);
});

test('signing out elsewhere leaves what a mailed link shows on screen, which cannot be read again', () => {
  const client = page();
  const onScreen = ['reset-offer', 'on screen'];
  const before = ['reset-offer', 'before'];
  for (const queryKey of [onScreen, before]) client.setQueryData(queryKey, 'of a mail');
  const observer = new QueryObserver(client, { queryKey: onScreen, staleTime: Number.POSITIVE_INFINITY });
  const leave = observer.subscribe(() => {});
  applyLiveEvent(client, { type: 'signed_out', data: {} });
  expect([client.getQueryData(onScreen), client.getQueryData(before)]).toEqual(['of a mail', undefined]);
  leave();
});
