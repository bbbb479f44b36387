import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '#server/computer/host/walls/find-programs.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { ask } from '../chat/chat.ts';
import { startChild } from '../child-program.ts';
import { createClient } from '../client.ts';
import { type PostgresProxy, startPostgresProxy } from '../database/postgres-proxy.ts';
import { readInfo, upload } from '../files/files.ts';
import { IS_LONG } from '../runs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BWRAP = findProgram('bwrap', process.env.PATH ?? '');
const title = 'a server without rights on a root that cannot be written';

describe.skipIf(BWRAP === null)(BWRAP ? title : `${title} (skipped: bubblewrap is not installed)`, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-read-only-'));
  let home: TestApp;
  let postgres: PostgresProxy;

  beforeAll(async () => {
    home = await createTestApp();
    postgres = await startPostgresProxy(home.database.url, { tcp: true });
  });
  afterAll(async () => {
    postgres?.close();
    await home?.close();
    rmSync(dataDir, { recursive: true });
  });

  function start() {
    const root = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
    const folders = ['--ro-bind', ROOT, ROOT, '--bind', dataDir, '/tmp/data'];
    const user = ['--unshare-user', '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL'];
    const server = ['--die-with-parent', '--chdir', ROOT, process.execPath, 'server/main.ts'];
    return startChild(BWRAP ?? '', [...root, ...folders, ...user, ...server], {
      env: {
        PORT: '0',
        DATA_DIR: '/tmp/data',
        DATABASE_URL: postgres.url,
        GEMINI_API_KEY: 'emulator',
        GEMINI_BASE_URL: home.geminiUrl,
        COMPUTER_USE: 'off',
        NODE_COMPILE_CACHE: join(ROOT, '.cache/compile'),
      },
    });
  }

  it.runIf(IS_LONG)('answers, reads a file, and stops in order', async () => {
    const program = start();
    const { url } = JSON.parse(await program.line((line) => line.includes('"serving"'))) as { url: string };
    const { pid } = program.process;
    const server = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const status = readFileSync(`/proc/${server}/status`, 'utf8');
    expect(status).toMatch(/^CapEff:\s0+$/m);
    expect(readFileSync(`/proc/${server}/mountinfo`, 'utf8')).toMatch(/ \S+ \/ ro[, ]/);

    const user = createClient({ url, origin: url });
    await user.signUp();
    expect(await ask(user)).toMatchObject({ status: 'completed' });
    const id = await upload(user, Buffer.from('A file of plain text.'));
    await expect.poll(async () => (await readInfo(user, id)).state).toBe('ready');
    process.kill(Number(server), 'SIGTERM');
    expect(await program.ended, program.output()).toBe(0);
  });
});
