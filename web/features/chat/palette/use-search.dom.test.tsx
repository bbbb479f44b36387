import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, draw, openPage } from '#test/dom/page.ts';
import { type Search, useSearch } from './use-search.ts';

/** Finds one message for each question, once the test lets it. */
let answered = Promise.resolve();
const server = createServer(async ({ url = '' }, response) => {
  await answered;
  const words = new URL(url, 'http://host').searchParams.get('q');
  const hit = { where: 'text', messageId: words, conversation: { id: 'c' } };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ hits: [hit], nextCursor: null }));
});

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  closePage();
  server.close();
});

let search: Search;
let type: (text: string) => void;
function Box() {
  const [text, setText] = useState('潮汐');
  type = setText;
  search = useSearch(text);
  return null;
}

test('what was found for the words before is shown, and known to be so, until the new ones are found', async () => {
  draw(
    <QueryClientProvider client={new QueryClient()}>
      <Box />
    </QueryClientProvider>,
  );
  const state = () => [search.hits[0]?.messageId, search.isStale, search.state];
  await expect.poll(state).toEqual(['潮汐', false, 'found']);
  const answer = Promise.withResolvers<void>();
  answered = answer.promise;
  type('预算');
  await expect.poll(state).toEqual(['潮汐', true, 'searching']);
  answer.resolve();
  await expect.poll(state).toEqual(['预算', false, 'found']);
});
