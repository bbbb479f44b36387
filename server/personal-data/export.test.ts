import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '#contract/chat.ts';
import type { DataExport } from '#contract/personal-data.ts';
import { DAY_MS } from '#contract/time.ts';
import { ask } from '#test/chat/chat.ts';
import { geminiBytes } from '#test/chat/gemini-bytes.ts';
import type { TestClient } from '#test/client.ts';
import { insertFile, readInfo, readPlainText, sha256Of, someBytes, upload } from '#test/files/files.ts';
import { createMailingApp, type MailingApp } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';
import { unzip } from '#test/unzip.ts';
import { deleteExpiredData } from './delete-expired-data.ts';
import { deleteTriedChunks, insertExport } from './export-store.ts';
import { runExport } from './run-export.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const POLL = { interval: 50 };
const PASSWORD = 'a canary password';

let app: MailingApp;
beforeAll(async () => {
  app = await createMailingApp({ fileJobs: { readFile: readPlainText } });
});
afterAll(() => app.close());

const read = async <T>(response: Promise<Response>) => (await (await response).json()) as T;
const exportsOf = async (client: TestClient) =>
  (await read<{ exports: DataExport[] }>(client.get('/api/me/exports'))).exports;

async function signUp() {
  const client = app.visit();
  return Object.assign(client, await client.signUp({ password: PASSWORD }));
}

async function take(client: TestClient) {
  const asked = await client.post('/api/me/export');
  expect(asked.status).toBe(202);
  await expect.poll(async () => (await exportsOf(client))[0]?.state, POLL).toBe('ready');
  const [ready] = await exportsOf(client);
  const response = await client.get(`/api/me/export/${ready?.id}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { ready, response, bytes, files: await unzip(bytes) };
}

describe('the export of everything', () => {
  it('has the profile, each conversation twice, the ledger, orders and sessions, and a guide in the user’s language', async () => {
    const client = await signUp();
    await client.patch('/api/me', { displayName: '阿达' });
    const conversationId = randomUUID();
    const first = await ask(client, { conversationId, content: '法国的首都是哪里？' });
    await ask(client, { conversationId, parentId: first.id, content: '那德国呢？' });
    const { response, files, ready, bytes } = await take(client);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="parley-\d{4}-\d\d-\d\d\.zip"$/,
    );
    expect(ready?.size).toBe(bytes.length);
    const text = (name: string) => files.get(name)?.toString() ?? '';
    const names = [...files.keys()];
    expect(names.filter((name) => name.startsWith('conversations/'))).toHaveLength(2);
    expect(text(names.find((name) => name.endsWith('.md')) ?? '')).toContain('那德国呢？');
    const tree = JSON.parse(text(names.find((name) => /^conversations\/.*\.json$/.test(name)) ?? ''));
    expect(tree.messages.map(({ content }: { content: string }) => content)).toEqual([
      '法国的首都是哪里？',
      '那德国呢？',
    ]);
    expect(JSON.parse(text('profile.json'))).toMatchObject({
      email: client.email,
      displayName: '阿达',
      signsInBy: [{ by: 'password' }],
    });
    expect(JSON.parse(text('credits.json')).at(-1)).toMatchObject({ reason: 'free_month', amount: 40 });
    expect(text('credits.csv')).toContain('40');
    expect(JSON.parse(text('orders.json'))).toEqual([]);
    expect(JSON.parse(text('sessions.json'))).toHaveLength(1);
    expect(text('README.txt')).toContain('对谈');
  });

  it('has the files as they are stored, two of one name too, and a list with their hashes', async () => {
    const client = await signUp();
    const contents = [someBytes(1_300_000), someBytes(20)];
    const ids = await Promise.all(contents.map((bytes) => upload(client, bytes, '合同.txt')));
    for (const id of ids) await expect.poll(async () => (await readInfo(client, id)).state).toBe('ready');
    const { files } = await take(client);
    const list = JSON.parse(files.get('files.json')?.toString() ?? '') as {
      id: string;
      path: string;
      sha256: string;
    }[];
    expect(list.map(({ id }) => id).sort()).toEqual([...ids].sort());
    for (const { id, path, sha256 } of list) {
      expect(path).toMatch(/^files\/\d{4}-\d\d-\d\d \w{8} 合同\.txt$/);
      expect(sha256Of(files.get(path) ?? Buffer.alloc(0))).toBe(sha256);
      expect(sha256).toBe(sha256Of(contents[ids.indexOf(id)] ?? Buffer.alloc(0)));
    }
  });

  it('has what a browser did and what was made, with links to the files beside, and conversations without anything', async () => {
    const client = await signUp();
    const { sql } = app.database.database;
    const { id, conversationId } = await ask(client, { content: '价格是多少？' });
    const fileId = await insertFile(sql, client.userId, { conversationId, name: 'step (1) [a].jpg' });
    const step = { kind: 'step', intent: '打开商店', action: 'click', args: '{}', url: 'http://shop.test/' };
    const parts = [
      { ...step, n: 1, fileId, at: 0, ms: 1 },
      { ...step, n: 2, fileId: null, at: 0, ms: 1, intent: '' },
      { kind: 'image', fileId, alt: 'A bridge' },
      { kind: 'image', fileId: randomUUID(), alt: 'deleted' },
      {
        ...{ kind: 'table', n: 1, title: '价目表', url: 'http://shop.test/', hasHead: false, isCut: false },
        rows: [
          ['龙井', '168'],
          ['碧螺春', '152'],
        ],
      },
    ];
    await sql`update messages set output = ${JSON.stringify({ parts })}::text::jsonb, response = '' where id = ${id}`;
    await sql`insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
              values (${randomUUID()}, ${client.userId}, 'empty', 'empty', now(), now())`;
    const { files } = await take(client);
    const [empty, full] = [...files]
      .filter(([name]) => name.endsWith('.md'))
      .map(([, bytes]) => bytes.toString())
      .toSorted((one, other) => one.length - other.length);
    expect(empty).toContain('# empty');
    const links = [...(full ?? '').matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link ?? '');
    expect(links).toHaveLength(3);
    expect(full).toContain('1. 打开商店 — <http://shop.test/> · [第 1 步之后的页面](../files/');
    expect(full).toContain('2. 点击 — <http://shop.test/>\n');
    expect(full).toContain('**价目表** · <http://shop.test/>\n\n|  |  |\n| --- | --- |\n| 龙井 | 168 |\n');
    const asJson = await client.get(`/api/conversations/${conversationId}/export?format=json`);
    expect(((await asJson.json()) as { messages: Message[] }).messages[0]?.parts?.at(-1)).toEqual(
      parts.at(-1),
    );
    for (const link of links.slice(0, 2))
      expect(files.get(decodeURIComponent(link.replace('../', '')))?.toString()).toBe('text');
  });

  it('has a file whose name is longer than file systems store, under its beginning and ending', async () => {
    const client = await signUp();
    await upload(client, someBytes(20), `${'文'.repeat(190)}.txt`);
    const { files } = await take(client);
    const path = [...files.keys()].find((name) => name.startsWith('files/')) ?? '';
    expect(path).toMatch(/^files\/\d{4}-\d\d-\d\d \w{8} 文+\.txt$/);
    expect(Buffer.byteLength(path.replace('files/', ''))).toBeLessThanOrEqual(255);
  });

  it('has every conversation of one long title', async () => {
    const client = await signUp();
    const contents = ['the first words', 'the second words'];
    for (const content of contents) {
      const { conversationId } = await ask(client, { content });
      await client.patch(`/api/conversations/${conversationId}`, { title: '会议纪要'.repeat(50) });
    }
    const { files } = await take(client);
    const texts = [...files].filter(([name]) => name.endsWith('.md')).map(([, bytes]) => String(bytes));
    for (const content of contents) expect(texts.join()).toContain(content);
  });

  it('has from where its user logged in, what ways to log in are called, other addresses, and revoked keys', async () => {
    const client = await signUp();
    const { sql } = app.database.database;
    const { userId } = client;
    const secret = randomUUID();
    await sql`insert into known_devices (user_id, browser, network, seen_at)
              values (${userId}, 'Firefox · Linux', '203.0.113.7', now() - interval '1 day')`;
    await sql`insert into identities (id, user_id, provider_id, account_id, account_name)
              values (${randomUUID()}, ${userId}, 'google', ${secret}, 'ada@gmail.test')`;
    await sql`
      insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, synced, created_at)
      values (${randomUUID()}, ${userId}, ${secret}, '\\x00', 0, '{}', '旧手机', false, now())`;
    await sql`insert into email_changes (id, user_id, new_email, expires_at)
              values (${randomUUID()}, ${userId}, 'next@example.test', now() + interval '1 day')`;
    await sql`insert into billing.account (user_id) values (${userId})`;
    await sql`
      insert into billing.orders (id, user_id, provider, product_id, plan_key, cycle, price_minor, currency, credits, created_at,
                                  buyer_email)
      values (${randomUUID()}, ${userId}, 'creem', 'p', 'gemini_basic', 'monthly', 690, 'USD', 1000, now(), 'former@example.test')`;
    const key = await read<{ id: string }>(client.post('/api/keys', { name: 'old key' }));
    expect((await client.delete(`/api/keys/${key.id}`)).status).toBe(204);
    const { files } = await take(client);
    const parsed = (name: string) => JSON.parse(files.get(name)?.toString() ?? '');
    expect(parsed('devices.json')).toEqual([
      { browser: 'other', network: expect.any(String), seenAt: expect.any(Number) },
      { browser: 'Firefox · Linux', network: '203.0.113.7', seenAt: expect.any(Number) },
    ]);
    expect(parsed('profile.json')).toMatchObject({
      emailVerified: false,
      emailChange: { email: 'next@example.test' },
      language: 'zh',
      signsInBy: [
        { by: 'password', name: null, since: expect.any(Number) },
        { by: 'google', name: 'ada@gmail.test' },
        { by: 'passkey', name: '旧手机', usedAt: null },
      ],
    });
    expect(parsed('orders.json')).toMatchObject([{ buyerEmail: 'former@example.test' }]);
    expect(parsed('api-keys.json')).toMatchObject([{ name: 'old key', revokedAt: expect.any(Number) }]);
    expect(files.get('README.txt')?.toString()).toContain('devices.json');
    expect([...files.values()].map(String).join()).not.toContain(secret);
  });

  it('has the parts of an answer of the API', async () => {
    const client = await signUp();
    const written = ['{"executableCode":{"language":"PYTHON","code":"print(1)"}}', '{"text":"One."}'];
    await app.gemini.scenario('verbatim', { params: { bytes: geminiBytes([written]) } });
    const messages = [{ role: 'user', content: 'Count.' }];
    expect((await client.post('/api/completions', { model: 'parley-flash', messages })).status).toBe(200);
    const { files } = await take(client);
    expect(JSON.parse(files.get('api-answers.json')?.toString() ?? '')).toMatchObject([
      {
        answer: 'One.',
        parts: [
          { kind: 'code', language: 'python', code: 'print(1)' },
          { kind: 'text', text: 'One.' },
        ],
      },
    ]);
  });

  it('tells nothing that lets somebody in, and nothing of another user', async () => {
    const [client, stranger] = [await signUp(), await signUp()];
    await stranger.patch('/api/me', { displayName: 'Canary Stranger' });
    await ask(stranger, { content: 'a canary secret of the stranger' });
    const key = await read<Record<string, unknown>>(client.post('/api/keys', { name: 'visible name' }));
    const { files } = await take(client);
    const all = [...files.values()].map(String).join('\n');
    expect(all).toContain('visible name');
    const { sql } = app.database.database;
    const [secret] = await sql`
      select i.password, s.token, encode(k.hash, 'hex') as hash
        from identities i join sessions s using (user_id) join api_keys k using (user_id) where user_id = ${client.userId}`;
    const secrets = [PASSWORD, ...Object.values(secret ?? {}), key.secret ?? key.key];
    expect(secrets.length).toBeGreaterThanOrEqual(5);
    for (const each of [...secrets, 'anary']) expect(all).not.toContain(String(each));
  });

  it('is given to its user only, and not after a week', async () => {
    const [client, stranger] = [await signUp(), await signUp()];
    const { ready } = await take(client);
    const path = `/api/me/export/${ready?.id}`;
    expect((await stranger.get(path)).status).toBe(404);
    expect((await app.visit().get(path)).status).toBe(401);
    await app.database.database.sql`update exports set expires_at = now() where id = ${ready?.id ?? ''}`;
    expect((await client.get(path)).status).toBe(404);
    expect(await exportsOf(client)).toEqual([]);
  });

  it('takes the place of the former one once it is ready', async () => {
    const client = await signUp();
    const [{ ready: former }, { ready }] = [await take(client), await take(client)];
    expect((await exportsOf(client)).map(({ id }) => id)).toEqual([ready?.id]);
    expect((await client.get(`/api/me/export/${former?.id}`)).status).toBe(404);
    const { sql } = app.database.database;
    const kept = async () => {
      await deleteExpiredData(app.deps);
      const rows = await sql`select export_id from export_chunks c join exports e on e.id = c.export_id
                              where e.user_id = ${client.userId} group by 1`;
      return rows.map((row) => row.export_id).sort();
    };
    // A download that had begun goes on.
    expect(await kept()).toEqual([former?.id, ready?.id].sort());
    await sql`update exports set expires_at = expires_at - interval '1 hour' where id = ${former?.id ?? ''}`;
    expect(await kept()).toEqual([ready?.id]);
  });

  it('is listed until a newer one is ready, however many failed since', async () => {
    const client = await signUp();
    const { ready } = await take(client);
    await app.database.database.sql`
      insert into exports (id, user_id, language, state, requested_at, next_try_at, ended_at)
      select gen_random_uuid(), ${client.userId}, 'en', 'failed', now(), now(), now() from generate_series(1, 40)`;
    expect((await exportsOf(client)).filter(({ state }) => state === 'ready')).toEqual([ready]);
  });

  it('is given up at once where it is too large, and keeps nothing', async () => {
    const client = await signUp();
    const { sql } = app.database.database;
    const later = new Date(Date.now() + DAY_MS);
    const wanted = await insertExport(sql, client.userId, 'en', later);
    await sql`update exports set tries = 1 where id = ${wanted.id}`;
    await runExport(app.deps, { ...wanted, tries: 1 }, 100);
    const [row] = await sql`select state, error from exports where id = ${wanted.id}`;
    expect(row).toEqual({ state: 'failed', error: expect.stringContaining('larger than 100 bytes') });
    expect(await sql`select from export_chunks where export_id = ${wanted.id}`).toHaveLength(0);
  });

  it('is made however much the user’s files take: the bound is for the rest', async () => {
    const client = await signUp();
    const id = await upload(client, someBytes(400_000), 'large.txt');
    await expect.poll(async () => (await readInfo(client, id)).state).toBe('ready');
    const { sql } = app.database.database;
    const wanted = await insertExport(sql, client.userId, 'en', new Date(Date.now() + DAY_MS));
    await sql`update exports set tries = 1 where id = ${wanted.id}`;
    await runExport(app.deps, { ...wanted, tries: 1 }, 100_000);
    const [row] = await sql`select state, error, size::int as size from exports where id = ${wanted.id}`;
    expect(row).toMatchObject({ state: 'ready', error: null });
    expect(row?.size).toBeGreaterThan(200_000);
    // As after an attempt that was not told that it had ended well.
    expect(await deleteTriedChunks(sql, { id: wanted.id, tries: 1 }, 1_000)).toBe(0);
  });

  it('is told of by one mail, which leads to the profile', async () => {
    const client = await signUp();
    const before = (await app.mailbox.list(client.email)).length;
    await take(client);
    await expect
      .poll(
        async () =>
          (await app.mailbox.list(client.email)).filter(({ text }) => text.includes('/profile/data#data')),
        POLL,
      )
      .toHaveLength(1);
    expect((await app.mailbox.list(client.email)).length).toBeGreaterThan(before);
  });

  it('asked for twenty times at once is made once, and a few times a day', async () => {
    const client = await signUp();
    const asked = await Promise.all(Array.from({ length: 20 }, () => client.post('/api/me/export')));
    const ids = await Promise.all(
      asked.filter(({ ok }) => ok).map(async (each) => ((await each.json()) as DataExport).id),
    );
    expect(new Set(ids).size).toBeLessThanOrEqual(5);
    const [row] = await app.database.database.sql`
      select count(*) filter (where state = 'waiting')::int as waiting from exports where user_id = ${client.userId}`;
    expect(row?.waiting).toBeLessThanOrEqual(1);
    for (let time = 0; time < 6; time += 1) {
      await expect.poll(async () => (await exportsOf(client))[0]?.state, POLL).toBe('ready');
      await client.post('/api/me/export');
    }
    expect((await client.post('/api/me/export')).status).toBe(429);
  });

  it('asks for a fresh proof when it is asked for, and when it is taken, in each browser', async () => {
    const client = await signUp();
    const { ready } = await take(client);
    const path = `/api/me/export/${ready?.id}`;
    const elsewhere = app.visit();
    await elsewhere.post('/api/auth/sign-in/email', { email: client.email, password: PASSWORD });
    await app.database.database.sql`
      update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${client.userId}`;
    for (const refused of [await client.post('/api/me/export'), await client.get(path)])
      expect([refused.status, await refused.json()]).toMatchObject([
        403,
        { error: { code: 'confirmation_required' } },
      ]);
    expect((await client.post('/api/me/confirm', { password: PASSWORD })).status).toBeLessThan(300);
    expect((await elsewhere.get(path)).status).toBe(403);
    expect((await client.request(path, { method: 'HEAD' })).status).toBe(200);
    const taken = await client.get(path);
    expect([taken.status, (await taken.arrayBuffer()).byteLength]).toEqual([200, ready?.size]);
  });

  it.runIf(IS_LONG)('of 50,000 messages is made in flat memory', async () => {
    const client = await signUp();
    const { sql } = app.database.database;
    await sql`
      insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
      select gen_random_uuid(), ${client.userId}, 'many ' || n, 'many', now(), now() from generate_series(1, 2500) n`;
    await sql`
      insert into messages (id, user_id, conversation_id, model, content, response, status, cost, credits_used, owner, created_at,
                            ended_at, end_seq)
      select gen_random_uuid(), user_id, id, 'gemini-2.5-flash-lite', 'question ' || n, repeat(md5(n::text || id::text), 45),
             'completed', 1, 1, gen_random_uuid(), now(), now(), 2
        from conversations, generate_series(1, 20) n where user_id = ${client.userId}`;
    const liveBytes = () => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = liveBytes();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, liveBytes() - before);
    }, 1_500);
    await client.post('/api/me/export');
    await expect
      .poll(async () => (await exportsOf(client))[0]?.state, { timeout: 400_000, interval: 200 })
      .toBe('ready');
    clearInterval(watch);
    const [ready] = await exportsOf(client);
    const file = await client.get(`/api/me/export/${ready?.id}`);
    const files = await unzip(Buffer.from(await file.arrayBuffer()));
    expect([...files.keys()].filter((name) => name.endsWith('.md'))).toHaveLength(2_500);
    expect([...files.values()].reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(90_000_000);
    expect(most).toBeGreaterThan(0);
    // Two hundred files are open at once; on a busy machine more of them is read before it is written.
    expect(most).toBeLessThan(60_000_000);
  });
});
