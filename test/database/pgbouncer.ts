import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '#server/computer/host/walls/find-programs.ts';
import { connectPostgres } from '#server/platform/database/database.ts';
import { type ChildProgram, startChild } from '../child-program.ts';
import { readShipped } from '../deploy/read-shipped.ts';
import { folderOf } from './folder-of.ts';

const PROGRAM = findProgram('pgbouncer', `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`);

const VERSION =
  PROGRAM === null ? null : /\d+\.\d+/.exec(execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' }))?.[0];

/** Why tests of PgBouncer are skipped here; null where they run. */
export const NO_PGBOUNCER = PROGRAM === null ? 'pgbouncer is not installed' : null;
/** Why statements that are prepared by name are not tried through it here; null where they are. */
export const NO_PREPARED_STATEMENTS =
  NO_PGBOUNCER ?? (Number(VERSION?.split('.')[1]) < 21 ? `PgBouncer ${VERSION} is older than 1.21` : null);

export interface PgBouncer {
  /** The same database through it, in transaction mode. */
  url: string;
  /** Connections that it has to PostgreSQL for this database now. */
  servers(): Promise<number>;
  /** Ends it without waiting for anyone. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and deletes its folder. */
  close(): Promise<void>;
}

/**
 * Starts a real PgBouncer in transaction mode before the PostgreSQL at `url`, with at most `poolSize` connections to each database of
 * it. It runs as the user of PostgreSQL, whose socket is private, and never as root, which it refuses.
 */
export async function startPgBouncer(
  url: string,
  poolSize: number,
  { maxClients } = { maxClients: 500 },
): Promise<PgBouncer> {
  const target = new URL(url);
  const database = target.pathname.slice(1);
  const socket = folderOf(url);
  const folder = mkdtempSync(join(tmpdir(), 'parley-pgbouncer-'));
  const { uid, gid } = statSync(socket);
  writeFileSync(join(folder, 'users.txt'), '"parley" ""\n');
  writeFileSync(join(folder, 'pgbouncer.ini'), settings({ folder, socket, poolSize, maxClients }));
  if (process.getuid?.() === 0) chownSync(folder, uid, gid);
  target.searchParams.set('host', folder);
  const bouncer = { url: target.href, start, kill, servers, close };
  let program: ChildProgram | null = null;

  async function start() {
    const child = startChild(PROGRAM ?? '', [join(folder, 'pgbouncer.ini')], {
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    });
    program = child;
    const isUp = new Promise<void>((resolve) => {
      child.process.stderr?.on('data', () => child.output().includes('process up') && resolve());
    });
    const ended = child.ended.then(() => Promise.reject(new Error(`PgBouncer ended:\n${child.output()}`)));
    ended.catch(() => {});
    await Promise.race([isUp, ended]);
  }

  async function kill() {
    program?.process.kill('SIGKILL');
    await program?.ended;
  }

  async function servers() {
    const console = connectPostgres(bouncer.url.replace(`/${database}?`, '/pgbouncer?'), {
      max: 1,
      fetch_types: false,
    });
    try {
      const rows = await console.unsafe('show servers').simple();
      return rows.filter((row) => row.database === database).length;
    } finally {
      await console.end();
    }
  }

  async function close() {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  }

  await start();
  return bouncer;
}

interface Settings {
  folder: string;
  socket: string;
  poolSize: number;
  maxClients: number;
}

/** The settings that are shipped, with what differs in a test. */
function settings({ folder, socket, poolSize, maxClients }: Settings) {
  const text = readShipped('pgbouncer/pgbouncer.ini', [
    ['parley = host=database port=5432 dbname=parley', `* = host=${socket} port=5432`],
    ['listen_addr = 0.0.0.0\n', ''],
    ['unix_socket_dir =', `unix_socket_dir = ${folder}`],
    ['auth_type = scram-sha-256', 'auth_type = trust\nadmin_users = parley\nserver_login_retry = 0.1'],
    ['/run/pgbouncer/users.txt', join(folder, 'users.txt')],
    ['default_pool_size = 20', `default_pool_size = ${poolSize}`],
    ['max_client_conn = 1000', `max_client_conn = ${maxClients}`],
    ['query_wait_timeout = 10', 'query_wait_timeout = 60'],
  ]);
  return NO_PREPARED_STATEMENTS === null ? text : text.replace(/^max_prepared_statements.*$/m, '');
}
