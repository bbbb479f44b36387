import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { startFaultyS3 } from '#test/files/faulty-s3.ts';
import {
  beginUpload,
  idOf,
  offsetOf,
  readInfo,
  readPlainText,
  sendPiece,
  sha256Of,
  someBytes,
  upload,
} from '#test/files/files.ts';
import { IS_LONG } from '#test/runs.ts';
import { runReading } from '../ingest/run-reading.ts';
import { deleteLostObjects } from '../removal/delete-lost-objects.ts';
import { findFile } from '../state/file-store.ts';
import { keepStored } from '../state/keep-stored.ts';
import type { FileStorage } from './file-storage.ts';
import { createS3Storage } from './s3-storage.ts';

let app: TestApp;
let s3: Awaited<ReturnType<typeof startFaultyS3>>;
const clock = new FakeClock();
beforeAll(async () => {
  s3 = await startFaultyS3();
  app = await createTestApp({ clock, fileJobs: { readFile: readPlainText }, env: s3.settings });
});
afterEach(() => s3.do(null));
afterAll(async () => {
  await app.close();
  await s3.close();
});

type User = Awaited<ReturnType<TestApp['signedIn']>>;
const stateOf = async (client: User, id: string) => (await readInfo(client, id)).state;
async function objectsOf(id: string): Promise<number> {
  let count = 0;
  for await (const _ of createS3Storage(s3.access).list(`${id}/`)) count += 1;
  return count;
}
/** In four weeks and a day. */
function deleteLostObjectsLater(): Promise<number> {
  const later = new FakeClock(clock.now().getTime() + 29 * DAY_MS);
  return deleteLostObjects({ ...app.deps, clock: later });
}
async function download(client: User, id: string): Promise<Buffer> {
  return Buffer.from(await (await client.get(`/api/files/${id}/content`)).arrayBuffer());
}

it.each(['fails', 'unsaid'] as const)(
  'a piece of which the store says nothing good is sent again: %s',
  async (fault) => {
    const client = await app.signedIn();
    const bytes = someBytes(1_500);
    const id = await idOf(await beginUpload(client, bytes.length));
    expect((await sendPiece(client, id, 0, bytes.subarray(0, 1_000))).status).toBe(204);
    s3.do(fault, { method: 'PUT' });
    expect((await sendPiece(client, id, 1_000, bytes.subarray(1_000))).status).toBeGreaterThanOrEqual(500);
    s3.do(null);
    expect(await offsetOf(client, id)).toBe(1_000);
    expect((await sendPiece(client, id, 1_000, bytes.subarray(1_000))).status).toBe(204);
    await expect.poll(() => stateOf(client, id)).toBe('ready');
    expect(await download(client, id)).toEqual(bytes);
    const lost = fault === 'unsaid' ? 1 : 0;
    expect(await objectsOf(id)).toBe(2 + lost);
    expect(await deleteLostObjectsLater()).toBe(lost);
    expect(await download(client, id)).toEqual(bytes);
  },
);

it.each(['fails', 'missing', 'cut'] as const)(
  'a file that its store does not give is read when it does: %s',
  async (fault) => {
    const client = await app.signedIn();
    const bytes = someBytes(1_000);
    s3.do(fault);
    const id = await upload(client, bytes);
    const { sql } = app.database.database;
    await expect.poll(() => sql`select from files where id = ${id} and error is not null`).toHaveLength(1);
    expect(await stateOf(client, id)).toBe('reading');
    s3.do(null);
    clock.moveTo(clock.now().getTime() + 60_000);
    await expect.poll(() => stateOf(client, id)).toBe('ready');
    expect(await download(client, id)).toEqual(bytes);
  },
);

it.each(['fails', 'missing', 'cut'] as const)(
  'a download that cannot begin is an error: %s',
  async (fault) => {
    const client = await app.signedIn();
    const bytes = someBytes(1_000);
    const id = await upload(client, bytes);
    await expect.poll(() => stateOf(client, id)).toBe('ready');
    s3.do(fault);
    const answer = await client.get(`/api/files/${id}/content`);
    expect(answer.status).toBe(500);
    s3.do(null);
    expect(sha256Of(await download(client, id))).toBe(sha256Of(bytes));
  },
);

it.runIf(IS_LONG)('a download that breaks off is never taken for the whole', async () => {
  const client = await app.signedIn();
  const id = await upload(client, someBytes(2_500_000));
  await expect.poll(() => stateOf(client, id)).toBe('ready');
  s3.do('cut', { after: 1 });
  await expect(download(client, id)).rejects.toThrow();
});

it.runIf(IS_LONG)('a file whose store takes longer than it may is not read, but tried again', async () => {
  const client = await app.signedIn();
  const id = await upload(client, someBytes(3_500_000));
  await expect.poll(() => stateOf(client, id)).toBe('ready');
  const { sql } = app.database.database;
  await sql`update files set state = 'reading', next_try_at = 'infinity', tries = 1 where id = ${id}`;
  const file = await findFile(sql, client.userId, id);
  if (!file) throw new Error('the file is there');
  const slow: FileStorage = {
    ...createS3Storage(s3.access),
    async read(chunk, from, to) {
      clock.moveTo(clock.now().getTime() + 25_000);
      return createS3Storage(s3.access).read(chunk, from, to);
    },
  };
  let isRead = false;
  const deps = { ...app.deps, storages: { current: slow, of: () => slow } };
  await runReading(deps, { ...file, tries: 1, lastError: null }, (bytes) => {
    isRead = true;
    return readPlainText(bytes);
  });
  expect(isRead).toBe(false);
  expect(await sql`select from files where id = ${id} and error like '%too slow%'`).toHaveLength(1);
});

it.each(['GET', 'PUT'] as const)('a file waits minutes for its store, then says so: %s', async (method) => {
  const client = await app.signedIn();
  const id = await upload(client, someBytes(1_000));
  await expect.poll(() => stateOf(client, id)).toBe('ready');
  const { sql } = app.database.database;
  const file = await findFile(sql, client.userId, id);
  if (!file) throw new Error('the file is there');
  s3.do('fails', { method });
  const states: string[] = [];
  for (const tries of [9, 10]) {
    await sql`update files set state = 'reading', next_try_at = 'infinity', tries = ${tries} where id = ${id}`;
    const task = { ...file, tries, lastError: 'S3 answered 503' };
    await runReading(app.deps, task, async (bytes) => ({
      ...(await readPlainText(bytes)),
      content: Buffer.from('anew'),
    }));
    states.push(await stateOf(client, id));
  }
  expect(states).toEqual(['reading', 'failed']);
});

it('a store that is silent is given up', async () => {
  const hasty = createS3Storage(s3.access, { timeoutMs: 100 });
  s3.do('silent', { method: 'PUT' });
  await expect(hasty.put('x', Buffer.from('x'))).rejects.toThrow(/timeout/i);
  s3.do('silent');
  await expect(hasty.read({ bytes: null, object: 'x/y' }, 0, 1)).rejects.toThrow(/timeout/i);
});

it('what is stored in place of an upload goes again where its rows cannot be written', async () => {
  const client = await app.signedIn();
  const id = await upload(client, someBytes(1_000));
  await expect.poll(() => stateOf(client, id)).toBe('ready');
  const { sql } = app.database.database;
  await sql`update files set state = 'reading', next_try_at = 'infinity', tries = 1 where id = ${id}`;
  const file = await findFile(sql, client.userId, id);
  if (!file) throw new Error('the file is there');
  await runReading(app.deps, { ...file, tries: 1, lastError: null }, async (bytes) => ({
    ...(await readPlainText(bytes)),
    content: Buffer.from('anew'),
    type: 'no\0type',
  }));
  expect(await sql`select from files where id = ${id} and error like '%0x00%'`).toHaveLength(1);
  expect(await objectsOf(id)).toBe(1);
});

it('of what is put at once nothing stays where a later piece fails or comes too late', async () => {
  const [failed, late] = [newId(), newId()];
  s3.do('fails', { method: 'PUT', after: 2 });
  await expect(createS3Storage(s3.access).put(failed, someBytes(2_500_000))).rejects.toThrow('503');
  s3.do(null);
  const hasty = createS3Storage(s3.access, { wholeMs: 0 });
  await expect(hasty.put(late, someBytes(2_500_000))).rejects.toThrow(/timeout/i);
  expect([await objectsOf(failed), await objectsOf(late)]).toEqual([0, 0]);
});

it('an object whose rows may have been written is left to the sweep', async () => {
  const id = newId();
  const chunks = await app.deps.storages.of('s3').put(id, someBytes(1_000));
  const cut = keepStored(app.deps, 's3', chunks, (tx) => tx`select pg_terminate_backend(pg_backend_pid())`);
  await expect(cut).rejects.toThrow();
  expect(await objectsOf(id)).toBe(1);
  expect(await deleteLostObjectsLater()).toBe(1);
});
