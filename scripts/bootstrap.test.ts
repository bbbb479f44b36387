import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startChild } from '#test/child-program.ts';
import { IS_LONG } from '#test/runs.ts';

let checkout: string;

/** A checkout whose packages are all installed, and whose `start` prints what happens to it. */
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'parley-checkout-'));
  for (const folder of ['scripts', 'patches', 'node_modules/.bin'])
    mkdirSync(join(checkout, folder), { recursive: true });
  cpSync('scripts/bootstrap.mjs', join(checkout, 'scripts/bootstrap.mjs'));
  symlinkSync(process.execPath, join(checkout, 'node_modules/.bin/node'));
  writeLock('package-lock.json', { '': {}, 'node_modules/a': { version: '1.0.0' } });
  writeLock('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  writeFileSync(
    join(checkout, 'scripts/start.ts'),
    `const flags = process.argv.slice(2);
     process.on('SIGINT', () => process.exit(7));
     process.on('disconnect', () => { console.log('orphaned'); process.exit(0); });
     console.log('arguments ' + flags.join(' '));
     if (flags[0] === 'wait') setInterval(() => {}, 1000);
     else process.exit(Number(flags[0]));`,
  );
});

afterEach(() => rmSync(checkout, { recursive: true }));

function writeLock(path: string, packages: object) {
  writeFileSync(join(checkout, path), JSON.stringify({ packages }));
}

function bootstrap(...flags: string[]) {
  const { PATH = '' } = process.env;
  return startChild(process.execPath, [join(checkout, 'scripts/bootstrap.mjs'), ...flags], {
    env: {
      PATH,
      npm_config_cache: join(checkout, 'cache'),
      npm_config_registry: 'http://127.0.0.1:1',
      npm_config_fetch_retries: '0',
    },
  });
}

it('passes arguments and the exit code through', async () => {
  const program = bootstrap('start', '3', '--flag');
  expect(await program.ended).toBe(3);
  expect(program.output()).toBe('arguments 3 --flag\n');
});

it('reads settings from .env, which the environment overrides', async () => {
  writeFileSync(join(checkout, '.env'), 'GREETING=hello\nPATH=nowhere\n');
  writeFileSync(
    join(checkout, 'scripts/start.ts'),
    `console.log(process.env.GREETING, process.env.PATH === 'nowhere');`,
  );
  const program = bootstrap('start');
  await program.ended;
  expect(program.output()).toBe('hello false\n');
});

it('passes Ctrl-C through', async () => {
  const program = bootstrap('start', 'wait');
  await program.line((line) => line.startsWith('arguments'));
  program.process.kill('SIGINT');
  expect(await program.ended).toBe(7);
});

it('lets its program know when it was killed itself', async () => {
  const program = bootstrap('start', 'wait');
  await program.line((line) => line.startsWith('arguments'));
  program.process.kill('SIGKILL');
  await program.line((line) => line === 'orphaned');
});

it('takes packages that were installed by hand as installed', async () => {
  await bootstrap('start', '0').ended;
  expect(existsSync(join(checkout, 'node_modules/.parley-stamp'))).toBe(true);
});

it.runIf(IS_LONG)(
  'installs when the lock file asks for another version, and says why it could not',
  async () => {
    await bootstrap('start', '0').ended;
    writeLock('package-lock.json', { '': {}, 'node_modules/a': { version: '2.0.0' } });
    const program = bootstrap('start', '0');
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(/Installing packages[\s\S]*安装失败[\s\S]*npm/);
  },
);

it.runIf(IS_LONG)('installs when a package is mended otherwise', async () => {
  await bootstrap('start', '0').ended;
  writeFileSync(join(checkout, 'patches/a+1.0.0.patch'), 'another');
  const program = bootstrap('start', '0');
  await program.ended;
  expect(program.output()).toContain('Installing packages');
});

it('names its commands when given another', async () => {
  const program = bootstrap('fly');
  expect(await program.ended).toBe(1);
  expect(program.output()).toContain('start|dev|test|bench');
});

it('can install on every platform: the lock file lists all optional packages and no registry', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const listed = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  const missing = Object.values(packages as Record<string, { optionalDependencies?: object }>)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => !listed.has(name));
  expect(missing).toEqual([]);
  expect(JSON.stringify(packages)).not.toContain('"resolved"');
});
