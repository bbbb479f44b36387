import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileUsage } from '#contract/message/files.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { refusal } from '#test/chat/chat.ts';
import { beginUpload, readInfo, readPlainText, upload } from '#test/files/files.ts';

const MB = 1_048_576;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({
    env: { FILE_QUOTA_FREE_MB: '3', FILE_LIMIT_MB: '2' },
    fileJobs: {
      // As of a workbook in which many cells name one text.
      readFile: async (bytes) => ({ ...(await readPlainText(bytes)), text: 'a'.repeat(2 * MB) }),
    },
  });
});
afterAll(() => app.close());

test('a file whose text is longer than it counts for the text, and is refused where that has no room', async () => {
  const user = await app.signedIn();
  const read = async () => {
    const id = await upload(user, Buffer.from('few bytes'), 'sales.xlsx');
    await expect.poll(async () => (await readInfo(user, id)).state).not.toBe('reading');
    const { state, error } = await readInfo(user, id);
    return error?.code ?? state;
  };
  const used = async () => ((await (await user.get('/api/files/usage')).json()) as FileUsage).bytes;
  expect([await read(), await used()]).toEqual(['ready', 2 * MB]);
  expect([await read(), await used()]).toEqual(['file_too_complex', 2 * MB + 9]);
  expect(await refusal(await beginUpload(user, MB))).toMatchObject({ code: 'file_storage_full' });
});
