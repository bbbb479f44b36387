import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionCookieName } from '#server/accounts/secrets/session-cookie.ts';
import { findMessage } from '#server/chat/message-store/store.ts';
import { userTopic } from '#server/platform/database/bus.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { send, waitForEnd } from '#test/chat/chat.ts';
import { type OpenEvents, openEvents } from '#test/events.ts';
import { insertSession } from '#test/factories.ts';
import { Tabs } from './tabs.ts';
import { signOut, type Tab, UserChannel } from './user-channel.ts';

let app: TestApp;
let beside: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  beside = await createTestApp({ beside: app });
});
afterAll(async () => {
  await beside.close();
  await app.close();
});

function messageWith(status: string, id: string) {
  return ({ event, data }: { event: string; data: Record<string, unknown> }) =>
    event === 'message' &&
    (data.message as { id: string; status: string }).id === id &&
    (data.message as { status: string }).status === status;
}

function told(tab: OpenEvents): string[] {
  return tab.received.map(({ event }) => event);
}

test('every tab, at whichever process, hears of a message, its conversation and its credits', async () => {
  const user = await app.signedIn();
  const tabs = [
    await openEvents(user, '/api/live'),
    await openEvents(beside.visit({ cookie: user.cookie }), '/api/live'),
  ];
  const conversationId = randomUUID();
  const sent = await send(user, { conversationId, content: 'Hello\nthere' });
  const ended = await waitForEnd(user, sent.id);
  for (const tab of tabs) {
    const end = await tab.next(messageWith('completed', sent.id));
    expect(end.data).toEqual({ message: ended });
    await expect.poll(() => told(tab).filter((event) => event === 'credits').length).toBe(2);
    const balances = tab.received.filter(({ event }) => event === 'credits').map(({ data }) => data);
    expect(balances).toEqual([{ credits: 32 }, { credits: 32 }]);
    const conversation = tab.received.find(({ event }) => event === 'conversation');
    expect(conversation?.data).toEqual({
      conversation: {
        id: conversationId,
        title: 'Hello',
        createdAt: sent.timestamp,
        updatedAt: sent.timestamp,
        pinnedAt: null,
        archivedAt: null,
        temporary: false,
      },
    });
    tab.close();
  }
});

test('a failed answer gives the credits back in every tab', async () => {
  const user = await app.signedIn();
  const tab = await openEvents(user, '/api/live');
  const sent = await send(user, { content: '/emulate http-400' });
  await tab.next(messageWith('failed', sent.id));
  await tab.next(({ event, data }) => event === 'credits' && data.credits === 40);
  tab.close();
});

test('nobody hears what concerns another user', async () => {
  const [user, other] = [await app.signedIn(), await app.signedIn()];
  const tab = await openEvents(other, '/api/live');
  await waitForEnd(user, (await send(user)).id);
  const own = await send(other);
  await tab.next(messageWith('completed', own.id));
  const ids = tab.received
    .filter(({ event }) => event === 'message')
    .map(({ data }) => (data.message as { userId: string }).userId);
  expect(new Set(ids)).toEqual(new Set([other.userId]));
  tab.close();
});

test('what a tab is told is bytes, so that what waits for one that does not read is counted as it is', async () => {
  const user = await app.signedIn();
  const { id } = await send(user, { content: '潮汐' });
  const message = await findMessage(app.deps.database.sql, user.userId, id);
  const channel = new UserChannel(app.deps, user.userId);
  const frames: (string | Buffer)[] = [];
  const write = (frame: string | Buffer) => frames.push(frame) > 0;
  const tab: Tab = { language: 'zh', stream: { write, end: () => {}, isInFrame: false, isOpen: true } };
  channel.tabs.add(tab);
  app.deps.bus.publish(userTopic(user.userId), { type: 'message', id }, message);
  signOut(tab);
  channel.close();
  await waitForEnd(user, id);
  expect(frames.length).toBeGreaterThan(1);
  expect(frames.filter((frame) => !Buffer.isBuffer(frame))).toEqual([]);
});

test.each([
  ['signed out is told so', true],
  ['out of time ends without a word, so that what is unsent stays', false],
])('a tab whose session is %s', async (_name, isTold) => {
  const { userId, sessionId } = await app.signedIn();
  let end: (isTold: boolean) => void = () => {};
  const follow = (_actor: unknown, onEnd: typeof end) => {
    end = onEnd;
    return () => {};
  };
  const tabs = new Tabs({ ...app.deps, sessions: { ...app.deps.sessions, follow } });
  const server = createServer((_, outgoing) => tabs.open({ userId, sessionId }, 'zh', outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  end(isTold);
  expect((await response.text()).includes('event: signed_out')).toBe(isTold);
  server.close();
});

test('signing out ends the tabs of that session, and no others', async () => {
  const user = await app.signedIn();
  const { sql } = app.database.database;
  const { cookieValue } = await insertSession(sql, user.userId, app.config.authSecret);
  const phone = app.visit({ cookie: `${sessionCookieName(app.config.publicUrl)}=${cookieValue}` });
  const [here, there, onPhone] = [
    await openEvents(user, '/api/live'),
    await openEvents(beside.visit({ cookie: user.cookie }), '/api/live'),
    await openEvents(phone, '/api/live'),
  ];
  expect((await user.post('/api/auth/sign-out', {})).status).toBe(200);
  for (const tab of [here, there]) {
    await tab.ended;
    expect(tab.received).toEqual([{ id: null, event: 'signed_out', data: {} }]);
  }
  const sent = await send(phone);
  await onPhone.next(messageWith('completed', sent.id));
  onPhone.close();
});

test('a visitor has no live stream, and a user not more than fifty', async () => {
  expect((await app.visit().get('/api/live')).status).toBe(401);
  const user = await app.signedIn();
  const tabs = await Promise.all(Array.from({ length: 50 }, () => openEvents(user, '/api/live')));
  expect((await user.get('/api/live')).status).toBe(429);
  tabs[0]?.close();
  await expect
    .poll(async () => {
      const again = await openEvents(user, '/api/live').catch(() => null);
      again?.close();
      return again !== null;
    })
    .toBe(true);
  for (const tab of tabs) tab.close();
});

test('HEAD answers without a stream', async () => {
  const user = await app.signedIn();
  expect((await user.request('/api/live', { method: 'HEAD' })).status).toBe(200);
});
