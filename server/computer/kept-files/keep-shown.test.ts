import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { KeepRequest, Kept, KeptList } from '#contract/message/computer.ts';
import type { FilePage, FileText, FileUsage } from '#contract/message/files.ts';
import type { StepPart } from '#contract/message/parts.ts';
import { listAllFiles } from '#server/files/message-files/list-conversation-files.ts';
import { keepFile } from '#server/files/uploads/keep-file.ts';
import type { TestApp } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import {
  type ComputerApp,
  createComputerApp,
  partsOf,
  readTask,
  sendTask,
  waitForTask,
} from '#test/computer/computer.ts';
import { callOf } from '#test/computer/played-model.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';
import { insertFile } from '#test/files/files.ts';
import { hostileArchives } from '#test/hostile-files/hostile-archives.ts';
import { findHostile } from '#test/hostile-files/hostile-file.ts';
import { IS_LONG } from '#test/runs.ts';

const MEGABYTE = 1_048_576;
const CSV = 'name,price\n龙井,168\n';

let shop: Server;
let app: ComputerApp;
let beside: TestApp;
/** What the shop was asked for, and how it answers. */
const asked: { url: string; cookie: string | undefined }[] = [];
let answer: (response: ServerResponse) => void;
const give = (bytes: Uint8Array | string, type = 'text/csv') => {
  answer = (response) => response.setHeader('content-type', type).end(bytes);
};

beforeAll(async () => {
  shop = createServer(({ url = '', headers }, response) => {
    asked.push({ url, cookie: headers.cookie });
    answer(response);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', () => resolve()));
  const { port } = shop.address() as AddressInfo;
  const env = {
    COMPUTER_TEST_HOSTS: `shop.test=127.0.0.1:${port}`,
    FILE_LIMIT_MB: '1',
    FILE_QUOTA_PRO_MB: '3',
  };
  app = await createComputerApp({ env });
  beside = await app.openBeside(env);
});
beforeEach(() => {
  asked.length = 0;
  give(CSV);
  // A process looks through each picture.
  app.host.play(() => ({ files: [offered()], jpeg: null }));
  app.model.play([callOf('click', { x: 1, y: 1 })]);
});
afterAll(async () => {
  await beside.close();
  await app.close();
  shop.closeAllConnections();
  shop.close();
});

const offered = (over = {}) => ({
  ...{ name: 'prices.csv', bytes: CSV.length, site: 'shop.test', url: 'http://shop.test/prices.csv' },
  ...over,
});

/** The steps that follow have a picture. */
const withPicture = () => app.host.play(() => ({ files: [offered()] }));

/** A run that has ended, of one step at which a page offered a file. */
async function endedRun(client?: TestClient) {
  const user = client ?? (await app.pro());
  const { id, conversationId } = await waitForTask(user, (await sendTask(user)).id);
  return { user: user as Awaited<ReturnType<ComputerApp['pro']>>, id, conversationId };
}

const FILE: KeepRequest = { step: 1, what: 'file', n: 1 };
const PICTURE: KeepRequest = { step: 1, what: 'picture' };
const keep = (client: TestClient, id: string, thing: KeepRequest = FILE) =>
  client.post(`/api/messages/${id}/kept`, thing);
const keptOf = async (answered: Response) => (await answered.json()) as Kept;
const codeOf = async (answered: Response) => ((await answered.json()) as ErrorBody).error.code;
const listOf = async (client: TestClient, id: string) =>
  ((await (await client.get(`/api/messages/${id}/kept`)).json()) as KeptList).kept;
const filesOf = async (client: TestClient, id: string) =>
  ((await (await client.get(`/api/conversations/${id}/files`)).json()) as FilePage).files;

describe('a file that a page offered', () => {
  it('is named by its step, and nothing of it is asked for or stored before its user keeps it', async () => {
    withPicture();
    const { user, id, conversationId } = await endedRun();
    const [step] = partsOf(await readTask(user, id), 'step');
    expect(step?.files).toEqual([offered()]);
    expect(asked).toEqual([]);
    expect((await filesOf(user, conversationId)).map(({ name }) => name)).toEqual(['step-1.jpg']);
    const told = JSON.stringify(app.model.asked.at(-1)?.body.contents);
    expect(told).toContain('"offered_files":["prices.csv"]');
  });

  it('becomes a file of the conversation that no turn reads, charged nothing, and is exported', async () => {
    const { user, id, conversationId } = await endedRun();
    const { key, file } = await keptOf(await keep(user, id));
    expect(file).toMatchObject({ name: 'prices.csv', type: 'text/plain', state: 'ready', everyTurn: false });
    expect(asked).toEqual([{ url: '/prices.csv', cookie: undefined }]);
    expect(await (await user.get(`/api/files/${file.id}/content`)).text()).toBe(CSV);
    expect(((await (await user.get(`/api/files/${file.id}/text`)).json()) as FileText).text).toBe(CSV);
    expect((await filesOf(user, conversationId)).map((one) => one.id)).toContain(file.id);
    expect(await listOf(user, id)).toEqual([{ key, file }]);
    const exported: string[] = [];
    for await (const { name } of listAllFiles(app.deps, user.userId)) exported.push(name);
    expect(exported).toContain('prices.csv');
    expect(await readTask(user, id)).toMatchObject({ creditsUsed: 15 });
    await expectNoDrift(app.database.database.sql, user.userId);
  });

  it('is read by later turns once its user says so, and not before', async () => {
    const { user, id, conversationId } = await endedRun();
    const { file } = await keptOf(await keep(user, id));
    const next = async (parentId: string) => {
      app.model.play();
      const sent = await waitForTask(user, (await sendTask(user, { conversationId, parentId })).id);
      return { id: sent.id, told: JSON.stringify(app.model.asked.at(-1)?.body.contents) };
    };
    const before = await next(id);
    expect(before.told).not.toContain('龙井');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ everyTurn: true });
    await user.request(`/api/files/${file.id}/every-turn`, { method: 'PUT', headers, body });
    expect((await next(before.id)).told).toContain('龙井');
  });

  it('can be kept while its run goes on, at any process', async () => {
    const user = await app.pro();
    app.model.play([callOf('click', { x: 1, y: 1 })], 'never');
    const { id } = await sendTask(user);
    const elsewhere = beside.visit({ cookie: user.cookie });
    let kept = await keep(elsewhere, id);
    await expect
      .poll(async () => {
        kept = await keep(elsewhere, id);
        return kept.status;
      })
      .toBe(200);
    expect((await keptOf(kept)).file.state).toBe('ready');
    await user.post(`/api/messages/${id}/stop`);
    await waitForTask(user, id);
    expect(await listOf(user, id)).toHaveLength(1);
  });

  it.runIf(IS_LONG)('is kept although its run ends before it arrives, and no log had the step', async () => {
    const user = await app.pro();
    app.model.play([callOf('click', { x: 1, y: 1 })], 'never');
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = app.database.database.sql.begin(async (tx) => {
      await tx`lock table message_events in exclusive mode`;
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const { id } = await sendTask(user);
    const reader = await openEvents(user, `/api/messages/${id}/events`);
    await reader.next(({ event, data }) => event === 'part' && (data.part as StepPart).kind === 'step');
    const pressed = keep(user, id);
    expect((await user.post(`/api/messages/${id}/stop`)).ok).toBe(true);
    // Answered so soon, it was not found.
    await Promise.race([pressed, sleep(500)]);
    release.resolve();
    await holding;
    expect((await pressed).status).toBe(200);
    expect((await waitForTask(user, id)).status).toBe('stopped');
    expect(await listOf(user, id)).toHaveLength(1);
    await reader.ended;
  });

  it.runIf(IS_LONG)('is one file, however often asked for; deleted, it can be kept again', async () => {
    const { user, id } = await endedRun();
    const tabs = [user, beside.visit({ cookie: user.cookie }), user, beside.visit({ cookie: user.cookie })];
    const answers = await Promise.all(tabs.map((tab) => keep(tab, id)));
    const kept = await Promise.all(answers.map(keptOf));
    expect(new Set(kept.map(({ file }) => file.id)).size).toBe(1);
    expect(await listOf(user, id)).toHaveLength(1);
    const before = kept[0]?.file.id ?? '';
    const [row] = await app.database.database.sql<{ n: number }[]>`
      select count(*)::int as n from files where user_id = ${user.userId} and kept_of is not null`;
    expect(row?.n).toBe(1);
    await user.delete(`/api/files/${before}`);
    expect((await keptOf(await keep(user, id))).file.id).not.toBe(before);
  });

  it.runIf(IS_LONG)('is one file, whichever process has read it first', async () => {
    const { user, id } = await endedRun();
    const file = {
      userId: user.userId,
      messageId: id,
      keptKey: 'file:1:1',
      name: 'a.csv',
      bytes: Buffer.from(CSV),
    };
    const kept = await Promise.all([app, beside, app].map(({ deps }) => keepFile(deps, file)));
    expect(new Set(kept.map((one) => one.id)).size).toBe(1);
    expect(await listOf(user, id)).toHaveLength(1);
  });

  it('of another user is not there', async () => {
    withPicture();
    const { user, id } = await endedRun();
    const stranger = await app.pro();
    for (const thing of [FILE, PICTURE]) expect((await keep(stranger, id, thing)).status).toBe(404);
    expect((await stranger.get(`/api/messages/${id}/kept`)).status).toBe(404);
    await keep(user, id);
    expect((await stranger.get(`/api/messages/${id}/kept`)).status).toBe(404);
    expect(asked).toHaveLength(1);
  });

  it('that no step named is not there', async () => {
    const { user, id } = await endedRun();
    const others: KeepRequest[] = [
      { step: 1, what: 'file', n: 2 },
      { step: 2, what: 'file', n: 1 },
      { step: 2, what: 'picture' },
    ];
    for (const thing of others) expect((await keep(user, id, thing)).status).toBe(404);
    const address = { ...FILE, url: 'http://shop.test/other' };
    expect((await user.post(`/api/messages/${id}/kept`, address)).status).toBe(422);
    expect(asked).toEqual([]);
  });

  it.runIf(IS_LONG)('goes with its conversation, from which nothing can be kept any more', async () => {
    withPicture();
    const { user, id, conversationId } = await endedRun();
    const { file } = await keptOf(await keep(user, id));
    await user.delete(`/api/conversations/${conversationId}`);
    expect((await user.get(`/api/files/${file.id}`)).status).toBe(404);
    expect((await keep(user, id, PICTURE)).status).toBe(404);
  });

  it.runIf(IS_LONG)('has a name without folders, control characters and marks that turn text', async () => {
    app.host.play(() => ({ jpeg: null, files: [offered({ name: '../../a\u202Egpj.exe\n\u0007.csv' })] }));
    const { user, id } = await endedRun();
    expect(partsOf(await readTask(user, id), 'step')[0]?.files?.[0]?.name).toBe('agpj.exe .csv');
    expect((await keptOf(await keep(user, id))).file.name).toBe('agpj.exe .csv');
  });
});

it('a file whose address has what was typed into a secret field is not offered', async () => {
  const user = await app.pro();
  app.host.play(({ action }) =>
    action === 'type'
      ? { jpeg: null, sensitive: true }
      : { jpeg: null, files: [offered({ url: 'http://shop.test/?code=hunter22' })] },
  );
  app.model.play([callOf('type', { text: 'hunter22' })], [callOf('click', { x: 1, y: 1 })]);
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(partsOf(message, 'step').map(({ files }) => files)).toEqual([undefined, undefined]);
  expect(JSON.stringify(message)).not.toContain('hunter22');
});

describe('a file that cannot be kept', () => {
  const large = Buffer.alloc(MEGABYTE + 1, 'a');

  it.each<[string, () => void, string]>([
    ['is larger than a file may be', () => give(large), 'file_too_large'],
    [
      'is larger than it says, without end',
      () => {
        answer = (response) => {
          response.setHeader('content-type', 'text/csv');
          const more = () => response.destroyed || response.write(large, more);
          more();
        };
      },
      'file_too_large',
    ],
    ['is empty', () => give(''), 'file_empty'],
    ['is a program', () => give(Buffer.from('7f454c460201', 'hex')), 'file_type_unsupported'],
    [
      'is an archive that unpacks to far too much',
      () => give(findHostile(hostileArchives(), 'bomb of spaces').bytes),
      'file_too_complex',
    ],
    ['is a page that asks to sign in', () => give('<form>', 'text/html; charset=utf-8'), 'file_not_given'],
    [
      'is refused',
      () => {
        answer = (response) => response.writeHead(403).end();
      },
      'file_not_given',
    ],
    [
      'leads to this machine',
      () => {
        answer = (response) => response.writeHead(302, { location: 'https://127.0.0.1/x' }).end();
      },
      'file_not_given',
    ],
  ])('because it %s leaves nothing behind', async (_name, play, code) => {
    const { user, id, conversationId } = await endedRun();
    const usage = await usageOf(user);
    play();
    expect(await codeOf(await keep(user, id))).toBe(code);
    expect(await listOf(user, id)).toEqual([]);
    expect(await filesOf(user, conversationId)).toEqual([]);
    expect(await usageOf(user)).toEqual(usage);
  });

  it('is not asked for where its page says that it is too large', async () => {
    app.host.play(() => ({ jpeg: null, files: [offered({ bytes: 2 * MEGABYTE })] }));
    const { user, id } = await endedRun();
    expect(await codeOf(await keep(user, id))).toBe('file_too_large');
    expect(asked).toEqual([]);
  });

  it.runIf(IS_LONG)('finds no room where the storage is full, and is kept once there is', async () => {
    withPicture();
    const { user, id } = await endedRun();
    const { sql } = app.database.database;
    const full = await insertFile(sql, user.userId, { bytes: Buffer.alloc(3 * MEGABYTE) });
    expect(await codeOf(await keep(user, id))).toBe('file_storage_full');
    expect(await codeOf(await keep(user, id, PICTURE))).toBe('file_storage_full');
    await user.delete(`/api/files/${full}`);
    expect((await keep(user, id)).status).toBe(200);
  });

  it.runIf(IS_LONG)('fills no more than the storage, and four places, whatever is kept at once', async () => {
    app.host.play(() => ({
      jpeg: null,
      files: Array.from({ length: 5 }, (_, n) => offered({ url: `http://shop.test/${n}`, bytes: null })),
    }));
    const { user, id } = await endedRun();
    give(Buffer.alloc(900_000, 'a'));
    const things = Array.from({ length: 5 }, (_, n): KeepRequest => ({ step: 1, what: 'file', n: n + 1 }));
    const answers = await Promise.all(things.map((thing) => keep(user, id, thing)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 429]);
    expect((await usageOf(user)).bytes).toBeLessThanOrEqual(3 * MEGABYTE);
  });

  it('is asked for at its site twenty times in a minute at most', async () => {
    const { user, id } = await endedRun();
    answer = (response) => response.writeHead(404).end();
    for (let n = 0; n < 20; n += 1) expect(await codeOf(await keep(user, id))).toBe('file_not_given');
    expect(await codeOf(await keep(user, id))).toBe('rate_limited');
    expect(asked).toHaveLength(20);
  });

  async function usageOf(user: TestClient): Promise<FileUsage> {
    return (await (await user.get('/api/files/usage')).json()) as FileUsage;
  }
});

describe('the picture of a step', () => {
  it('becomes a file of its own, named by its site, that stays when the picture of the step goes', async () => {
    withPicture();
    const { user, id, conversationId } = await endedRun();
    const [step] = partsOf(await readTask(user, id), 'step');
    const { key, file } = await keptOf(await keep(user, id, PICTURE));
    expect(key).toBe('picture:1');
    expect(file).toMatchObject({ name: 'shop.test-1.jpg', type: 'image/jpeg', hasThumbnail: true });
    expect(file.id).not.toBe(step?.fileId);
    await user.delete(`/api/files/${step?.fileId}`);
    expect((await filesOf(user, conversationId)).map((one) => one.id)).toEqual([file.id]);
    expect((await user.get(`/api/files/${file.id}/content`)).status).toBe(200);
    expect((await keptOf(await keep(user, id, PICTURE))).file.id).toBe(file.id);
  });

  it.runIf(IS_LONG)('is kept while all places are taken by files whose sites are slow', async () => {
    const files = Array.from({ length: 4 }, (_, n) => offered({ url: `http://shop.test/${n}` }));
    app.host.play(() => ({ jpeg: null, files }));
    const slow: ServerResponse[] = [];
    answer = (response) => slow.push(response);
    const next = () => {
      app.model.play([callOf('click', { x: 1, y: 1 })]);
      return endedRun();
    };
    const runs = [await next(), await next()];
    withPicture();
    const { user, id } = await next();
    const kept = runs.flatMap((run) =>
      [1, 2, 3, 4].map((n) => keep(run.user, run.id, { step: 1, what: 'file', n })),
    );
    await expect.poll(() => slow.length).toBe(8);
    expect((await keep(user, id, PICTURE)).status).toBe(200);
    for (const response of slow) response.writeHead(404).end();
    for (const answered of kept) expect(await codeOf(await answered)).toBe('file_not_given');
  });

  it('that could not be kept is not there', async () => {
    app.host.play(() => ({ jpeg: null }));
    const { user, id } = await endedRun();
    expect((await keep(user, id, PICTURE)).status).toBe(404);
  });
});
