import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { connectPostgres } from '#server/platform/database/database.ts';
import { prepareCluster, programOptions } from '#server/platform/postgres/postgres-cluster.ts';
import { WAIT_TIMEOUT_MS } from '#test/patient.ts';

export interface Standby {
  /** Read-only until `promote`. */
  url: string;
  pid: number;
  /** Makes it the primary; resolves once it takes writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A streaming replica of a running PostgreSQL, whose commits wait for it from now on (`synchronous_standby_names`), given its address
 * and the folder of its data.
 */
export async function startStandby(primary: { url: string; folder: string }): Promise<Standby> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-standby-'));
  const sql = connectPostgres(primary.url, { max: 1, onnotice: () => {} });
  await copyData(sql, primary, dataDir);
  const cluster = prepareCluster(dataDir, 18, true);
  const sockets = mkdtempSync(join(tmpdir(), 'parley-'));
  ownAs(primary.folder, sockets);
  const flags = [
    '-D',
    cluster.argument,
    '-c',
    `unix_socket_directories=${sockets}`,
    '-c',
    'listen_addresses=',
  ];
  const child = spawn(join(cluster.binaries, 'bin/postgres'), flags, {
    ...programOptions(cluster),
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await sql`alter system set synchronous_standby_names = '*'`;
  await sql`select pg_reload_conf()`;
  await waitUntilSynchronous(sql);
  await sql.end();
  const url = `postgres://parley@localhost/parley?host=${encodeURIComponent(sockets)}`;
  return {
    url,
    pid: Number(child.pid),
    async promote() {
      const own = connectPostgres(url, { max: 1 });
      await own`select pg_promote()`;
      await own.end();
    },
    async stop() {
      child.kill('SIGINT');
      await ended;
      for (const folder of [dataDir, sockets]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilSynchronous(sql: Sql): Promise<void> {
  for (const until = Date.now() + WAIT_TIMEOUT_MS; Date.now() < until; await sleep(50)) {
    const [one] = await sql<{ state: string }[]>`select sync_state as state from pg_stat_replication`;
    if (one?.state === 'sync') return;
  }
  throw new Error('the standby does not follow');
}

/** As postgresql.org/docs/current/continuous-archiving.html has it (“Making a Base Backup Using the Low Level API”). */
async function copyData(sql: Sql, primary: { url: string; folder: string }, dataDir: string): Promise<void> {
  const data = join(dataDir, 'postgres');
  await sql`select pg_backup_start('standby', true)`;
  execFileSync('cp', ['-a', primary.folder, data]);
  const [stopped] = await sql<{ label: string }[]>`select labelfile as label from pg_backup_stop()`;
  rmSync(join(data, 'postmaster.pid'));
  const sockets = new URL(primary.url).searchParams.get('host');
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${sockets} user=parley application_name=standby'\n`,
  );
  for (const [name, text] of [
    ['backup_label', stopped?.label ?? ''],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(join(data, name), text);
    ownAs(primary.folder, join(data, name));
  }
}

/** PostgreSQL runs as the owner of its data. */
function ownAs(folder: string, path: string): void {
  const { uid, gid } = statSync(folder);
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}
