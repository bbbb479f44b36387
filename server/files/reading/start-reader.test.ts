import { ChildProcess, execFile, spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startScript } from '#test/child-program.ts';
import { findHostile } from '#test/hostile-files/hostile-file.ts';
import { hostilePdfs } from '#test/hostile-files/hostile-pdfs.ts';
import { IS_LONG } from '#test/runs.ts';
import { READING_LIMITS } from './reading-rules.ts';
import { watchReader } from './start-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-reader-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('no module of the server decodes pictures but the one that a reader loads', () => {
  const modules = globSync('server/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
  const decoding = modules.filter((path) => /['"](?:sharp|libheif-js)\b/.test(readFileSync(path, 'utf8')));
  expect(decoding).toEqual(['server/files/reading/read-picture.ts']);
});

/** A reader yields to others, so that on a busy machine its seconds are long. */
const LONG = { timeout: 90_000 };

test.runIf(IS_LONG)(
  'a reader that its server does not watch any more does not work for ever',
  {
    timeout: 2 * LONG.timeout,
  },
  async () => {
    const path = join(folder, 'laughs.pdf');
    writeFileSync(path, findHostile(hostilePdfs(), 'PDF: a billion laughs of forms').bytes);
    // By its text the reader is told from others.
    const limits = JSON.stringify({ ...READING_LIMITS, process: { ...READING_LIMITS.process, cpuMs: 997 } });
    const isThere = async () => {
      const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
      return stdout.split('\n').some((line) => line.endsWith(limits) && !line.startsWith('/bin/sh'));
    };
    const server = startScript(`
    const { readFileSync } = await import('node:fs');
    const { startReader } = await import('#server/files/reading/start-reader.ts');
    void startReader(readFileSync(${JSON.stringify(path)}), { task: 'read', limits: ${limits}, isPicture: false });
    console.log('given');
  `);
    await server.line((line) => line === 'given');
    await expect.poll(isThere).toBe(true);
    server.process.kill('SIGSTOP');
    expect(await isThere()).toBe(true);
    await expect.poll(isThere, LONG).toBe(false);
    server.process.kill('SIGKILL');
  },
);

test('the time after a reader has ended is not counted as its work', async () => {
  // The shell ends at once, and its descriptors stay open for half a second.
  const child = spawn('/bin/sh', ['-c', 'printf {} >&3; sleep 0.5 &'], {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  const processLimits = { ...READING_LIMITS.process, stepMs: 100, cpuMs: 100 };
  expect((await watchReader(child, READING_LIMITS, processLimits)).toString()).toBe('{}');
});

test('a reader for which no descriptors are left is a failure of ours, and ends nothing else', async () => {
  // As `spawn` leaves it then: without pipes, and its error comes a moment later.
  const child = new ChildProcess();
  process.nextTick(() => child.emit('error', new Error('spawn /bin/sh EMFILE')));
  await expect(watchReader(child, READING_LIMITS, READING_LIMITS.process)).rejects.toThrow('EMFILE');
});
