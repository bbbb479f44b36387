import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, openPage } from '#test/dom/page.ts';
import { sendMessage } from './send-message.ts';

let asked = 0;
/** Called when a message comes, which is never answered. */
let whenAsked = () => {};
const server = createServer((request) => {
  asked += 1;
  whenAsked();
  request.socket.destroy();
});

beforeEach(async () => {
  asked = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  closePage();
  server.close();
});

const MESSAGE = { id: 'm', conversationId: 'c', parentId: null, content: '潮汐', model: 'm', maxCredits: 15 };

test.each([
  ['signs out', null],
  ['signs out, and another one signs in', { uid: 'ben' }],
])('a message without an answer is not sent again once its user %s', async (_, next) => {
  const client = new QueryClient();
  client.setQueryData(['me'], { uid: 'ann' });
  whenAsked = () => client.setQueryData(['me'], next);
  await expect(sendMessage(client, MESSAGE)).rejects.toMatchObject({ code: 'network' });
  expect(asked).toBe(1);
});
