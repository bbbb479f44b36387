import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGeminiEmulator } from '#emulators/gemini/gemini-emulator.ts';
import { makeKey } from '#test/api.ts';
import { ask, creditsOf, endOf, send, textOf, waitForEnd } from '#test/chat/chat.ts';
import { type ChildProgram, startChild } from '#test/child-program.ts';
import { createClient, type TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createEmptyDatabase } from '#test/database/old-database.ts';
import { readTexts } from '#test/database/schema-texts.ts';
import { controlEmulator, type EmulatorControl } from '#test/emulator-control.ts';
import { openEvents, readEvents } from '#test/events.ts';
import { beginUpload, idOf, sendPiece } from '#test/files/files.ts';
import { IS_LONG } from '#test/runs.ts';
import { describeWithout } from '#test/skipped.ts';

const ROOT = join(import.meta.dirname, '../..');
const [, RELEASE = ''] =
  /^-- Commit ([0-9a-f]{40})$/m.exec(readFileSync(join(ROOT, 'test/upgrades/released.sql'), 'utf8')) ?? [];
const hasHistory = () =>
  spawnSync('git', ['cat-file', '-e', `${RELEASE}^{commit}`], { cwd: ROOT, stdio: 'ignore' }).status === 0;
const MISSING = [
  !IS_LONG && 'only in the long run',
  !hasHistory() && 'the last release is not in this history',
];
const SECRET = 'a secret of thirty-two characters or more';
const PRICE = 8;
/** The shortest that a server takes longer than to start is what counts; a busy machine needs a longer one. */
const SECONDS = [30, 90, 240];
const answerOf = (seconds: number) => ({ ttftMs: 50, tokens: seconds * 2, gapMs: 500, text: 'word ' });

describeWithout(
  MISSING,
  `the server of the last release (${RELEASE.slice(0, 8)}) beside the one of today`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-release-'));
    const RELEASED = join(folder, 'released');
    const programs = new Set<ChildProgram>();
    let emulator: Awaited<ReturnType<typeof startGeminiEmulator>>;
    let gemini: EmulatorControl;
    let database: TestDatabase;
    let old: Server;
    let today: Server;
    let ada: TestClient;

    interface Server {
      program: ChildProgram;
      url: string;
      as(user: TestClient): TestClient;
      visit(): TestClient;
    }

    async function start(root: string): Promise<Server> {
      const env = {
        ...{ PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: join(folder, 'data'), AUTH_SECRET: SECRET },
        ...{ DATABASE_URL: database.url, GEMINI_API_KEY: 'emulator', GEMINI_BASE_URL: emulator.url },
        ...{ COMPUTER_USE: 'off', PASSWORD_HASH_MEMORY_KIB: '8' },
      };
      const program = startChild(process.execPath, ['server/main.ts'], { cwd: root, env });
      programs.add(program);
      const { url } = JSON.parse(await program.line((line) => line.includes('"serving"'))) as { url: string };
      const visit = (cookie = '') => createClient({ url, origin: url, cookie });
      return { program, url, visit, as: ({ cookie }) => visit(cookie) };
    }

    async function stop({ program }: Server, signal: NodeJS.Signals) {
      program.process.kill(signal);
      programs.delete(program);
      return program.ended;
    }

    beforeAll(async () => {
      mkdirSync(RELEASED);
      const archive = execFileSync('git', ['archive', RELEASE], { cwd: ROOT, maxBuffer: 256 * 1_048_576 });
      execFileSync('tar', ['-x', '-C', RELEASED], { input: archive });
      symlinkSync(join(ROOT, 'node_modules'), join(RELEASED, 'node_modules'));
      emulator = await startGeminiEmulator({ port: 0 });
      gemini = controlEmulator(emulator.url);
      await gemini.pace();
      database = await createEmptyDatabase();
      old = await start(RELEASED);
      ada = old.visit();
      await ada.signUp();
    }, 300_000);
    afterAll(async () => {
      for (const { process } of programs) process.kill('SIGTERM');
      await Promise.all([...programs].map(({ ended }) => ended));
      await emulator.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Answers of the old server that run, each of a user of its own; returns what their readers have. */
    async function askLong() {
      const all = [];
      for (const seconds of SECONDS) {
        const work = answerOf(seconds);
        await gemini.work(work);
        const user = old.visit();
        await user.signUp();
        const { id } = await send(user);
        const events = await openEvents(user, `/api/messages/${id}/events`);
        await events.next(({ event }) => event === 'text');
        const isOver = () => events.received.some(({ event }) => event === 'end');
        all.push({ user, id, events, isOver, text: work.text.repeat(work.tokens) });
      }
      await gemini.reset();
      return all;
    }

    it('ends an answer that ran while the database was upgraded', async () => {
      const all = await askLong();
      today = await start(ROOT);
      const [running, ...others] = all.filter(({ isOver }) => !isOver());
      if (!running)
        throw new Error('the machine is too busy: every answer ended before the server had started');
      for (const { user, id } of others) await user.post(`/api/messages/${id}/stop`);
      const { user, id, events, text } = running;
      const followed = readEvents(today.as(user), `/api/messages/${id}/events`);
      await events.ended;
      for (const received of [events.received, await followed]) {
        expect(textOf(received)).toBe(text);
        expect(endOf(received)).toMatchObject({ status: 'completed', creditsUsed: PRICE });
      }
      expect(await creditsOf(user)).toBe(40 - PRICE);
    }, 400_000);

    it('sends and follows, and each goes on with what the other began', async () => {
      const senders = [
        [old, old],
        [old, today],
        [today, old],
      ] as const;
      for (const [sender, reader] of senders) {
        const { id } = await send(sender.as(ada));
        expect(await waitForEnd(reader.as(ada), id)).toMatchObject({
          status: 'completed',
          creditsUsed: PRICE,
        });
      }
      expect([await creditsOf(ada), await creditsOf(today.as(ada))]).toEqual([
        40 - 3 * PRICE,
        40 - 3 * PRICE,
      ]);
    });

    it('signs up, takes files and keys, and changes and finds conversations', async () => {
      const ben = old.visit();
      await ben.signUp();
      const bytes = Buffer.from('The kettle is blue.');
      const fileId = await idOf(await beginUpload(ben, bytes.length));
      expect((await sendPiece(ben, fileId, 0, bytes)).status).toBe(204);
      const stateOf = async () =>
        ((await (await ben.get(`/api/files/${fileId}`)).json()) as { state: string }).state;
      await expect.poll(stateOf, { timeout: 60_000 }).toBe('ready');
      const { id, conversationId } = await ask(ben, { content: 'a kettle', files: [fileId] });
      expect((await ben.patch(`/api/conversations/${conversationId}`, { title: 'Kettles' })).status).toBe(
        200,
      );
      for (const server of [old, today]) {
        const found = await (await server.as(ben).get('/api/conversations/search?q=kettle')).text();
        expect(found).toContain(conversationId);
        expect((await server.as(ben).get(`/api/messages/${id}`)).status).toBe(200);
        expect((await server.as(ben).get('/api/credits/entries')).status).toBe(200);
      }
      const { key } = await makeKey(ben);
      const api = new OpenAI({ baseURL: `${old.url}/v1`, apiKey: key, maxRetries: 0 });
      const messages = [{ role: 'user' as const, content: 'Say it.' }];
      const completion = await api.chat.completions.create({ model: 'gemini-2.5-flash-lite', messages });
      expect(completion.choices[0]?.message.content).toMatch(/\S/);
      const stopped = await send(ben, { content: '/emulate never-ends' });
      await (await openEvents(ben, `/api/messages/${stopped.id}/events`)).next(
        ({ event }) => event === 'text',
      );
      await ben.post(`/api/messages/${stopped.id}/stop`);
      expect((await waitForEnd(today.as(ben), stopped.id)).status).toBe('stopped');
      expect((await ben.delete(`/api/conversations/${conversationId}`)).ok).toBe(true);
      for (const server of [old, today])
        expect((await server.as(ben).get(`/api/conversations/${conversationId}`)).status).toBe(404);
    });

    it('closes what one of today left that was killed, and the other way about', async () => {
      const cia = old.visit();
      await cia.signUp();
      for (const [dying, left] of [
        ['today', 'old'],
        ['old', 'today'],
      ] as const) {
        const servers = { old, today };
        const { id } = await send(servers[dying].as(cia), { content: '/emulate never-ends' });
        const events = await openEvents(servers[dying].as(cia), `/api/messages/${id}/events`);
        await events.next((event) => event.id === 10);
        await stop(servers[dying], 'SIGKILL');
        const cut = await waitForEnd(servers[left].as(cia), id);
        expect(cut).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
        if (dying === 'today') today = await start(ROOT);
        else old = await start(RELEASED);
      }
      expect(await creditsOf(today.as(cia))).toBe(40);
    }, 300_000);

    it('started again on the upgraded database leaves its functions as they are, and is well', async () => {
      expect(await stop(old, 'SIGTERM')).toBe(0);
      old = await start(RELEASED);
      expect((await old.visit().get('/readyz')).status).toBe(200);
      const dan = old.visit();
      await dan.signUp();
      expect(await ask(dan)).toMatchObject({ status: 'completed', creditsUsed: PRICE });
      const fresh = await createTestDatabase();
      expect(await readTexts(database.database.sql)).toEqual(await readTexts(fresh.database.sql));
      await fresh.drop();
      await expectNoDrift(database.database.sql);
      for (const { output } of programs) expect(output()).not.toMatch(/"level":(50|60)/);
    });
  },
);
