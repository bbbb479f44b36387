import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FilePage } from '#contract/message/files.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { deleteOldConversations } from '#server/chat/conversations/delete-old-conversations.ts';
import { UNDO_MS } from '#server/chat/message-store/rules.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, refusal } from '#test/chat/chat.ts';
import { FakeClock } from '#test/fake-clock.ts';
import {
  beginUpload,
  idOf,
  insertFile,
  readInfo,
  readPlainText,
  someBytes,
  upload,
} from '#test/files/files.ts';
import { startS3 } from '#test/files/s3.ts';
import { claimFiles } from './claim-files.ts';
import { listReadyFiles } from './list-ready-files.ts';
import { listCopies, recordCopy, recordNewCopy } from './record-copy.ts';

let app: TestApp;
let s3: Awaited<ReturnType<typeof startS3>>;
const clock = new FakeClock();
/** Copies that the provider has. */
const copies = new Set<string>();
let isProviderAway = false;
beforeAll(async () => {
  s3 = await startS3();
  app = await createTestApp({
    clock,
    env: s3.settings,
    fileJobs: {
      readFile: readPlainText,
      async deleteCopy({ project, name }) {
        if (isProviderAway) throw new Error('the provider is away');
        copies.delete(`${project} ${name}`);
      },
    },
  });
});
afterAll(async () => {
  await app.close();
  await s3.close();
});

const sql = () => app.database.database.sql;
type User = Awaited<ReturnType<TestApp['signedIn']>>;
const claim = (user: User, conversationId: string, ids: string[]) =>
  sql().begin((tx) => claimFiles(tx, user.userId, conversationId, ids, { perMessage: 10, at: clock.now() }));
const isReady = (client: User, id: string) =>
  expect.poll(async () => (await readInfo(client, id)).state).toBe('ready');

async function copy(fileId: string, name: string, project = 'one') {
  copies.add(`${project} ${name}`);
  const expiresAt = new Date(clock.now().getTime() + 48 * 3_600_000);
  const [file] = await sql()`select encode(sha256, 'hex') as sha256 from files where id = ${fileId}`;
  const made = { fileId, sha256: file?.sha256 ?? '', project, name };
  return recordCopy(app.deps, { ...made, uri: `https://provider.example/${name}`, expiresAt });
}

describe('a message that names files', () => {
  it('has them in the order it names them, and again in its conversation', async () => {
    const user = await app.signedIn();
    const { conversationId } = await ask(user);
    const ids = [await insertFile(sql(), user.userId), await insertFile(sql(), user.userId)].reverse();
    const [first = '', second = ''] = ids;
    expect((await claim(user, conversationId, [first, second, first])).map(({ id }) => id)).toEqual(ids);
    expect((await claim(user, conversationId, [second])).map(({ id }) => id)).toEqual([second]);
    const list = (await (await user.get(`/api/conversations/${conversationId}/files`)).json()) as FilePage;
    expect(list.files.map(({ id }) => id)).toEqual(ids);
  });

  it('has them in that order in the list of its conversation, behind those of the messages before', async () => {
    const user = await app.signedIn();
    const insert = () => insertFile(sql(), user.userId);
    const [late, second, first] = [await insert(), await insert(), await insert()];
    const { conversationId, id } = await ask(user, { files: [first, second] });
    await ask(user, { conversationId, parentId: id, files: [late, first] });
    const list = (await (await user.get(`/api/conversations/${conversationId}/files`)).json()) as FilePage;
    expect(list.files.map((file) => file.id)).toEqual([first, second, late]);
  });

  it('has them in pages of 200, each once, while some are deleted', async () => {
    const user = await app.signedIn();
    const { conversationId } = await ask(user);
    const ids = Array.from({ length: 450 }, () => newId()).sort();
    await sql()`
      insert into files (id, user_id, conversation_id, name, bytes, received, state, storage, type, sha256, tokens, created_at, named_at, named_n)
      select id, ${user.userId}, ${conversationId}, 'a.txt', 1, 1, 'ready', 'database', 'text/plain', sha256('a'), 1, now(),
             case when n > 100 then now() + n / 7 * interval '1 microsecond' end, case when n > 100 then n end
        from unnest(${ids}::uuid[]) with ordinality as each (id, n)`;
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await user.get(
        `/api/conversations/${conversationId}/files${cursor && `?cursor=${cursor}`}`,
      );
      const page = (await answer.json()) as FilePage;
      expect(page.files.length).toBeLessThanOrEqual(200);
      seen.push(...page.files.map(({ id }) => id));
      cursor = page.nextCursor;
      if (seen.length === 200)
        await sql()`delete from files where id in (${ids[7] ?? ''}, ${ids[199] ?? ''})`;
    }
    expect(seen).toEqual(ids);
    const refused = await user.get(`/api/conversations/${conversationId}/files?cursor=1_x`);
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { error: { code: 'invalid_request' } },
    ]);
  });

  it('is refused where one is not ready, gone, of another user or of another conversation; then none is taken', async () => {
    const [user, stranger] = [await app.signedIn(), await app.signedIn()];
    const [mine, other] = [(await ask(user)).conversationId, (await ask(user)).conversationId];
    const free = await insertFile(sql(), user.userId);
    const unfinished = await idOf(await beginUpload(user, 9, 'slow.txt'));
    const broken = await upload(user, Buffer.from('\0'), 'broken.txt');
    await expect.poll(async () => (await readInfo(user, broken)).state).toBe('failed');
    const refused = {
      [unfinished]: { code: 'file_not_ready', params: { name: 'slow.txt' } },
      [broken]: { code: 'file_unreadable', params: { name: 'broken.txt' } },
      [newId()]: { code: 'file_deleted' },
      [await insertFile(sql(), stranger.userId)]: { code: 'file_deleted' },
      [await insertFile(sql(), user.userId, { conversationId: other })]: { code: 'file_deleted' },
    };
    for (const [id, error] of Object.entries(refused))
      await expect(claim(user, mine, [free, id])).rejects.toMatchObject(error);
    const many = Array.from({ length: 11 }, () => newId());
    await expect(claim(user, mine, many)).rejects.toMatchObject({
      code: 'too_many_files',
      params: { limit: 10 },
    });
    const [row] = await sql()`select conversation_id from files where id = ${free}`;
    expect(row?.conversation_id).toBeNull();
  });

  it('of two at once in two conversations has the file in one of them', async () => {
    const user = await app.signedIn();
    const homes = [(await ask(user)).conversationId, (await ask(user)).conversationId];
    const id = await insertFile(sql(), user.userId);
    const claims = await Promise.allSettled(homes.map((home) => claim(user, home, [id])));
    expect(claims.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('reads their bytes in ranges, their text and what they count for', async () => {
    const user = await app.signedIn();
    const bytes = someBytes(1_500_000);
    const id = await upload(user, bytes);
    await isReady(user, id);
    const stranger = await app.signedIn();
    expect((await listReadyFiles(app.deps, stranger.userId, [id])).size).toBe(0);
    const file = (await listReadyFiles(app.deps, user.userId, [newId(), id])).get(id);
    if (!file) throw new Error('the file is ready');
    const pieces: Buffer[] = [];
    for await (const piece of file.content({ from: 1_000_000, to: 1_400_000 })) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(bytes.subarray(1_000_000, 1_400_000))).toBe(true);
    expect(pieces.every(({ length }) => length <= 1_048_576)).toBe(true);
    expect(await file.text()).toBe(bytes.toString('utf8'));
    expect(file).toMatchObject({ type: 'text/plain', everyTurn: true, bytes: bytes.length });
  });

  it('keeps a file that somebody takes off a message which was sent meanwhile', async () => {
    const user = await app.signedIn();
    const [sent, left] = [await insertFile(sql(), user.userId), await insertFile(sql(), user.userId)];
    await ask(user, { files: [sent] });
    const takeOff = (id: string) => user.delete(`/api/files/${id}?unnamed=true`);
    expect((await Promise.all([sent, left, newId()].map(takeOff))).map(({ status }) => status)).toEqual([
      409, 204, 404,
    ]);
    expect((await readInfo(user, sent)).state).toBe('ready');
    expect((await user.delete(`/api/files/${sent}`)).status).toBe(204);
  });

  it('may say that a file is for its own turn only', async () => {
    const user = await app.signedIn();
    const id = await insertFile(sql(), user.userId);
    const put = (body: object) =>
      user.request(`/api/files/${id}/every-turn`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect(await (await put({ everyTurn: false })).json()).toMatchObject({ id, everyTurn: false });
    expect((await readInfo(user, id)).everyTurn).toBe(false);
    expect(await refusal(await put({ everyTurn: 1 }))).toMatchObject({ status: 422 });
  });
});

describe('copies that a provider keeps', () => {
  it('are found while they last, and the one that another takes the place of is deleted an hour later', async () => {
    const user = await app.signedIn();
    const id = await insertFile(sql(), user.userId);
    await copy(id, 'files/a');
    const in46Hours = new Date(clock.now().getTime() + 46 * 3_600_000);
    const in49Hours = new Date(clock.now().getTime() + 49 * 3_600_000);
    expect((await listCopies(app.deps, 'one', [id], in46Hours)).get(id)?.uri).toContain('files/a');
    expect((await listCopies(app.deps, 'one', [id], in49Hours)).size).toBe(0);
    expect((await listCopies(app.deps, 'two', [id], in46Hours)).size).toBe(0);
    await copy(id, 'files/b');
    const in59Minutes = new Date(clock.now().getTime() + 59 * MINUTE_MS);
    const later = await sql()`select target from file_removals where next_try_at > ${in59Minutes}`;
    expect(later.map(({ target }) => target)).toEqual(['files/a']);
    expect(copies.has('one files/a')).toBe(true);
    clock.moveTo(clock.now().getTime() + HOUR_MS + 1_000);
    await expect.poll(() => copies.has('one files/a')).toBe(false);
    expect(copies.has('one files/b')).toBe(true);
  });

  it('that are not recorded within an hour of their upload are deleted, and those that are stay', async () => {
    const user = await app.signedIn();
    const id = await insertFile(sql(), user.userId);
    for (const name of ['files/lost', 'files/used']) {
      copies.add(`one ${name}`);
      await recordNewCopy(app.deps, { project: 'one', name });
    }
    await copy(id, 'files/used');
    const rows = await sql()`select target from file_removals where target in ('files/lost', 'files/used')`;
    expect(rows.map(({ target }) => target)).toEqual(['files/lost']);
    clock.moveTo(clock.now().getTime() + HOUR_MS + 1_000);
    await expect.poll(() => copies.has('one files/lost')).toBe(false);
    expect(copies.has('one files/used')).toBe(true);
  });

  it('of a file that was deleted while it was copied are deleted', async () => {
    expect(await copy(newId(), 'files/late')).toBe(false);
    await expect.poll(() => copies.has('one files/late')).toBe(false);
  });
});

describe('a deleted conversation', () => {
  it('leaves no byte of its files after the time for undo: in the database, in S3, at the provider', async () => {
    const user = await app.signedIn();
    const { conversationId } = await ask(user);
    const ids = [await upload(user, someBytes(1_200_000)), await upload(user, someBytes(100))];
    for (const id of ids) await isReady(user, id);
    await claim(user, conversationId, ids);
    await copy(ids[0] ?? '', 'files/contract');
    isProviderAway = true;
    await user.delete(`/api/conversations/${conversationId}`);
    for (const id of ids) expect((await user.get(`/api/files/${id}`)).status).toBe(404);
    await user.post(`/api/conversations/${conversationId}/restore`);
    for (const id of ids) expect((await user.get(`/api/files/${id}/content`)).status).toBe(200);

    await user.delete(`/api/conversations/${conversationId}`);
    clock.moveTo(clock.now().getTime() + UNDO_MS + 1_000);
    await deleteOldConversations(app.deps);
    expect(await sql()`select from files where id = any(${ids}::uuid[])`).toHaveLength(0);
    expect(await sql()`select from file_chunks where file_id = any(${ids}::uuid[])`).toHaveLength(0);
    await expect.poll(() => objectsOf(ids)).toEqual([]);
    await expect
      .poll(async () => (await sql()`select from file_removals where error is not null`).length)
      .toBe(1);
    expect(copies.has('one files/contract')).toBe(true);
    isProviderAway = false;
    clock.moveTo(clock.now().getTime() + 60_000);
    await expect.poll(() => copies.has('one files/contract')).toBe(false);
    await expect.poll(async () => (await sql()`select from file_removals`).length).toBe(0);
  });

  it('loses its files in steps before it goes itself', async () => {
    const user = await app.signedIn();
    const { conversationId } = await ask(user);
    for (let n = 0; n < 23; n += 1) await insertFile(sql(), user.userId, { conversationId });
    await user.delete(`/api/conversations/${conversationId}`);
    clock.moveTo(clock.now().getTime() + UNDO_MS + 1_000);
    await deleteOldConversations(app.deps);
    expect(await sql()`select from files where user_id = ${user.userId}`).toHaveLength(0);
    expect(await sql()`select from conversations where id = ${conversationId}`).toHaveLength(0);
  });

  async function objectsOf(ids: string[]) {
    const names: string[] = [];
    for (const id of ids)
      for await (const { name } of app.deps.storages.of('s3').list(`${id}/`)) names.push(name);
    return names;
  }
});
