import { execFileSync } from 'node:child_process';
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
  writeLock({ '': {}, 'node_modules/a': { version: '1.0.0' } });
  execFileSync(process.execPath, [join(checkout, 'scripts/bootstrap.mjs'), 'mark-installed']);
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

function writeLock(packages: object) {
  const lock = { lockfileVersion: 3, packages };
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify(lock));
}

function run(file: string, flags: string[]) {
  const { PATH = '' } = process.env;
  return startChild(file, flags, {
    cwd: checkout,
    env: {
      PATH,
      npm_config_cache: join(checkout, 'cache'),
      npm_config_registry: 'http://127.0.0.1:1',
      npm_config_fetch_retries: '0',
    },
  });
}

const bootstrap = (...flags: string[]) =>
  run(process.execPath, [join(checkout, 'scripts/bootstrap.mjs'), ...flags]);

/**
 * Our `postinstall` over one package that needs no network: its programs are Node, and a patch-package that fails while
 * `patches/broken` is there. Answers what removes that patch.
 */
function breakPatch() {
  const bin = { node: 'node', 'patch-package': 'patch-package' };
  const { postinstall } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
  const root = { name: 'checkout', version: '1.0.0', dependencies: { tools: 'file:tools' } };
  const files = {
    'package.json': JSON.stringify({ ...root, scripts: { postinstall } }),
    'tools/package.json': JSON.stringify({ name: 'tools', version: '1.0.0', bin }),
    'tools/node': `#!/bin/sh\nexec "${process.execPath}" "$@"\n`,
    'tools/patch-package': '#!/bin/sh\n! test -e patches/broken\n',
    'patches/broken': '',
  };
  mkdirSync(join(checkout, 'tools'));
  for (const [path, text] of Object.entries(files))
    writeFileSync(join(checkout, path), text, { mode: 0o755 });
  writeLock({
    '': root,
    'node_modules/tools': { resolved: 'tools', link: true },
    tools: { version: '1.0.0', bin },
  });
  return () => rmSync(join(checkout, 'patches/broken'));
}

it.runIf(IS_LONG)('passes arguments and the exit code through', async () => {
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

it.runIf(IS_LONG)('passes Ctrl-C through', async () => {
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

it.runIf(IS_LONG)('installs until the patches of its packages apply', async () => {
  const mendPatch = breakPatch();
  for (const _attempt of [1, 2]) {
    const program = bootstrap('start', '0');
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(/Installing packages[\s\S]*安装失败[\s\S]*patch-package/);
  }
  mendPatch();
  const program = bootstrap('start', '3');
  expect(await program.ended).toBe(3);
  expect(program.output()).toMatch(/Packages installed[\s\S]*arguments 3/);
});

it.runIf(IS_LONG)('takes what npm installed by hand as installed once its patches applied', async () => {
  const mendPatch = breakPatch();
  expect(await run('npm', ['ci']).ended).toBe(1);
  expect(existsSync(join(checkout, 'node_modules/.bin/node'))).toBe(true);
  const refused = bootstrap('start', '0');
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain('Installing packages');
  mendPatch();
  expect(await run('npm', ['ci']).ended).toBe(0);
  const program = bootstrap('start', '3');
  expect(await program.ended).toBe(3);
  expect(program.output()).toBe('arguments 3\n');
});

it.runIf(IS_LONG)(
  'installs when the lock file asks for another version, and says why it could not',
  async () => {
    writeLock({ '': {}, 'node_modules/a': { version: '2.0.0' } });
    const program = bootstrap('start', '0');
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(/Installing packages[\s\S]*安装失败[\s\S]*npm/);
  },
);

it.runIf(IS_LONG)('installs when a package is mended otherwise', async () => {
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
