import { QueryClient } from '@tanstack/react-query';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OFFLINE_KEY_COOKIE } from '#contract/choices.ts';

const KEY = ['catalogue'];

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('document', { cookie: `${OFFLINE_KEY_COOKIE}=a` });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page of a device that keeps a copy; each reading takes the next of the answers, null where no answer comes. */
async function openPage(answers: (string | null)[]) {
  vi.resetModules();
  const { openVault, keepCopy } = await import('./vault.ts');
  const { noteReached } = await import('./network-state.ts');
  const { orCopy } = await import('./or-copy.ts');
  const { ApiError } = await import('#web/lib/api.ts');
  await openVault('ada');
  await keepCopy('ada', 'catalogue', 'a copy');
  const client = new QueryClient();
  const answer = async () => {
    const next = answers.shift() ?? null;
    if (next === null) throw new ApiError('network');
    return next;
  };
  const read = (retry: number) =>
    client.fetchQuery({
      queryKey: KEY,
      queryFn: (context) => orCopy('catalogue', context, answer),
      retry,
      retryDelay: 0,
    });
  return { client, read, isCopyShown: noteReached };
}

test('where no answer comes and nothing is known, the copy is shown', async () => {
  const { read, isCopyShown } = await openPage([null]);
  expect(await read(0)).toBe('a copy');
  expect(isCopyShown()).toBe(true);
});

test('what is known is not replaced by an older copy where no answer comes', async () => {
  const { client, read, isCopyShown } = await openPage([null]);
  client.setQueryData(KEY, 'known');
  await expect(read(0)).rejects.toMatchObject({ code: 'network' });
  expect(client.getQueryData(KEY)).toBe('known');
  expect(isCopyShown()).toBe(false);
});

test('what is known is read again where no answer comes', async () => {
  const { client, read } = await openPage([null, 'newer']);
  client.setQueryData(KEY, 'known');
  expect(await read(1)).toBe('newer');
});
