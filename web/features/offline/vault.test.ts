import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OFFLINE_KEY_COOKIE } from '#contract/choices.ts';
import { messagesCopy } from './copy-names.ts';

const NAME = messagesCopy('0196a000-0000-7000-8000-000000000001');

/** The vault as a tab of its own has it. */
async function openTab(): Promise<typeof import('./vault.ts')> {
  vi.resetModules();
  return import('./vault.ts');
}

/** Somebody signs in, in whichever tab: the session's half of the key is another one. */
function signIn(key: string) {
  vi.stubGlobal('document', { cookie: `${OFFLINE_KEY_COOKIE}=${key}` });
}

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('what is kept is read again by its owner, also in a page that starts without a network', async () => {
  signIn('a');
  const tab = await openTab();
  expect(await tab.openVault('ada')).toBe(true);
  await tab.keepCopy('ada', NAME, ['hello']);
  expect(await tab.readCopy(NAME)).toEqual(['hello']);
  expect(await (await openTab()).readCopy(NAME)).toEqual(['hello']);
});

test('what a tab keeps late, after another user signed in beside it, is not put among the copies of that user', async () => {
  signIn('a');
  const first = await openTab();
  await first.openVault('ada');
  await first.keepCopy('ada', NAME, ['of Ada']);
  signIn('b');
  const second = await openTab();
  await second.openVault('ben');
  expect(await second.readCopy(NAME)).toBeUndefined();
  await first.keepCopy('ada', NAME, ['of Ada, late']);
  expect(await second.readCopy(NAME)).toBeUndefined();
  expect(await second.listCopies()).toEqual([]);
});

test('a tab shows no copies of a user who signed in beside it', async () => {
  signIn('a');
  const first = await openTab();
  await first.openVault('ada');
  signIn('b');
  const second = await openTab();
  await second.openVault('ben');
  await second.keepCopy('ben', NAME, ['of Ben']);
  expect(await first.readCopy(NAME)).toBeUndefined();
  expect(await second.readCopy(NAME)).toEqual(['of Ben']);
  const started = await openTab();
  expect(await started.readCopy(NAME)).toEqual(['of Ben']);
  signIn('a');
  await first.openVault('ada');
  await first.keepCopy('ada', NAME, ['of Ada']);
  expect(await started.readCopy(NAME)).toBeUndefined();
});
