import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockFolder } from './folder-lock.ts';
import type { PostgresVersion, Runner } from './postgres-binaries.ts';
import { type Cluster, prepareCluster, programOptions } from './postgres-cluster.ts';
import { machineMemory, memorySettings } from './postgres-memory.ts';
import { readPidFile, stopOrphan } from './postgres-orphan.ts';

export interface EmbeddedPostgresOptions {
  /** Holds `postgres/` (the data), `postgres.log` and the lock; made if missing. */
  dataDir: string;
  /** 18 unless said otherwise; 15 is for tests. */
  version?: PostgresVersion;
  /** False gives up safety for speed: for tests only. */
  durable?: boolean;
  maxConnections?: number;
  /** Megabytes of its own cache; by default, and with null, by the machine's memory. */
  cacheMb?: number | null;
}

export interface EmbeddedPostgres {
  /** Of the database `parley`, for `openDatabase`. */
  url: string;
  pid: number;
  /** Where the data truly is; under `dataDir` unless PostgreSQL could not enter that. */
  folder: string;
  /** Pid of a PostgreSQL left by a killed process and stopped by this start, or null. */
  stoppedOrphan: number | null;
  /** Settles when the server ends without having been stopped. */
  died: Promise<void>;
  /** Fast shutdown: open connections are cut, all that was committed is on disk. Safe to call twice. */
  stop(): Promise<void>;
}

const DURABLE = {
  max_wal_size: '1GB',
  log_min_duration_statement: '1s',
  log_line_prefix: '%m [%p] ',
};
const FAST = {
  shared_buffers: '64MB',
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
};

/**
 * Starts a real PostgreSQL on `dataDir`, creating its data on first use, as another user when this process is root.
 * It listens on a Unix socket in a private folder only. Throws `FolderInUse` while another process has the folder.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const durable = options.durable ?? true;
  const lock = lockFolder(dataDir);
  try {
    const cluster = prepareCluster(dataDir, options.version ?? 18, durable);
    const stoppedOrphan = await stopOrphan(cluster.folder);
    const socketFolder = makeSocketFolder(cluster.runner);
    const settings = {
      ...(durable ? { ...DURABLE, ...memorySettings(machineMemory(), options.cacheMb ?? null) } : FAST),
      max_connections: String(options.maxConnections ?? 100),
    };
    const log = join(dataDir, 'postgres.log');
    const child = launch(cluster, { ...settings, unix_socket_directories: socketFolder }, log);
    const release = () => {
      rmSync(socketFolder, { recursive: true, force: true });
      lock.release();
    };
    await ready(child, cluster, log).catch((error) => {
      release();
      throw error;
    });
    const url = `postgres://parley@localhost/parley?host=${encodeURIComponent(socketFolder)}`;
    const { stop, died } = supervise(child, release);
    return { url, pid: Number(child.pid), folder: cluster.folder, stoppedOrphan, died, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** In the temporary folder, or in /tmp where the socket's path, of 107 bytes at most, were too long, or the runner cannot walk to it. */
function makeSocketFolder(runner: Runner): string {
  const parent = realpathSync(tmpdir());
  const isUsable = parent.length <= 70 && canEnter(parent, runner);
  const folder = mkdtempSync(join(isUsable ? parent : '/tmp', 'parley-'));
  if (runner.uid !== undefined && runner.gid !== undefined) chownSync(folder, runner.uid, runner.gid);
  return folder;
}

function canEnter(folder: string, runner: Runner): boolean {
  if (runner.uid === undefined) return true;
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', folder], { ...runner, cwd: '/' }).status === 0;
}

/** In its own session, so that Ctrl-C in the terminal reaches only us and running work can finish first; it ends when we do. */
function launch(cluster: Cluster, settings: Record<string, string>, log: string) {
  if (existsSync(log) && statSync(log).size > 10_000_000) renameSync(log, `${log}.1`);
  const output = openSync(log, 'a', 0o600);
  const all = { ...settings, listen_addresses: '', timezone: 'UTC', log_timezone: 'UTC' };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(cluster.binaries, 'bin/postgres'), ['-D', cluster.argument, ...flags], {
    ...programOptions(cluster),
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const interrupt = () => child.kill('SIGINT');
  process.prependOnceListener('exit', interrupt);
  child.once('exit', () => process.off('exit', interrupt));
  return child;
}

async function ready(child: ChildProcess, cluster: Cluster, log: string) {
  let failure: Error | null = null;
  child.once('error', (error) => {
    failure = error;
  });
  while (failure === null && child.exitCode === null && child.signalCode === null) {
    const file = readPidFile(cluster.folder);
    if (file?.pid === child.pid && file?.ready) return;
    await sleep(10);
  }
  const tail = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  throw new Error(`PostgreSQL 无法启动 did not start (${log}):\n${tail}`, { cause: failure });
}

function supervise(child: ChildProcess, release: () => void) {
  child.unref();
  let stopping = false;
  const ended = once(child, 'exit').then(release);
  const stop = async () => {
    child.ref();
    if (!stopping) child.kill('SIGINT');
    stopping = true;
    const harder = [
      setTimeout(() => child.kill('SIGQUIT'), 10_000),
      setTimeout(() => child.kill('SIGKILL'), 15_000),
    ];
    await ended;
    for (const timer of harder) clearTimeout(timer);
  };
  const died = new Promise<void>((settle) => void ended.then(() => stopping || settle()));
  return { stop, died };
}
