import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileText, MAX_FILE_PREVIEW } from '#contract/message/files.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { refusal } from '#test/chat/chat.ts';
import { insertFile, readInfo, readPlainText, someBytes, upload } from '#test/files/files.ts';
import { IS_LONG } from '#test/runs.ts';
import { readContent, readThumbnail } from './state/read-content.ts';
import { readReadyFile } from './state/read-own-file.ts';
import { readTextPreview } from './state/read-text-preview.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ fileJobs: { readFile: readPlainText } });
});
afterAll(() => app.close());

const sql = () => app.database.database.sql;

describe('the content of a file', () => {
  it('is a download that no browser opens here, whatever is in it', async () => {
    const user = await app.signedIn();
    const page = Buffer.from('<script>alert(1)</script>');
    const id = await insertFile(sql(), user.userId, { bytes: page, name: '合同 (1)’s "x".html' });
    const answer = await user.get(`/api/files/${id}/content`);
    expect(await answer.text()).toBe(page.toString());
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(page.length),
      'content-disposition':
        'attachment; filename="file"; filename*=UTF-8\'\'%E5%90%88%E5%90%8C%20%281%29%E2%80%99s%20%22x%22.html',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    });
  });

  it.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-100', 206, '56789', 'bytes 5-9/10'],
    ['bytes=-100', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=3-1', 200, '0123456789', null],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['lines=0-1', 200, '0123456789', null],
  ])('is answered to %s with %i', async (range, status, text, contentRange) => {
    const user = await app.signedIn();
    const id = await insertFile(sql(), user.userId, { bytes: Buffer.from('0123456789') });
    const answer = await user.request(`/api/files/${id}/content`, { headers: { range } });
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ]);
  });

  it('has no range after its end', async () => {
    const user = await app.signedIn();
    const id = await insertFile(sql(), user.userId, { bytes: Buffer.from('0123456789') });
    const answer = await user.request(`/api/files/${id}/content`, { headers: { range: 'bytes=10-' } });
    expect(answer.headers.get('content-range')).toBe('bytes */10');
    expect(await refusal(answer)).toMatchObject({ status: 416, code: 'range_unsatisfiable' });
  });

  it.runIf(IS_LONG)('breaks off where the file is deleted while it is read', async () => {
    const user = await app.signedIn();
    const id = await upload(user, someBytes(8 * 1_048_576));
    await expect.poll(async () => (await readInfo(user, id)).state).toBe('ready');
    const answer = await user.get(`/api/files/${id}/content`);
    const reader = answer.body?.getReader();
    await reader?.read();
    expect((await user.delete(`/api/files/${id}`)).status).toBe(204);
    const readAll = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(readAll()).rejects.toThrow();
  });
});

describe('the text of a file', () => {
  it('is cut between two characters where it is long', async () => {
    const user = await app.signedIn();
    const text = `a${'🙂'.repeat(MAX_FILE_PREVIEW)}`;
    const id = await upload(user, Buffer.from(text));
    await expect.poll(async () => (await readInfo(user, id)).state).toBe('ready');
    const found = (await (await user.get(`/api/files/${id}/text`)).json()) as FileText;
    expect(found.isCut).toBe(true);
    expect(found.text.length).toBe(MAX_FILE_PREVIEW - 1);
    expect(text.startsWith(found.text)).toBe(true);
    expect(found.text.isWellFormed()).toBe(true);
  });

  it('is not taken for whole where the file is deleted while it is read', async () => {
    const user = await app.signedIn();
    const id = await upload(user, someBytes(1_100_000));
    await expect.poll(async () => (await readInfo(user, id)).state).toBe('ready');
    const file = await readReadyFile(app.deps, user.userId, id);
    const pieces = readContent(app.deps, file, 'text');
    expect((await pieces.next()).done).toBe(false);
    expect((await user.delete(`/api/files/${id}`)).status).toBe(204);
    await expect(pieces.next()).rejects.toMatchObject({ code: 'file_deleted' });
  });

  it('and its small picture are of a deleted file where that is deleted before they are read', async () => {
    const user = await app.signedIn();
    const id = await insertFile(sql(), user.userId);
    const file = await readReadyFile(app.deps, user.userId, id);
    expect((await readTextPreview(app.deps, file)).text).toBe('text');
    expect((await readThumbnail(app.deps, file)).toString()).toBe('picture');
    expect((await user.delete(`/api/files/${id}`)).status).toBe(204);
    for (const read of [readTextPreview, readThumbnail])
      await expect(read(app.deps, file)).rejects.toMatchObject({ code: 'file_deleted' });
  });
});

describe('a file of another user', () => {
  it('is as one that never was', async () => {
    const [user, stranger] = [await app.signedIn(), await app.signedIn()];
    const id = await insertFile(sql(), user.userId);
    for (const part of ['', '/content', '/thumbnail', '/text']) {
      const [mine, none] = await Promise.all([
        stranger.get(`/api/files/${id}${part}`),
        stranger.get(`/api/files/00000000-0000-7000-8000-000000000000${part}`),
      ]);
      expect([mine.status, await mine.text()]).toEqual([404, await none.text()]);
    }
    expect((await stranger.delete(`/api/files/${id}`)).status).toBe(404);
    expect((await user.get(`/api/files/${id}`)).status).toBe(200);
  });
});
