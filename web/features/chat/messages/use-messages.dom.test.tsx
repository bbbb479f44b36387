import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BranchPage, Message } from '#contract/chat.ts';
import { closePage, draw, find, openPage } from '#test/dom/page.ts';
import { readAgain } from '#web/lib/read-again.ts';
import { messagesKey } from './message-cache.ts';
import { useMessages } from './use-messages.ts';

const PAGE: BranchPage = {
  messages: [
    { id: 'm', conversationId: 'c', parentId: null, content: '潮汐', status: 'completed' } as Message,
  ],
  siblings: {},
  siblingsBeyond: {},
  olderCursor: null,
  newerCursor: null,
  leafId: 'm',
};

let isDeleted = false;
const server = createServer((_, response) => {
  const body = isDeleted ? { error: { code: 'not_found', message: '', params: {} } } : PAGE;
  response.writeHead(isDeleted ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

beforeEach(async () => {
  isDeleted = false;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterEach(() => {
  closePage();
  server.close();
});

function Shown() {
  const { state, known } = useMessages('c', false);
  return <p>{`${state}: ${known.messages.map(({ content }) => content).join()}`}</p>;
}

test('what is known of a conversation is not shown once the server no longer has it', async () => {
  const client = new QueryClient();
  draw(
    <QueryClientProvider client={client}>
      <Shown />
    </QueryClientProvider>,
  );
  await find('p', 'ready: 潮汐');
  isDeleted = true;
  await readAgain(client, messagesKey('c'));
  expect((await find('p', 'missing')).textContent).toBe('missing: ');
});
