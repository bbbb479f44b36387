import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileUsage } from '#contract/message/files.ts';
import { DAY_MS } from '#contract/time.ts';
import { deleteLostObjects } from '#server/files/removal/delete-lost-objects.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { countWaiting } from '#test/database/held-user.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { readInfo } from '#test/files/files.ts';
import { startS3 } from '#test/files/s3.ts';
import { IS_LONG } from '#test/runs.ts';
import { keepMadePicture } from './keep-made-picture.ts';

let app: TestApp;
let s3: Awaited<ReturnType<typeof startS3>>;
const clock = new FakeClock();
beforeAll(async () => {
  s3 = await startS3();
  app = await createTestApp({ clock, env: { ...s3.settings, FILE_QUOTA_FREE_MB: '0' } });
});
afterAll(async () => {
  await app.close();
  await s3.close();
});

type User = Awaited<ReturnType<TestApp['signedIn']>>;
const sql = () => app.database.database.sql;
const never = new AbortController().signal;
const paint = (width = 64, height = 48) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });

/** The same PNG, which says that it is 16,000 pixels wide and high. */
function enlarge(png: Buffer): Buffer {
  png.writeUInt32BE(16_000, 16);
  png.writeUInt32BE(16_000, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** A message that runs, of an instance that lives. */
async function beginMessage({ userId }: User, conversationId: string | null): Promise<string> {
  const id = newId();
  const owner = newId();
  await sql()`insert into instances (id, seen_at) values (${owner}, now() + interval '1 hour')`;
  if (conversationId)
    await sql()`insert into conversations (id, user_id, title, folded_title, created_at, updated_at, is_temporary)
                values (${conversationId}, ${userId}, 'a', 'a', now(), now(), false) on conflict do nothing`;
  await sql()`select credit.take_hold(${userId}, ${id}, 1, 'parley-flash', null)`;
  await sql()`
    insert into messages (id, user_id, conversation_id, model, content, cost, owner, created_at)
    values (${id}, ${userId}, ${conversationId}, 'parley-flash', 'a', 1, ${owner}, now())`;
  return id;
}

const keep = (user: User, messageId: string, bytes: Buffer, name = 'a picture') =>
  keepMadePicture(app.deps, { userId: user.userId, messageId, bytes, name, everyTurn: true }, never);
const end = (id: string, parts: object[]) =>
  sql()`select end_message(id, owner, 'completed', 'a', null, null, null, null, false, true, 'completed', 1, 1, null, null, null,
          false, 'stop', false, false, null, null, ${JSON.stringify({ parts })}::text::jsonb, null) from messages where id = ${id}`;
const idsOf = async ({ userId }: User) =>
  (await sql()<{ id: string }[]>`select id from files where user_id = ${userId} order by id`).map(
    ({ id }) => id,
  );

describe('a picture that was made for an answer', () => {
  it('is a file of its conversation with the very bytes, size and a small picture, for its user alone', async () => {
    const [user, stranger] = [await app.signedIn(), await app.signedIn()];
    const conversationId = newId();
    const messageId = await beginMessage(user, conversationId);
    const bytes = await paint()
      .png()
      .withExif({ IFD0: { Software: 'a painter' } })
      .toBuffer();
    const kept = await keep(user, messageId, bytes, '日落/../../x.svg\u202e');
    const fileId = kept?.fileId ?? '';
    expect(kept).toEqual({ fileId, type: 'image/png', width: 64, height: 48 });
    expect(await readInfo(user, fileId)).toMatchObject({
      ...{ name: '日落 .. .. x.svg.png', type: 'image/png', bytes: bytes.length, state: 'ready' },
      ...{ width: 64, height: 48, hasThumbnail: true, everyTurn: true },
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const content = await user.get(`/api/files/${fileId}/content`);
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
    expect(content.headers.get('content-type')).toBe('application/octet-stream');
    expect((await user.get(`/api/files/${fileId}/thumbnail`)).headers.get('content-type')).toBe('image/webp');
    const files = (await (await user.get(`/api/conversations/${conversationId}/files`)).json()) as {
      files: { id: string }[];
    };
    expect(files.files.map(({ id }) => id)).toEqual([fileId]);
    for (const path of ['', '/content', '/thumbnail'])
      expect((await stranger.get(`/api/files/${fileId}${path}`)).status).toBe(404);
  });

  it.runIf(IS_LONG)('counts for the storage of its user, and is kept also where that is full', async () => {
    const user = await app.signedIn();
    const bytes = await paint().webp().toBuffer();
    expect(await keep(user, await beginMessage(user, newId()), bytes)).not.toBeNull();
    const usage = (await (await user.get('/api/files/usage')).json()) as FileUsage;
    expect(usage).toMatchObject({ bytes: bytes.length, quota: 0 });
  });

  it('comes too late for a message that has ended, and leaves no object behind', async () => {
    const user = await app.signedIn();
    const messageId = await beginMessage(user, newId());
    await end(messageId, []);
    expect(await keep(user, messageId, await paint().png().toBuffer())).toBeNull();
    expect(await idsOf(user)).toEqual([]);
    const later = new FakeClock(clock.now().getTime() + 29 * DAY_MS);
    expect(await deleteLostObjects({ ...app.deps, clock: later })).toBe(0);
  });

  it.runIf(IS_LONG)(
    'of a conversation that is deleted meanwhile is not kept, and leaves no object behind',
    async () => {
      const user = await app.signedIn();
      const conversationId = newId();
      const messageId = await beginMessage(user, conversationId);
      const bytes = await paint().png().toBuffer();
      let kept: Promise<unknown> = Promise.resolve();
      await sql().begin(async (tx) => {
        await tx`delete from conversations where id = ${conversationId}`;
        kept = keep(user, messageId, bytes).catch((error: unknown) => error);
        await expect.poll(() => countWaiting(sql())).toBe(1);
      });
      expect(await kept).toBeNull();
      expect(await idsOf(user)).toEqual([]);
      const later = new FakeClock(clock.now().getTime() + 29 * DAY_MS);
      expect(await deleteLostObjects({ ...app.deps, clock: later })).toBe(0);
    },
  );

  it('stays where the answer names it, and goes with the end of an answer that does not', async () => {
    const user = await app.signedIn();
    const messageId = await beginMessage(user, newId());
    const named = await keep(user, messageId, await paint().jpeg().toBuffer());
    const lost = await keep(user, messageId, await paint().jpeg().toBuffer());
    await end(messageId, [
      { kind: 'text', length: 1 },
      { kind: 'image', fileId: named?.fileId },
    ]);
    expect(await idsOf(user)).toEqual([named?.fileId]);
    const removed = await sql()`select target from file_removals where target = ${`${lost?.fileId}/`}`;
    expect(removed.length).toBe(1);
  });

  it('of a process that died stays as far as the events say, and the rest goes', async () => {
    const user = await app.signedIn();
    const messageId = await beginMessage(user, newId());
    const logged = await keep(user, messageId, await paint().jpeg().toBuffer());
    await keep(user, messageId, await paint().jpeg().toBuffer());
    const events = JSON.stringify([['part', { part: { kind: 'image', fileId: logged?.fileId } }]]);
    await sql()`insert into message_events (message_id, first_seq, last_seq, events) values (${messageId}, 1, 1, ${events}::text::jsonb)`;
    await sql()`select interrupt_messages(${[messageId]}::uuid[], null)`;
    expect(await idsOf(user)).toEqual([logged?.fileId]);
  });

  it.runIf(IS_LONG)('goes with its message, of a conversation and of the API', async () => {
    const user = await app.signedIn();
    for (const conversationId of [newId(), null]) {
      const messageId = await beginMessage(user, conversationId);
      await keep(user, messageId, await paint().png().toBuffer());
      expect((await idsOf(user)).length).toBe(1);
      await sql()`delete from messages where id = ${messageId}`;
      expect(await idsOf(user)).toEqual([]);
    }
  });

  it.runIf(IS_LONG)('of another user’s message is not kept', async () => {
    const [user, stranger] = [await app.signedIn(), await app.signedIn()];
    const messageId = await beginMessage(user, newId());
    expect(await keep(stranger, messageId, await paint().png().toBuffer())).toBeNull();
  });

  it.each([
    ['text', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'file_type_unsupported'],
    ['a GIF', () => paint().gif().toBuffer(), 'file_type_unsupported'],
    [
      'half a picture',
      async () => (await paint(200, 200).png().toBuffer()).subarray(0, 9_000),
      'file_unreadable',
    ],
    ['too many pixels', async () => enlarge(await paint().png().toBuffer()), 'file_too_complex'],
  ])('is refused where it is %s', async (_, made, code) => {
    const user = await app.signedIn();
    const messageId = await beginMessage(user, newId());
    await expect(keep(user, messageId, await made())).rejects.toMatchObject({ code });
    expect(await idsOf(user)).toEqual([]);
  });
});
