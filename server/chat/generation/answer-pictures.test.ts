import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { READERS_AT_ONCE } from '#server/files/ingest/read-in-slot.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { picture } from '#test/chat/files.ts';
import type { MessageRow } from '../message-store/store.ts';
import type { AnswerMetadata } from '../upstream/transport/upstream.ts';
import { AnswerPictures } from './answer-pictures.ts';
import { Run } from './run.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('a stop while a plot waits to be looked through leaves what is known of the answer, the searches that ran too', async () => {
  const { userId } = await app.signedIn();
  const data = await picture();
  const starts = Array.from({ length: READERS_AT_ONCE + 1 }, () => {
    const message = { id: newId(), userId, model: 'parley-flash', content: '' } as MessageRow;
    const run = new Run(message, { onWaiting: () => {}, onEvent: () => {} });
    const pictures = new AnswerPictures(app.deps, run);
    pictures.add({ kind: 'picture', n: 0, data });
    return { run, pictures };
  });
  await setImmediate();
  for (const { run } of starts) run.stop('stopped');
  const metadata = { searches: 2, kept: null } as AnswerMetadata;
  for (const { pictures } of starts) {
    await pictures.settle();
    expect(pictures.nameIn(metadata)).toEqual(metadata);
  }
});
