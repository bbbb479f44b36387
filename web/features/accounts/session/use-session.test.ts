import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { sessionQuery } from './use-session.ts';

afterEach(() => vi.unstubAllGlobals());

function signedIn(uid: string) {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ uid })),
  );
}

test('another user in the place of one finds nothing of theirs in the page', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  signedIn('ann');
  await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
  client.setQueryData(['messages', 'c'], { messages: ['of Ann'] });
  await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
  expect(client.getQueryData(['messages', 'c'])).toBeDefined();
  signedIn('ben');
  await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
  expect(client.getQueryData(['me'])).toEqual({ uid: 'ben' });
  expect(client.getQueryData(['messages', 'c'])).toBeUndefined();
});
