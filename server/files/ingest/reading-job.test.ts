import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileInfo, FileText } from '#contract/message/files.ts';
import type { FileJobs } from '#server/files/jobs.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { FakeClock } from '#test/fake-clock.ts';
import {
  beginUpload,
  idOf,
  readInfo,
  readPlainText,
  sendPiece,
  sha256Of,
  upload,
} from '#test/files/files.ts';
import { FileFault } from '../reading/reading-rules.ts';
import { READERS_AT_ONCE } from './read-in-slot.ts';
import { leaseReading, runReading } from './run-reading.ts';

let app: TestApp;
/** What the reader of a test does with files of this text instead of reading them. */
const instead = new Map<string, FileJobs['readFile']>();
const reads: string[] = [];
const readFile: FileJobs['readFile'] = (bytes, options) => {
  const text = bytes.toString('utf8');
  reads.push(text);
  return (instead.get(text) ?? readPlainText)(bytes, options);
};
const clock = new FakeClock();
beforeAll(async () => {
  app = await createTestApp({ clock, fileJobs: { readFile } });
});
afterAll(() => app.close());

type User = Awaited<ReturnType<TestApp['signedIn']>>;
const settled = (client: User, id: string) =>
  expect.poll(async () => (await readInfo(client, id)).state).toMatch(/ready|failed/);
const { promise: never } = Promise.withResolvers<never>();

describe('a file that was uploaded', () => {
  it('is read, and says what was found in it', async () => {
    const client = await app.signedIn();
    const id = await upload(client, Buffer.from('你好，文件'), '合同.txt');
    await settled(client, id);
    const info = await readInfo(client, id);
    expect(info).toEqual({
      id,
      name: '合同.txt',
      type: 'text/plain',
      bytes: 15,
      sha256: sha256Of(Buffer.from('你好，文件')),
      state: 'ready',
      ...{ pages: null, width: null, height: null, tokens: 2 },
      ...{ hasText: true, hasThumbnail: false, everyTurn: true, keepsPlace: false, error: null },
      createdAt: expect.any(Number),
    });
    const text = (await (await client.get(`/api/files/${id}/text`)).json()) as FileText;
    expect(text).toEqual({ text: '你好，文件', isCut: false });
  });

  it('that cannot be read says why, in the language of who asks, and is not served', async () => {
    const client = await app.signedIn();
    const id = await upload(client, Buffer.from('a\0b'), 'broken.pdf');
    await settled(client, id);
    const inChinese = await readInfo(client, id);
    expect(inChinese).toMatchObject({
      state: 'failed',
      error: { code: 'file_unreadable', message: expect.stringContaining('无法读取“broken.pdf”') },
    });
    const answer = await client.request(`/api/files/${id}`, { headers: { 'accept-language': 'en' } });
    expect(((await answer.json()) as FileInfo).error?.message).toContain('can’t be read');
    const content = await client.get(`/api/files/${id}/content`);
    expect([content.status, ((await content.json()) as ErrorBody).error.code]).toEqual([
      422,
      'file_unreadable',
    ]);
  });

  it('is stored as the reader gives it back, and its hash is that of what is stored', async () => {
    const client = await app.signedIn();
    const stored = Buffer.from('without the place');
    const thumbnail = Buffer.from('a small picture');
    instead.set('with the place', async (bytes) => ({
      ...(await readPlainText(bytes)),
      ...{ type: 'image/jpeg', width: 30, height: 20, content: stored, thumbnail, text: '', hasText: false },
    }));
    const id = await upload(client, Buffer.from('with the place'), 'photo.jpg');
    await settled(client, id);
    expect(await readInfo(client, id)).toMatchObject({
      ...{
        type: 'image/jpeg',
        bytes: stored.length,
        sha256: sha256Of(stored),
        hasThumbnail: true,
        width: 30,
      },
      hasText: false,
    });
    expect(await (await client.get(`/api/files/${id}/content`)).text()).toBe(stored.toString());
    // Who lost the answer to the last piece sees by this that the server has the whole.
    const { headers } = await client.request(`/api/files/${id}`, { method: 'HEAD' });
    expect([headers.get('upload-offset'), headers.get('upload-length')]).toEqual(['17', '17']);
    const shown = await client.get(`/api/files/${id}/thumbnail`);
    expect([shown.headers.get('content-type'), await shown.text()]).toEqual([
      'image/webp',
      thumbnail.toString(),
    ]);
    expect(await (await client.get(`/api/files/${id}/text`)).json()).toEqual({ text: '', isCut: false });
    const asked = () =>
      client.request(`/api/files/${id}/thumbnail`, {
        headers: { 'if-none-match': shown.headers.get('etag') ?? '' },
      });
    expect([shown.headers.get('cache-control'), (await asked()).status]).toEqual(['private, no-cache', 304]);
    await client.delete(`/api/files/${id}`);
    expect((await asked()).status).toBe(404);
  });

  it('is tried three times where our side fails, then it says so', async () => {
    const client = await app.signedIn();
    instead.set('unlucky', async () => {
      throw new Error('the disk is full');
    });
    const id = await upload(client, Buffer.from('unlucky'));
    const tries = () => reads.filter((text) => text === 'unlucky').length;
    for (const count of [1, 2, 3]) {
      await expect.poll(tries).toBe(count);
      clock.moveTo(clock.now().getTime() + 60_000);
    }
    await settled(client, id);
    expect((await readInfo(client, id)).error?.code).toBe('internal');
    expect(tries()).toBe(3);
    const [row] = await app.database.database.sql`select error from files where id = ${id}`;
    expect(row?.error).toContain('the disk is full');
  });

  it('in which something has a NUL in its name says so at once, not when its lease ends', async () => {
    const client = await app.signedIn();
    instead.set('a NUL', async () => {
      instead.set('a NUL', async () => {
        throw new FileFault('file_unreadable', 'the entry a\0b is damaged');
      });
      throw new Error('the entry a\0b');
    });
    const id = await upload(client, Buffer.from('a NUL'));
    const { sql } = app.database.database;
    const errorOf = async () => (await sql`select error from files where id = ${id}`)[0]?.error;
    await expect.poll(errorOf).toBe('Error: the entry ab');
    clock.moveTo(clock.now().getTime() + 60_000);
    await settled(client, id);
    expect((await readInfo(client, id)).error?.code).toBe('file_unreadable');
    expect(await errorOf()).toBe('the entry ab is damaged');
  });

  it('succeeds on a later try', async () => {
    const client = await app.signedIn();
    instead.set('second time lucky', async () => {
      instead.delete('second time lucky');
      throw new Error('out of memory');
    });
    const id = await upload(client, Buffer.from('second time lucky'));
    await expect.poll(() => reads.filter((text) => text === 'second time lucky').length).toBe(1);
    clock.moveTo(clock.now().getTime() + 60_000);
    await settled(client, id);
    expect(await readInfo(client, id)).toMatchObject({ state: 'ready', error: null });
  });
});

describe('a process that dies while it reads', () => {
  it('leaves the file to another one, and what it says later counts for nothing', async () => {
    const { deps } = app;
    const client = await app.signedIn();
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let isFirst = true;
    instead.set('crash between', async (bytes) => {
      if (!isFirst) return readPlainText(bytes);
      isFirst = false;
      begun.resolve();
      await gate.promise;
      return { ...(await readPlainText(bytes)), type: 'text/late' };
    });
    const id = await upload(client, Buffer.from('crash between'));
    await begun.promise;
    clock.moveTo(clock.now().getTime() + 360_000);
    const [task] = await leaseReading(deps, 1);
    if (task?.id !== id) throw new Error('the lease of the dead process is over');
    await runReading(deps, task, readFile);
    gate.resolve();
    await settled(client, id);
    await expect
      .poll(async () => (await app.database.database.sql`select from files where state = 'reading'`).length)
      .toBe(0);
    expect(await readInfo(client, id)).toMatchObject({ state: 'ready', type: 'text/plain' });
  });

  it('by the file itself, three times, is not killed a fourth time', async () => {
    const { deps, database } = app;
    const client = await app.signedIn();
    instead.set('bomb', () => never);
    const id = await upload(client, Buffer.from('a first look at the bomb'));
    await settled(client, id);
    await database.database.sql`
      update files set state = 'reading', next_try_at = ${new Date(clock.now().getTime() + 3_600_000)}, tries = 3 where id = ${id}`;
    const [row] = await database.database.sql<{ id: string }[]>`select id from files where id = ${id}`;
    expect(row?.id).toBe(id);
    const task = { ...(await fileRow(id)), tries: 4, lastError: null };
    await database.database.sql`update files set tries = 4 where id = ${id}`;
    const before = reads.length;
    await runReading(deps, task, readFile);
    expect([(await readInfo(client, id)).error?.code, reads.length]).toEqual(['internal', before]);
  });

  it('has no fourth try, but one whose storage was away has', async () => {
    const client = await app.signedIn();
    const ends: unknown[] = [];
    for (const error of [null, 'S3 answered 503']) {
      const text = `the try before left this word: ${error}`;
      const id = await upload(client, Buffer.from(text));
      await settled(client, id);
      const { sql } = app.database.database;
      await sql`delete from file_chunks where file_id = ${id} and part = 'text'`;
      await sql`
        update files set state = 'reading', next_try_at = ${clock.now()}, tries = 3, error = ${error} where id = ${id}`;
      await settled(client, id);
      ends.push([(await readInfo(client, id)).state, reads.filter((one) => one === text).length]);
    }
    expect(ends).toEqual([
      ['failed', 1],
      ['ready', 2],
    ]);
  });

  async function fileRow(id: string) {
    const { findFile } = await import('../state/file-store.ts');
    const [row] = await app.database.database.sql<{ userId: string }[]>`
      select user_id as "userId" from files where id = ${id}`;
    const found = await findFile(app.database.database.sql, row?.userId ?? '', id);
    if (!found) throw new Error('the file is there');
    return found;
  }
});

it('who uploads many files waits with them, and others in between do not', async () => {
  const gate = Promise.withResolvers<void>();
  const isOpen = async (bytes: Parameters<FileJobs['readFile']>[0]) => {
    await gate.promise;
    return readPlainText(bytes);
  };
  const uploadAll = async (name: string, count: number) => {
    const client = await app.signedIn();
    const texts = Array.from({ length: count }, (_, n) => `${name} of many, ${n}`);
    for (const text of texts) {
      instead.set(text, isOpen);
      await upload(client, Buffer.from(text));
    }
    return texts;
  };
  const before = reads.length;
  const many = await uploadAll('the first', 2 * READERS_AT_ONCE + 6);
  await expect.poll(() => reads.length - before).toBe(READERS_AT_ONCE);
  const others = [...(await uploadAll('the second', 1)), ...(await uploadAll('the third', 2))];
  gate.resolve();
  await expect.poll(() => reads.length - before).toBe(many.length + others.length);
  const placeOf = (text: string | undefined) => reads.indexOf(text ?? '');
  for (const text of others) expect(placeOf(text)).toBeLessThan(placeOf(many.at(-2)));
});

it('files of one user whose last pieces come at once each get a turn of their own', async () => {
  const client = await app.signedIn();
  const gate = Promise.withResolvers<void>();
  const pieces = Array.from({ length: 8 }, (_, n) => Buffer.from(`at once, ${n}`));
  for (const piece of pieces)
    instead.set(piece.toString(), async (bytes) => {
      await gate.promise;
      return readPlainText(bytes);
    });
  const ids = await Promise.all(pieces.map(async (piece) => idOf(await beginUpload(client, piece.length))));
  const sent = await Promise.all(pieces.map((piece, n) => sendPiece(client, ids[n] ?? '', 0, piece)));
  expect(sent.map(({ status }) => status)).toEqual(pieces.map(() => 204));
  const turns = await app.database.database
    .sql`select distinct turn from files where id = any(${ids}::uuid[])`;
  gate.resolve();
  expect(turns).toHaveLength(pieces.length);
});

it('a file that is deleted while it is read leaves nothing', async () => {
  const client = await app.signedIn();
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  instead.set('deleted meanwhile', async (bytes) => {
    begun.resolve();
    await gate.promise;
    setTimeout(done.resolve, 200);
    return { ...(await readPlainText(bytes)), content: Buffer.from('anew') };
  });
  const id = await upload(client, Buffer.from('deleted meanwhile'));
  await begun.promise;
  expect((await client.delete(`/api/files/${id}`)).status).toBe(204);
  gate.resolve();
  await done.promise;
  const { sql } = app.database.database;
  expect(await sql`select from file_chunks where file_id = ${id}`).toHaveLength(0);
  expect((await client.get(`/api/files/${id}`)).status).toBe(404);
});
