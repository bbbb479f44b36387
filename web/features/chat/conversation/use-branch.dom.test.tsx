import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, find, openPage, shown } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { type KnownMessages, NOTHING_KNOWN } from '../messages/message-cache.ts';
import type { Messages } from '../messages/use-messages.ts';
import { type Branch, useBranch } from './use-branch.ts';

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

const IDS = ['one', 'two', 'three'];
/** Three versions of one exchange; the last one is shown at first. */
const KNOWN: KnownMessages = {
  ...NOTHING_KNOWN,
  messages: IDS.map((id, timestamp) => ({ id, parentId: null, timestamp, status: 'completed' }) as Message),
};

let branch: Branch;
/** Ends the reading of the first version, which takes long. */
let late: PromiseWithResolvers<KnownMessages>;
/** Ends the reading of what is below, which takes long in one test. */
let below: PromiseWithResolvers<{ leafId: string }> | null = null;

function Page() {
  const readMessage = async (id: string) => (id === 'one' ? late.promise : KNOWN);
  const read = async () => below?.promise ?? { leafId: 'one' };
  branch = useBranch({ known: KNOWN, read, readMessage } as unknown as Messages, null);
  return <output>{branch.turns.map(({ message }) => message.id).join()}</output>;
}

function open() {
  late = Promise.withResolvers();
  below = null;
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <Page />
    </TranslationProvider>,
  );
}

/** Lets the first version come, and what it would change be drawn. */
async function letCome(reading: Promise<boolean>): Promise<boolean> {
  late.resolve(KNOWN);
  const isShown = await reading;
  await new Promise((resolve) => setTimeout(resolve, 50));
  return isShown;
}

test('a version that comes late does not take the place of the one that was chosen after it', async () => {
  open();
  await find('output', 'three');
  const reading = branch.reveal('one');
  branch.choose('two');
  await find('output', 'two');
  expect(await letCome(reading)).toBe(false);
  expect(shown()).toBe('two');
});

test('a version that comes late does not take the place of an answer that was asked for after it', async () => {
  open();
  await find('output', 'three');
  const reading = branch.reveal('one');
  branch.release(null);
  await letCome(reading);
  expect(shown()).toBe('three');
});

test('a version is shown once it has come', async () => {
  open();
  const reading = branch.reveal('one');
  expect(await letCome(reading)).toBe(true);
  expect(shown()).toBe('one');
});

test('nothing is sent under the end of a branch that its reader left while it was read', async () => {
  open();
  const reading = branch.toEnd();
  await new Promise((resolve) => setTimeout(resolve, 50));
  branch.choose('two');
  await find('output', 'two');
  late.resolve(KNOWN);
  expect(await reading).toBeUndefined();
  expect(shown()).toBe('two');
});

test('nothing is sent under the end of a branch that its reader left before the end was known', async () => {
  open();
  below = Promise.withResolvers();
  const reading = branch.toEnd();
  branch.choose('two');
  await find('output', 'two');
  below.resolve({ leafId: 'one' });
  late.resolve(KNOWN);
  expect(await reading).toBeUndefined();
  expect(shown()).toBe('two');
});

test('whoever goes to the end while a message is sent there keeps it from nothing', async () => {
  open();
  const ends = [branch.toEnd(), branch.toEnd()];
  late.resolve(KNOWN);
  expect(await Promise.all(ends)).toEqual(['one', 'one']);
});
