import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SendMessage } from '#contract/chat.ts';

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** What a page knows that has just been loaded. */
function load() {
  vi.resetModules();
  return import('./doubtful-messages.ts');
}

function message(conversationId: string, id: string): SendMessage {
  return { id, conversationId, parentId: null, content: '潮汐', model: 'm', maxCredits: 15 };
}

test('a message that may have arrived is known over a reload, until it is known what became of it', async () => {
  const sent = message('c', 'm');
  (await load()).noteDoubtful(sent, false);
  const next = await load();
  expect(next.doubtfulIn('c')).toEqual(sent);
  expect(next.doubtfulBeginning()).toBeUndefined();
  next.forgetDoubtful('c');
  expect((await load()).doubtfulIn('c')).toBeUndefined();
});

test('a new conversation goes on under its id where its first message may have arrived, the newest of them', async () => {
  const { noteDoubtful } = await load();
  noteDoubtful(message('one', 'a'), true);
  noteDoubtful(message('two', 'b'), true);
  noteDoubtful(message('old', 'c'), false);
  noteDoubtful(message('one', 'a'), true);
  expect((await load()).doubtfulBeginning()).toBe('one');
});

test('nothing of it is left on the device after signing out', async () => {
  const { noteDoubtful, clearDoubtful } = await load();
  noteDoubtful(message('c', 'm'), true);
  clearDoubtful();
  expect([...stored]).toEqual([]);
  expect((await load()).doubtfulIn('c')).toBeUndefined();
});
