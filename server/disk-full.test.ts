import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGeminiEmulator } from '#emulators/gemini/gemini-emulator.ts';
import type { Emulator } from '#emulators/http-server.ts';
import { openConnection } from '#server/admin/copies/open-connection.ts';
import { findProgram } from '#server/computer/host/walls/find-programs.ts';
import { readPidFile } from '#server/platform/postgres/postgres-orphan.ts';
import { ask, creditsOf, draft, refusal, send, waitForEnd } from '#test/chat/chat.ts';
import { startChild } from '#test/child-program.ts';
import { createClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { controlEmulator } from '#test/emulator-control.ts';
import { beginUpload, idOf, sendPiece } from '#test/files/files.ts';
import { IS_LONG } from '#test/runs.ts';
import { describeWithout } from '#test/skipped.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BWRAP = findProgram('bwrap', process.env.PATH ?? '');
const MISSING = [!IS_LONG && 'only in the long run', BWRAP === null && 'bubblewrap is not installed'];
/** Room for a new database and little more. */
const DISK_MB = 300;

describeWithout(MISSING, 'a disk without room', () => {
  let gemini: Emulator;
  let dataDir: string;
  beforeAll(async () => {
    gemini = await startGeminiEmulator({ port: 0 });
    dataDir = mkdtempSync(join(tmpdir(), 'parley-disk-'));
    chmodSync(dataDir, 0o755);
  });
  afterAll(async () => {
    await gemini?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** The server with its own PostgreSQL, on a disk of `DISK_MB` of its own. */
  function start() {
    const disk = ['--dev-bind', '/', '/', '--size', String(DISK_MB * 2 ** 20), '--tmpfs', dataDir];
    const rights = process.getuid?.() === 0 ? ['--cap-add', 'ALL'] : [];
    const server = ['--die-with-parent', '--chdir', ROOT, process.execPath, 'server/main.ts'];
    return startChild(BWRAP ?? '', [...disk, ...rights, ...server], {
      env: {
        PATH: process.env.PATH ?? '',
        PORT: '0',
        DATA_DIR: dataDir,
        GEMINI_API_KEY: 'emulator',
        GEMINI_BASE_URL: gemini.url,
        COMPUTER_USE: 'off',
      },
    });
  }

  it('refuses what is new for a while, finishes what runs, loses and charges nothing, and goes on once there is room', async () => {
    const program = start();
    const { url } = JSON.parse(await program.line((line) => line.includes('"serving"'))) as { url: string };
    const { pid } = program.process;
    const server = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const disk = join(`/proc/${server}/root`, dataDir);
    const filler = join(disk, 'filler');
    const user = createClient({ url, origin: url });
    await user.signUp();
    const text = randomBytes(4_000).toString('hex');
    await controlEmulator(gemini.url).work({ ttftMs: 50, tokens: 80, gapMs: 200, text });
    const running = await send(user);
    const file = randomBytes(100_000);
    const fileId = await idOf(await beginUpload(user, file.length));
    const refused = await writeFile(filler, Buffer.alloc(DISK_MB * 2 ** 20)).catch((error) => error);
    expect(refused).toMatchObject({ code: 'ENOSPC' });
    await expect.poll(program.output).toContain('the event log could not be written');

    const news = [
      await user.post('/api/messages', draft({ content: randomBytes(10_000).toString('hex') })),
      await sendPiece(user, fileId, 0, file),
    ];
    for (const response of news) {
      expect(response.headers.get('retry-after')).toBe('2');
      expect(await refusal(response)).toMatchObject({ status: 503, code: 'unavailable' });
    }
    rmSync(filler);
    expect(await waitForEnd(user, running.id)).toMatchObject({ status: 'completed', creditsUsed: 8 });
    expect(await (await user.get(`/api/messages/${running.id}`)).json()).toMatchObject({
      response: text.repeat(80),
    });
    expect((await sendPiece(user, fileId, 0, file)).status).toBe(204);
    expect(await ask(user)).toMatchObject({ status: 'completed', creditsUsed: 8 });
    expect(await creditsOf(user)).toBe(24);
    const socketFolder = readPidFile(join(disk, 'postgres'))?.socketFolder ?? '';
    const database = `postgres://parley@localhost/parley?host=${encodeURIComponent(socketFolder)}`;
    await openConnection(database, (sql) => expectNoDrift(sql));
    process.kill(Number(server), 'SIGTERM');
    expect(await program.ended, program.output()).toBe(0);
  });
});
