import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { MAX_PIECE, TUS_VERSION } from '#contract/limits.ts';
import type { FileUsage } from '#contract/message/files.ts';
import { firstIdAt } from '#server/platform/ids.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { lineOf, plantTree } from '#test/chat/conversation-tree.ts';
import { insertSubscription } from '#test/factories.ts';
import { FakeClock } from '#test/fake-clock.ts';
import {
  beginUpload,
  idOf,
  insertFile,
  offsetOf,
  readInfo,
  readPlainText,
  sendPiece,
  sha256Of,
  someBytes,
  upload,
} from '#test/files/files.ts';
import { IS_LONG, runs } from '#test/runs.ts';
import { deleteUnnamedFiles } from '../removal/delete-file.ts';
import { keepFile } from './keep-file.ts';
import { limitPieces } from './limit-pieces.ts';
import { mostPieces } from './upload-rules.ts';

let app: TestApp;
const clock = new FakeClock();
/** As large as a file may be; less is the same in the short run. */
const LARGE_MB = IS_LONG ? 20 : 6;
beforeAll(async () => {
  app = await createTestApp({ clock, fileJobs: { readFile: readPlainText } });
});
afterAll(() => app.close());

type User = Awaited<ReturnType<TestApp['signedIn']>>;
const codeOf = async (answer: Response) => ((await answer.json()) as ErrorBody).error.code;
const isReady = (client: User, id: string) =>
  expect.poll(async () => (await readInfo(client, id)).state).toBe('ready');
const contentOf = async (client: User, id: string) =>
  Buffer.from(await (await client.get(`/api/files/${id}/content`)).arrayBuffer());

async function waitingForLock(): Promise<number | undefined> {
  const [row] = await app.database.database.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.count;
}

/** Sends a piece and cuts the connection after `sent` of its bytes. */
function cutPiece(
  client: User,
  id: string,
  { offset, piece, sent }: { offset: number; piece: Uint8Array; sent: number },
) {
  return new Promise<void>((resolve) => {
    const call = request(`${app.url}/api/files/${id}`, {
      agent: false,
      method: 'PATCH',
      headers: {
        cookie: client.cookie,
        'tus-resumable': '1.0.0',
        'upload-offset': offset,
        'content-type': 'application/offset+octet-stream',
        'content-length': piece.length,
      },
    });
    call.on('error', () => {});
    call.on('close', () => resolve());
    call.write(piece.subarray(0, sent), () => setTimeout(() => call.destroy(), 20));
  });
}

describe('an upload in pieces', () => {
  it(`of ${LARGE_MB} MB that is cut three times sends at most a piece again each time, and every byte is there`, async () => {
    const client = await app.signedIn();
    const bytes = someBytes(LARGE_MB * 1_048_576);
    const id = await idOf(await beginUpload(client, bytes.length, 'large.txt'));
    let at = 0;
    let sentAgain = 0;
    const cuts = new Set([1, 3, LARGE_MB - 1]);
    for (let n = 0; at < bytes.length; n += 1) {
      const piece = bytes.subarray(at, at + MAX_PIECE);
      if (cuts.has(n)) {
        const sent = Math.floor(piece.length * 0.6);
        await cutPiece(client, id, { offset: at, piece, sent });
        await expect.poll(async () => (await offsetOf(client, id)) ?? 0).toBeGreaterThan(at);
        const now = (await offsetOf(client, id)) ?? 0;
        expect(now).toBeLessThanOrEqual(at + sent);
        sentAgain += at + sent - now;
        at = now;
        continue;
      }
      const answer = await sendPiece(client, id, at, piece);
      expect(answer.status).toBe(204);
      at = Number(answer.headers.get('upload-offset'));
    }
    expect(sentAgain).toBeLessThanOrEqual(3 * MAX_PIECE);
    await isReady(client, id);
    expect((await readInfo(client, id)).sha256).toBe(sha256Of(bytes));
    expect(sha256Of(await contentOf(client, id))).toBe(sha256Of(bytes));
  });

  it('goes on in one of two tabs: the other is told where it is', async () => {
    const client = await app.signedIn();
    const bytes = someBytes(MAX_PIECE + 10);
    const id = await idOf(await beginUpload(client, bytes.length));
    const piece = bytes.subarray(0, MAX_PIECE);
    const answers = await Promise.all(Array.from({ length: 4 }, () => sendPiece(client, id, 0, piece)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409]);
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect(answer.headers.get('upload-offset')).toBe(String(MAX_PIECE));
      expect(await codeOf(answer)).toBe('upload_conflict');
    }
    const again = await sendPiece(client, id, 0, piece);
    expect([again.status, again.headers.get('upload-offset')]).toEqual([409, String(MAX_PIECE)]);
    expect((await sendPiece(client, id, MAX_PIECE, bytes.subarray(MAX_PIECE))).status).toBe(204);
    await isReady(client, id);
    expect(sha256Of(await contentOf(client, id))).toBe(sha256Of(bytes));
  });

  it('takes no byte beyond the length that was announced, and none after the end', async () => {
    const client = await app.signedIn();
    const id = await idOf(await beginUpload(client, 5));
    const more = await sendPiece(client, id, 0, Buffer.from('123456'));
    expect([more.status, more.headers.get('upload-offset')]).toEqual([409, '0']);
    await sendPiece(client, id, 0, Buffer.from('12345'));
    await isReady(client, id);
    expect((await sendPiece(client, id, 5, Buffer.from('6'))).status).toBe(409);
    expect((await contentOf(client, id)).toString()).toBe('12345');
  });

  it('comes in no more pieces than a file of its size may', async () => {
    const client = await app.signedIn();
    const id = await idOf(await beginUpload(client, 100));
    for (let at = 0; at < mostPieces(100); at += 1)
      expect((await sendPiece(client, id, at, Buffer.from('x'))).status).toBe(204);
    const refused = await sendPiece(client, id, mostPieces(100), Buffer.from('x'));
    expect(await codeOf(refused)).toBe('too_many_uploads');
  });

  it('takes no piece that is larger than a piece', async () => {
    const client = await app.signedIn();
    const id = await idOf(await beginUpload(client, 2 * MAX_PIECE));
    const answer = await sendPiece(client, id, 0, Buffer.alloc(MAX_PIECE + 1, 1)).catch(() => null);
    expect(answer?.status ?? 413).toBe(413);
    expect(await offsetOf(client, id)).toBe(0);
  });

  it('can be ended, and nothing of it is left', async () => {
    const client = await app.signedIn();
    const id = await idOf(await beginUpload(client, 2 * MAX_PIECE));
    await sendPiece(client, id, 0, someBytes(MAX_PIECE));
    const ended = await client.request(`/api/files/${id}`, {
      method: 'DELETE',
      headers: { 'tus-resumable': '1.0.0' },
    });
    expect(ended.status).toBe(204);
    expect(await offsetOf(client, id)).toBeNull();
    const rows = await app.database.database.sql`select from file_chunks where file_id = ${id}`;
    expect(rows).toHaveLength(0);
    expect((await sendPiece(client, id, MAX_PIECE, someBytes(1))).status).toBe(404);
  });

  it('says what of tus is spoken here, and refuses another version', async () => {
    const client = await app.signedIn();
    const options = await app.visit().request('/api/files', { method: 'OPTIONS' });
    expect(Object.fromEntries(options.headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,expiration,termination',
      'tus-max-size': String(20 * 1_048_576),
    });
    const answer = await client.request('/api/files', {
      method: 'POST',
      headers: { 'tus-resumable': '0.2.2', 'upload-length': '5' },
    });
    expect([answer.status, answer.headers.get('tus-version')]).toEqual([412, '1.0.0']);
    const begun = await beginUpload(client, 5);
    expect(begun.headers.get('upload-offset')).toBe('0');
    const hours = (Date.parse(begun.headers.get('upload-expires') ?? '') - clock.now().getTime()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
  });

  it('of another user is not there', async () => {
    const [mine, stranger] = [await app.signedIn(), await app.signedIn()];
    const id = await idOf(await beginUpload(mine, 5));
    expect((await sendPiece(stranger, id, 0, Buffer.from('12345'))).status).toBe(404);
    expect(await offsetOf(stranger, id)).toBeNull();
    expect(await offsetOf(mine, id)).toBe(0);
  });
});

describe('an upload under an id that its sender chose', () => {
  const idAt = (at: Date) => `${firstIdAt(at).slice(0, 24)}${randomUUID().slice(24)}`;
  const begin = (client: User, id: string, length = 5) => {
    const metadata = `id ${Buffer.from(id).toString('base64')}`;
    const headers = {
      'tus-resumable': TUS_VERSION,
      'upload-length': `${length}`,
      'upload-metadata': metadata,
    };
    return client.request('/api/files', { method: 'POST', headers });
  };
  const usedBy = async (client: User) =>
    ((await (await client.get('/api/files/usage')).json()) as FileUsage).bytes;

  it('is begun once, however often it is asked for, and is ended by that id', async () => {
    const client = await app.signedIn();
    const id = idAt(clock.now());
    const answers = await Promise.all(Array.from({ length: 5 }, () => begin(client, id)));
    expect(await Promise.all(answers.map(idOf))).toEqual(Array(5).fill(id));
    expect(await usedBy(client)).toBe(5);
    await sendPiece(client, id, 0, Buffer.from('12'));
    expect((await begin(client, id)).headers.get('upload-offset')).toBe('2');
    expect((await client.request(`/api/files/${id}?unnamed=true`, { method: 'DELETE' })).status).toBe(204);
    expect(await usedBy(client)).toBe(0);
  });

  it('is refused where the id is another file’s, whoever has that, and has another id where it is of another day', async () => {
    const [client, stranger] = [await app.signedIn(), await app.signedIn()];
    const id = idAt(clock.now());
    await begin(client, id);
    for (const answer of [await begin(client, id, 6), await begin(stranger, id)])
      expect([answer.status, await codeOf(answer)]).toEqual([409, 'conflict']);
    const dayMs = 86_400_000;
    for (const other of [-2, 2].map((days) => idAt(new Date(clock.now().getTime() + days * dayMs))))
      expect(await idOf(await begin(client, other))).not.toBe(other);
    expect(await idOf(await begin(client, 'x'))).not.toBe('x');
  });

  it('is refused while the objects of a file that had the id are still to be deleted', async () => {
    const client = await app.signedIn();
    const id = idAt(clock.now());
    const { sql } = app.database.database;
    await sql`insert into file_removals (kind, target, next_try_at) values ('objects', ${`${id}/`}, 'infinity')`;
    expect((await begin(client, id)).status).toBe(409);
    await sql`delete from file_removals where target = ${`${id}/`}`;
    expect(await idOf(await begin(client, id))).toBe(id);
  });
});

describe('what may be uploaded', () => {
  it('is neither empty nor larger than a file may be', async () => {
    const client = await app.signedIn();
    const refusals = await Promise.all([0, 20 * 1_048_576 + 1].map((length) => beginUpload(client, length)));
    expect(await Promise.all(refusals.map(codeOf))).toEqual(['file_empty', 'file_too_large']);
    for (const length of ['', '-1', '1e3', '9'.repeat(20)]) {
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': length };
      const answer = await client.request('/api/files', { method: 'POST', headers });
      expect([length, answer.status]).toEqual([length, 422]);
    }
  });

  it('is bounded by the plan, whatever is begun at once', async () => {
    const client = await app.signedIn();
    const length = 15 * 1_048_576;
    const answers = await Promise.all(Array.from({ length: 12 }, () => beginUpload(client, length)));
    const refused = answers.filter(({ status }) => status === 409);
    expect([answers.filter(({ status }) => status === 201).length, refused.length]).toEqual([6, 6]);
    expect(await refused[0]?.json()).toMatchObject({
      error: { code: 'file_storage_full', params: { limit: 100 } },
    });
    const usage = await (await client.get('/api/files/usage')).json();
    expect(usage).toEqual({
      bytes: 6 * length,
      quota: 100 * 1_048_576,
      fileLimit: 20 * 1_048_576,
      perMessage: 10,
    });
    await insertSubscription(app.database.database.sql, client.userId, { planKey: 'gemini_basic' });
    expect((await beginUpload(client, length)).status).toBe(201);
    expect(await (await client.get('/api/files/usage')).json()).toMatchObject({ quota: 2_048 * 1_048_576 });
  });

  it('has a name without folders, control characters and marks that turn text', async () => {
    const client = await app.signedIn();
    const names = {
      '../../etc/passwd': 'passwd',
      'C:\\Users\\me\\报告.pdf': '报告.pdf',
      'a\u202egpj.exe\n\u0007.txt': 'agpj.exe .txt',
      '\u0000\u200f': 'file',
      [`${'长'.repeat(300)}.docx`]: `${'长'.repeat(195)}.docx`,
    };
    for (const [given, kept] of Object.entries(names)) {
      const id = await idOf(await beginUpload(client, 1, given));
      expect((await readInfo(client, id)).name).toBe(kept);
    }
  });

  it('waits for a message a day, then it goes', async () => {
    const client = await app.signedIn();
    const { sql } = app.database.database;
    const [unfinished, read] = [await idOf(await beginUpload(client, 5)), await upload(client, someBytes(9))];
    const named = await insertFile(sql, client.userId, {
      conversationId: await insertConversation(client.userId),
    });
    await isReady(client, read);
    await deleteUnnamedFiles(app.deps);
    expect(await offsetOf(client, unfinished)).toBe(0);
    clock.moveTo(Date.now() + 25 * 3_600_000);
    await deleteUnnamedFiles(app.deps);
    const left = await sql<{ id: string }[]>`select id from files where user_id = ${client.userId}`;
    expect(left.map(({ id }) => id)).toEqual([named]);
  });

  async function insertConversation(userId: string): Promise<string> {
    const [row] = await app.database.database.sql<{ id: string }[]>`
      insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
      values (gen_random_uuid(), ${userId}, 'x', 'x', now(), now()) returning id`;
    return row?.id ?? '';
  }
});

describe('many uploads at once', () => {
  it('of several users all arrive whole', async () => {
    const users = await Promise.all(Array.from({ length: runs(2, 10) }, () => app.signedIn()));
    const bytes = someBytes(MAX_PIECE + 100);
    const uploads = users.flatMap((client) =>
      Array.from({ length: 5 }, async () => ({ client, id: await upload(client, bytes) })),
    );
    const [first] = await Promise.all(uploads);
    const { sql } = app.database.database;
    const rows = await sql`
      select f.id from files f join file_chunks c on c.file_id = f.id and c.part = 'content'
       where f.user_id = any(${users.map(({ userId }) => userId)})
       group by f.id having sum(c.length) = ${bytes.length}`;
    expect(rows).toHaveLength(uploads.length);
    if (!first) throw new Error('there are some');
    await isReady(first.client, first.id);
    expect(sha256Of(await contentOf(first.client, first.id))).toBe(sha256Of(bytes));
  });

  it('are written four at a time, so that neither memory nor the connections of others are theirs', async () => {
    const { sql } = app.database.database;
    const users = await Promise.all(Array.from({ length: 8 }, () => app.signedIn()));
    const begun = users.map(async (client) => ({ client, id: await idOf(await beginUpload(client, 9)) }));
    const uploads = await Promise.all(begun);
    let sent: Promise<Response>[] = [];
    await sql.begin(async (tx) => {
      await tx`select from files where id = any(${uploads.map(({ id }) => id)}) for update`;
      sent = uploads.map(({ client, id }) => sendPiece(client, id, 0, someBytes(5)));
      await expect.poll(() => waitingForLock()).toBe(4);
      // The others of the pool's ten connections serve what comes meanwhile.
      for (const { client, id } of uploads) expect(await offsetOf(client, id)).toBe(0);
      expect(await waitingForLock()).toBe(4);
    });
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(users.map(() => 204));
  });

  it('of one user are received eight at a time', async () => {
    const withPlace = limitPieces();
    const opened = Promise.withResolvers<void>();
    const held = Array.from({ length: 8 }, () => withPlace('me', () => opened.promise));
    await expect(withPlace('me', async () => 'in')).rejects.toMatchObject({ code: 'too_many_uploads' });
    expect(await withPlace('another', async () => 'in')).toBe('in');
    opened.resolve();
    await Promise.all(held);
    expect(await withPlace('me', async () => 'in')).toBe('in');
  });
});

it.runIf(IS_LONG)(
  'to keep a file of a message that is deleted meanwhile, or was before, finds nothing',
  async () => {
    const { sql } = app.database.database;
    const { userId } = await app.signedIn();
    const { conversationId, ids } = await plantTree(sql, userId, lineOf(1));
    const bytes = Buffer.from('a,b');
    const file = { userId, messageId: ids[0] ?? '', keptKey: 'table:1', name: 'a.csv', bytes };
    let kept: Promise<unknown> = Promise.resolve();
    await sql.begin(async (tx) => {
      await tx`delete from conversations where id = ${conversationId}`;
      kept = keepFile(app.deps, file).catch((error: unknown) => error);
      await expect.poll(() => waitingForLock()).toBe(1);
    });
    expect(await kept).toMatchObject({ code: 'not_found' });
    await expect(keepFile(app.deps, file)).rejects.toMatchObject({ code: 'not_found' });
  },
);
