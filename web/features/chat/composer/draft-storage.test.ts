import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const USER = 'user';
const NEW = 'new';
const MINUTE_MS = 60_000;
/** The ids of tabs that look open. */
let open: string[];

class FakeStorage {
  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? ((this as unknown as Record<string, string>)[key] ?? null) : null;
  }
  setItem(key: string, value: string) {
    Object.assign(this, { [key]: value });
  }
  removeItem(key: string) {
    Reflect.deleteProperty(this, key);
  }
}

beforeEach(() => {
  open = [];
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 26) });
  vi.stubGlobal('localStorage', new FakeStorage());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The module as a tab of that id has it, new or loaded anew. */
async function load(id: string) {
  vi.resetModules();
  const session = new FakeStorage();
  session.setItem('chat.tab', id);
  vi.stubGlobal('sessionStorage', session);
  const locks = {
    request: () => Promise.resolve(),
    query: async () => ({ held: open.map((name) => ({ name: `chat.tab.${name}` })), pending: [] }),
  };
  vi.stubGlobal('navigator', { locks });
  return import('./draft-storage.ts');
}

const draft = (text: string) => ({ text, files: [] });

const always = () => true;

test('the draft of a closed tab is taken over once', async () => {
  const closed = await load('closed');
  closed.saveDraft(USER, NEW, draft('unsent'));
  open = ['next'];
  const next = await load('next');
  expect(await next.adoptDraft(USER, NEW, always)).toEqual(draft('unsent'));
  open = ['next', 'third'];
  expect(await (await load('third')).adoptDraft(USER, NEW, always)).toEqual(draft(''));
});

test('the draft of an open tab is left alone', async () => {
  (await load('mine')).saveDraft(USER, NEW, draft('mine'));
  open = ['mine', 'next'];
  expect(await (await load('next')).adoptDraft(USER, NEW, always)).toEqual(draft(''));
});

test('a tab that was loaded anew while another one looked still has its draft, and for a minute alone', async () => {
  (await load('mine')).saveDraft(USER, NEW, draft('mine'));
  open = ['next'];
  expect(await (await load('next')).adoptDraft(USER, NEW, always)).toEqual(draft('mine'));
  const mine = await load('mine');
  expect(mine.readDraft(USER, NEW)).toEqual(draft('mine'));
  vi.advanceTimersByTime(MINUTE_MS);
  expect(mine.readDraft(USER, NEW)).toEqual(draft(''));
  mine.clearOldDrafts();
  expect(Object.keys(localStorage)).toEqual([`chat.draft.${USER}.${NEW}.next`]);
});

test('what is written in a tab that was loaded anew is its own again', async () => {
  (await load('mine')).saveDraft(USER, NEW, draft('mine'));
  open = ['next'];
  await (await load('next')).adoptDraft(USER, NEW, always);
  const mine = await load('mine');
  mine.saveDraft(USER, NEW, draft('mine, and more'));
  vi.advanceTimersByTime(2 * MINUTE_MS);
  expect(mine.readDraft(USER, NEW)).toEqual(draft('mine, and more'));
});

test('a question that is edited is there again after the page was left, until it is sent or its user signs out', async () => {
  const tab = await load('mine');
  tab.editsOf(USER).set('m', '换个问法');
  tab.editsOf(USER).set('n', '另一个');
  const again = await load('mine');
  expect(again.editsOf(USER).get('m')).toBe('换个问法');
  again.editsOf(USER).delete('m');
  expect([again.editsOf(USER).has('m'), again.editsOf(USER).has('n')]).toEqual([false, true]);
  again.clearDrafts();
  expect(again.editsOf(USER).has('n')).toBe(false);
});

test('a question that was edited in a tab that was closed is edited in the next one, unless it is there already', async () => {
  (await load('closed')).editsOf(USER).set('m', '换个问法');
  open = ['next'];
  const next = (await load('next')).editsOf(USER);
  next.set('n', '另一个');
  expect([await next.adopt('m'), await next.adopt('m'), await next.adopt('n')]).toEqual([true, false, false]);
  expect([next.get('m'), next.get('n')]).toEqual(['换个问法', '另一个']);
  next.delete('m');
  expect(await next.adopt('m')).toBe(false);
  expect(await (await load('next')).editsOf(USER).adopt('m')).toBe(false);
});
