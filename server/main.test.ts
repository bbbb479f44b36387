import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGeminiEmulator } from '#emulators/gemini/gemini-emulator.ts';
import { creditsOf, send, waitForEnd } from '#test/chat/chat.ts';
import { type ChildProgram, startChild } from '#test/child-program.ts';
import { createClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { createTestDatabase, databaseSettings, type TestDatabase } from '#test/database/database.ts';
import { controlEmulator, type EmulatorControl } from '#test/emulator-control.ts';
import { openEvents } from '#test/events.ts';
import { insertSession, insertUser } from '#test/factories.ts';
import { IS_LONG } from '#test/runs.ts';

const SECRET = 'a secret of at least thirty-two characters';
const FAULTS =
  'data:text/javascript,process.on("SIGUSR2",()=>{throw new Error("boom")});process.on("SIGWINCH",()=>{Promise.reject(new Error("bang"))})';

let database: TestDatabase;
let emulator: Awaited<ReturnType<typeof startGeminiEmulator>>;
let gemini: EmulatorControl;
const folder = mkdtempSync(join(tmpdir(), 'parley-main-'));

beforeAll(async () => {
  database = await createTestDatabase();
  emulator = await startGeminiEmulator({ port: 0 });
  gemini = controlEmulator(emulator.url);
});
afterAll(async () => {
  await emulator.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

function start(env: Record<string, string> = {}): ChildProgram {
  const settings = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    DATA_DIR: folder,
    ...databaseSettings(database.url),
    AUTH_SECRET: SECRET,
    GEMINI_BASE_URL: emulator.url,
    GEMINI_API_KEY: 'emulator',
    COMPUTER_USE: 'off',
    ...env,
  };
  return startChild(process.execPath, ['--import', FAULTS, 'server/main.ts'], { env: settings });
}

/** A started server, and a user signed in to it. */
async function startServer(env: Record<string, string> = {}) {
  const program = start(env);
  const line = await program.line((text) => text.includes('"serving"'));
  const { url } = JSON.parse(line) as { url: string };
  const { sql } = database.database;
  const { userId } = await insertUser(sql);
  const { cookieValue } = await insertSession(sql, userId, SECRET);
  const client = createClient({ url, origin: url, cookie: `parley.session_token=${cookieValue}` });
  return { program, url, client, userId };
}

async function readMessage(id: string) {
  const [row] = await database.database.sql<{ status: string; creditsUsed: number; response: string }[]>`
    select status, credits_used as "creditsUsed", response from messages where id = ${id}`;
  return row;
}

describe('told to stop', () => {
  it('it lets a running answer finish, tells its readers, and exits with 0', async () => {
    await gemini.work({ ttftMs: 50, tokens: 40, gapMs: 20, text: 'word ' });
    const { program, client, userId } = await startServer();
    const { id } = await send(client);
    const reader = await openEvents(client, `/api/messages/${id}/events`);
    await reader.next(({ event }) => event === 'text');
    program.process.kill('SIGTERM');
    const end = await reader.next(({ event }) => event === 'end');
    expect(end.data.message).toMatchObject({ status: 'completed', creditsUsed: 8 });
    await reader.ended;
    expect(await program.ended).toBe(0);
    expect(await readMessage(id)).toEqual({
      status: 'completed',
      creditsUsed: 8,
      response: 'word '.repeat(40),
    });
    await expectNoDrift(database.database.sql, userId);
    await gemini.reset();
  });

  it.runIf(IS_LONG)(
    'it releases what does not end within the deadline, and keeps what was written',
    async () => {
      await gemini.scenario('never-ends');
      const { program, client, userId } = await startServer({ SHUTDOWN_DEADLINE_MS: '100' });
      const { id } = await send(client);
      const reader = await openEvents(client, `/api/messages/${id}/events`);
      await reader.next(({ event }) => event === 'text');
      program.process.kill('SIGINT');
      const end = await reader.next(({ event }) => event === 'end');
      expect(end.data.message).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
      expect(await program.ended).toBe(0);
      const message = await readMessage(id);
      expect(message).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
      expect(message?.response).not.toBe('');
      await expectNoDrift(database.database.sql, userId);
    },
  );

  it.runIf(IS_LONG)('twice it waits no longer', async () => {
    await gemini.scenario('never-ends');
    const { program, client } = await startServer({ SHUTDOWN_DEADLINE_MS: '600000' });
    const { id } = await send(client);
    program.process.kill('SIGTERM');
    await program.line((text) => text.includes('"stopping"'));
    program.process.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(await readMessage(id)).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
  });

  it.runIf(IS_LONG)('while it starts it stops as soon as it has started', async () => {
    const program = start();
    await program.line((text) => text.includes('"listening"'));
    program.process.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(program.output()).toContain('"stopped"');
  });
});

describe('a fault that nobody handles', () => {
  it.runIf(IS_LONG)('as a rejection is logged and survived', async () => {
    const { program, client } = await startServer();
    program.process.kill('SIGWINCH');
    await program.line((text) => text.includes('bang'));
    expect((await waitForEnd(client, (await send(client)).id)).status).toBe('completed');
    expect(await creditsOf(client)).toBe(32);
    program.process.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  });

  it.runIf(IS_LONG)('as an exception is logged and ends the process, in order, with 1', async () => {
    const { program } = await startServer();
    program.process.kill('SIGUSR2');
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(/boom[\s\S]*"stopped"/);
  });
});

it.runIf(IS_LONG)('warns of prices that belong to no model of its routes', async () => {
  const path = join(folder, 'prices.json');
  writeFileSync(path, '{"gemini-4-argan":[{"from":"2026-11-01","input":1,"output":1}]}');
  const { program } = await startServer({ PROVIDER_PRICES_FILE: path });
  expect(await program.line((text) => text.includes('gemini-4-argan'))).toContain('that no route uses');
  program.process.kill('SIGTERM');
  expect(await program.ended).toBe(0);
});

describe('it does not start', () => {
  it.runIf(IS_LONG)('on bad settings, and tells all of them', async () => {
    const program = start({ PORT: 'x', LOG_LEVEL: 'loud', AUTH_SECRET: 'short' });
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(/PORT：[\s\S]*LOG_LEVEL：[\s\S]*AUTH_SECRET：/);
    expect(program.output()).not.toContain('short');
  });

  it.runIf(IS_LONG)('on a port that is taken, and says so', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const program = start({ PORT: String(port) });
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain(`127.0.0.1:${port} is taken; choose another port with PORT.`);
    taken.close();
  });

  it.runIf(IS_LONG)('without its database, and says so', async () => {
    const program = start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain('DATABASE_URL');
  });
});
