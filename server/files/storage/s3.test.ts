import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_PIECE } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { firstIdAt, newId } from '#server/platform/ids.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { readInfo, readPlainText, sha256Of, someBytes, upload } from '#test/files/files.ts';
import { startS3 } from '#test/files/s3.ts';
import { IS_LONG } from '#test/runs.ts';
import { deleteUserFiles } from '../removal/delete-file.ts';
import { deleteLostObjects } from '../removal/delete-lost-objects.ts';
import { createS3Storage } from './s3-storage.ts';

let app: TestApp;
let s3: Awaited<ReturnType<typeof startS3>>;
const clock = new FakeClock();
beforeAll(async () => {
  s3 = await startS3();
  app = await createTestApp({ clock, fileJobs: { readFile: readPlainText }, env: s3.settings });
});
afterAll(async () => {
  await app.close();
  await s3.close();
});

const storage = () => createS3Storage(s3.access);
async function namesOf(prefix = '') {
  const names: string[] = [];
  for await (const { name } of storage().list(prefix)) names.push(name);
  return names;
}
const isReady = (client: Parameters<typeof readInfo>[0], id: string) =>
  expect.poll(async () => (await readInfo(client, id)).state).toBe('ready');

describe('files in S3', () => {
  it('come back as they were, whole and in ranges, and no byte of them is in the database', async () => {
    const client = await app.signedIn();
    const bytes = someBytes(2_500_000);
    const id = await upload(client, bytes);
    await isReady(client, id);
    const whole = await client.get(`/api/files/${id}/content`);
    expect(sha256Of(new Uint8Array(await whole.arrayBuffer()))).toBe(sha256Of(bytes));
    const range = await client.request(`/api/files/${id}/content`, {
      headers: { range: 'bytes=1048000-2097999' },
    });
    expect([range.status, range.headers.get('content-range')]).toEqual([
      206,
      'bytes 1048000-2097999/2500000',
    ]);
    expect(sha256Of(new Uint8Array(await range.arrayBuffer()))).toBe(
      sha256Of(bytes.subarray(1_048_000, 2_098_000)),
    );
    const inside = await app.database.database.sql`
      select from file_chunks where file_id = ${id} and part = 'content' and bytes is not null`;
    expect(inside).toHaveLength(0);
    expect(await namesOf(`${id}/`)).toHaveLength(3);
  });

  it('lie there in pieces of 1 MB, also where they are put at once', async () => {
    const id = newId();
    const bytes = someBytes(2_500_000);
    const chunks = await storage().put(id, bytes);
    expect(chunks.map(({ offset, length }) => [offset, length])).toEqual([
      [0, MAX_PIECE],
      [MAX_PIECE, MAX_PIECE],
      [2 * MAX_PIECE, bytes.length - 2 * MAX_PIECE],
    ]);
    expect(await namesOf(`${id}/`)).toEqual(chunks.map(({ object }) => object).sort());
    const pieces = await Promise.all(chunks.map((chunk) => storage().read(chunk, 0, chunk.length)));
    expect(sha256Of(Buffer.concat(pieces))).toBe(sha256Of(bytes));
    await storage().delete(`${id}/`);
  });

  it('are deleted there when their row goes, however it goes', async () => {
    const client = await app.signedIn();
    const ids = [await upload(client, someBytes(1_100_000)), await upload(client, someBytes(10))];
    for (const id of ids) await isReady(client, id);
    await client.delete(`/api/files/${ids[0]}`);
    await deleteUserFiles(app.deps, client.userId, 10);
    for (const id of ids) await expect.poll(() => namesOf(`${id}/`)).toEqual([]);
    await expect
      .poll(() => app.database.database.sql`select from file_removals`.then((rows) => rows.length))
      .toBe(0);
  });

  it.runIf(IS_LONG)('that a store which is away cannot delete are deleted when it is back', async () => {
    const client = await app.signedIn();
    const id = await upload(client, someBytes(10));
    await isReady(client, id);
    const { sql } = app.database.database;
    const names = await namesOf(`${id}/`);
    await s3.pause();
    await client.delete(`/api/files/${id}`);
    await expect
      .poll(async () => (await sql`select from file_removals where error is not null`).length)
      .toBe(1);
    await s3.resume();
    expect(await namesOf(`${id}/`)).toEqual(names);
    clock.moveTo(clock.now().getTime() + 60_000);
    await expect.poll(() => namesOf(`${id}/`)).toEqual([]);
  });

  it('that belong to no file are deleted after four weeks, in which a backup may be restored; what is not ours stays', async () => {
    const client = await app.signedIn();
    const id = await upload(client, someBytes(10));
    await isReady(client, id);
    const [lost] = await storage().put(id, Buffer.from('a piece without a row'));
    const [known] = (await namesOf(`${id}/`)).filter((name) => name !== lost?.object);
    clock.moveTo(clock.now().getTime() + 27 * DAY_MS);
    expect(await deleteLostObjects(app.deps)).toBe(0);
    clock.moveTo(clock.now().getTime() + 2 * DAY_MS);
    expect(await deleteLostObjects(app.deps)).toBe(1);
    expect(await namesOf(`${id}/`)).toEqual([known]);
  });

  it('that belong to no file begun of late are found where all objects are looked at', async () => {
    const old = firstIdAt(new Date(clock.now().getTime() - 3 * DAY_MS));
    const late = firstIdAt(new Date(clock.now().getTime() - DAY_MS));
    for (const id of [old, late]) await storage().put(id, Buffer.from('a piece without a row'));
    clock.moveTo(clock.now().getTime() + 29 * DAY_MS);
    expect(await deleteLostObjects(app.deps, 31 * DAY_MS)).toBe(1);
    expect([(await namesOf(`${old}/`)).length, await namesOf(`${late}/`)]).toEqual([1, []]);
    expect(await deleteLostObjects(app.deps)).toBe(1);
    expect(await namesOf(`${old}/`)).toEqual([]);
  });

  it('are listed in pages to their end', async () => {
    const many = createS3Storage(s3.access, { page: 7 });
    const file = '00000000-0000-0000-0000-000000000001';
    for (let n = 0; n < 30; n += 1) await many.put(file, Buffer.from(String(n)));
    const names: string[] = [];
    for await (const { name } of many.list(`${file}/`)) names.push(name);
    expect(names).toEqual(await namesOf(`${file}/`));
    expect(new Set(names).size).toBe(30);
    await many.delete(`${file}/`);
    expect(await namesOf(`${file}/`)).toEqual([]);
  });
});

it('a key that S3 refuses is a failure that names its answer', async () => {
  const wrong = createS3Storage({ ...s3.access, accessKey: 'unknown' });
  await expect(wrong.put('x', Buffer.from('x'))).rejects.toThrow('S3 answered 403');
});
