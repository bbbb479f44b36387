import { expect, test } from 'vitest';
import { READERS_AT_ONCE } from '#server/files/ingest/read-in-slot.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { countText } from './count-text.ts';

const TEXT = '第一段文字。'.repeat(50);

/** A stored file, with the times that its text was read. */
function file(sha256: string, read: () => Promise<string> = async () => TEXT) {
  const one = {
    sha256,
    reads: 0,
    text: () => {
      one.reads += 1;
      return read();
    },
  };
  return one;
}

test('the text of a file that many quotes ask for at once is read once', async () => {
  const asked = file('many-quotes');
  const counts = await Promise.all(Array.from({ length: 50 }, () => countText('reader', asked)));
  expect(new Set(counts)).toEqual(new Set([estimateTokens(TEXT)]));
  expect(asked.reads).toBe(1);
});

test('of many texts only as many as there are readers are held at once', async () => {
  let held = 0;
  let most = 0;
  const read = async () => {
    held += 1;
    most = Math.max(most, held);
    await new Promise(setImmediate);
    held -= 1;
    return TEXT;
  };
  const owners = ['one', 'another', 'a third'];
  await Promise.all(
    Array.from({ length: 60 }, (_, place) => countText(owners[place % 3] ?? '', file(`text-${place}`, read))),
  );
  expect(most).toBe(READERS_AT_ONCE);
});

test('a text that could not be read is read again', async () => {
  const failing = file('gone', () => Promise.reject(new Error('it was deleted')));
  await expect(countText('reader', failing)).rejects.toThrow('it was deleted');
  expect(await countText('reader', file('gone'))).toBe(estimateTokens(TEXT));
});
