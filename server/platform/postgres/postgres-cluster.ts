import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { type PostgresVersion, type Runner, runnableBinaries } from './postgres-binaries.ts';

/** A PostgreSQL data folder and what it takes to run a program on it. */
export interface Cluster {
  version: PostgresVersion;
  /** Where the data truly is. */
  folder: string;
  /** The folder as it is passed to the programs. */
  argument: string;
  binaries: string;
  runner: Runner;
}

/** Options of a spawned PostgreSQL program: its user, working folder and a clean environment. */
export function programOptions(cluster: Cluster) {
  const { PATH = '/usr/bin:/bin', LD_LIBRARY_PATH } = process.env;
  const env = { PATH, LC_ALL: 'C', ...(LD_LIBRARY_PATH ? { LD_LIBRARY_PATH } : {}) };
  return { ...cluster.runner, cwd: cluster.folder, env };
}

/**
 * Finds or makes the data folder `postgres` in `dataDir`, owned by a user who may run PostgreSQL.
 * It appears only when complete: what a killed process left half made is thrown away.
 * `durable: false` skips flushing to disk. Throws with a bilingual text when the data is of another major version.
 */
export function prepareCluster(dataDir: string, version: PostgresVersion, durable: boolean): Cluster {
  const place = resolve(dataDir, 'postgres');
  const runner = chooseRunner(place);
  const binaries = runnableBinaries(version, runner);
  if (!existsSync(place)) makeCluster(place, { version, runner, binaries }, durable);
  const folder = realpathSync(place);
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (found !== String(version)) {
    throw new Error(
      `${folder} 中的数据属于 PostgreSQL ${found}，当前版本是 ${version}。\nThe data in ${folder} belongs to PostgreSQL ${found}; this is version ${version}.`,
    );
  }
  return { version, folder, argument: folderArgument(folder, version, runner), binaries, runner };
}

/** Root runs PostgreSQL as the owner of its data, or as `nobody`. */
function chooseRunner(place: string): Runner {
  if (process.getuid?.() !== 0) return {};
  if (existsSync(place)) {
    const { uid, gid } = statSync(place);
    if (uid !== 0) return { uid, gid };
  }
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return { uid: 65534, gid: 65534 };
  }
}

/**
 * Another user cannot walk through a private home (mode 0700), but may use a working folder it was started in:
 * on Linux `/proc/self/cwd` names that folder without the walk (proc(5), "magic links"). Programs before 16 leave it.
 */
function folderArgument(folder: string, version: PostgresVersion, runner: Runner) {
  return runner.uid === undefined || version < 16 || !existsSync('/proc/self/cwd')
    ? folder
    : '/proc/self/cwd';
}

function makeCluster(
  place: string,
  parts: Pick<Cluster, 'version' | 'runner' | 'binaries'>,
  durable: boolean,
) {
  const draft = makeDraft(`${place}.new`, parts.version, parts.runner);
  const cluster = { ...parts, folder: draft, argument: folderArgument(draft, parts.version, parts.runner) };
  const flags = [
    `--pgdata=${cluster.argument}`,
    '--username=parley',
    '--encoding=UTF8',
    ...locale(parts.version),
  ];
  const auth = ['--auth-local=trust', '--auth-host=reject', '--no-instructions'];
  run(cluster, 'initdb', [...flags, ...auth, ...(durable ? [] : ['--no-sync'])]);
  run(cluster, 'postgres', ['--single', '-D', cluster.argument, 'postgres'], 'CREATE DATABASE parley;\n');
  if (draft === `${place}.new`) renameSync(draft, place);
  else symlinkSync(draft, place);
}

/** An empty folder for the runner: beside its final place, or in a system folder (linked from there) if it cannot be used there. */
function makeDraft(draft: string, version: PostgresVersion, runner: Runner) {
  for (const folder of [
    draft,
    `/var/lib/parley/${createHash('sha256').update(draft).digest('hex').slice(0, 12)}`,
  ]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
    if (runner.uid === undefined || runner.gid === undefined) return folder;
    chownSync(folder, runner.uid, runner.gid);
    const argument = folderArgument(folder, version, runner);
    if (spawnSync('/bin/sh', ['-c', 'test -w "$0"', argument], { ...runner, cwd: folder }).status === 0)
      return folder;
    rmSync(folder, { recursive: true });
  }
  throw new Error(
    `PostgreSQL 无法使用 ${draft}，请设置 DATA_DIR 或 DATABASE_URL。\nPostgreSQL cannot use ${draft}: set DATA_DIR or DATABASE_URL.`,
  );
}

function locale(version: PostgresVersion) {
  if (version >= 17) return ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  return ['--lc-collate=C', `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`];
}

function run(cluster: Cluster, program: string, flags: string[], input = '') {
  const options = { ...programOptions(cluster), input, encoding: 'utf8' } as const;
  const { status, error, stdout, stderr } = spawnSync(join(cluster.binaries, 'bin', program), flags, options);
  if (status === 0) return;
  throw new Error(
    `无法建立数据库 Could not create the database: ${error?.message ?? `${stdout}${stderr}`.trim()}`,
  );
}
