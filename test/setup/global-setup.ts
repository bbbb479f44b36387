import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, lstatSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '#server/db/migrate.ts';
import { connectPostgres } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { lockFolder } from '#server/platform/postgres/folder-lock.ts';
import type { PostgresVersion } from '#server/platform/postgres/postgres-binaries.ts';
import { stopOrphan } from '#server/platform/postgres/postgres-orphan.ts';
import { folderOf } from '../database/folder-of.ts';
import { startPgBouncer } from '../database/pgbouncer.ts';
import { IS_POOLED } from '../runs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Record<PostgresVersion, string>;
    /** The folder of the PgBouncer before each folder of a PostgreSQL; none but in a run through it. */
    poolers: Record<string, string>;
    /** Data of PostgreSQL 18 with our tables, to copy; null where it had to lie elsewhere. */
    cluster: string | null;
  }
}

const PREFIX = 'parley-test-';
const VERSIONS = [18, 15] as const;
/** A file system in memory, where Linux has one. */
const MEMORY = '/dev/shm';
/** Bytes that must be free there: what the databases of all workers take at once, several times. */
const MIN_FREE = 2 * 1_073_741_824;

/** Connections to each database of a test in a run through PgBouncer. */
const POOL_SIZE = 20;
/** Of all tests that run side by side, with those of programs that were killed. */
const MAX_CLIENTS = 2_000;

/**
 * Starts both PostgreSQL versions in a temporary folder, each with a migrated database `parley_template` to clone. `TEST_PGBOUNCER=1`
 * puts a PgBouncer before each.
 */
export default async function setup(project: TestProject) {
  await sweep();
  const folder = mkdtempSync(join(chooseParent(), PREFIX));
  chmodSync(folder, 0o755);
  project.provide('cluster', await makeCluster(folder));
  const [newest, oldest] = [await startServer(folder, 18), await startServer(folder, 15)];
  project.provide('postgres', { 18: newest.url, 15: oldest.url });
  const urls = IS_POOLED ? [newest.url, oldest.url] : [];
  const bouncers = await Promise.all(
    urls.map((url) => startPgBouncer(url, POOL_SIZE, { maxClients: MAX_CLIENTS })),
  );
  const folders = bouncers.map(({ url }, i) => [folderOf(urls[i] ?? ''), folderOf(url)] as const);
  project.provide('poolers', Object.fromEntries(folders));
  return async () => {
    for (const bouncer of bouncers) await bouncer.close();
    await Promise.all([newest.stop(), oldest.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** In memory, where there is room: a test's database is hundreds of files, which ext4 without a journal is slow to make (decision 133). */
function chooseParent(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < MIN_FREE ? tmpdir() : MEMORY;
  } catch {
    return tmpdir();
  }
}

/** Stops and removes the servers of earlier runs that were killed; the lock separates them from a run that is going on. */
async function sweep() {
  const old = globSync([tmpdir(), MEMORY].map((parent) => join(parent, `${PREFIX}*`))).filter(
    (path) => Date.now() - statSync(path).mtimeMs > 60_000,
  );
  for (const folder of old) {
    try {
      const locks = VERSIONS.map((version) => lockFolder(join(folder, String(version))));
      for (const version of VERSIONS) await stopOrphan(join(folder, String(version), 'postgres'));
      for (const lock of locks) lock.release();
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // in use, or another user's
    }
  }
}

/** Makes the data of PostgreSQL 18 with our tables, and a copy of it, whose folder it returns. */
async function makeCluster(folder: string): Promise<string | null> {
  const dataDir = join(folder, '18');
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  await migrate(server.url);
  await server.stop();
  const data = join(dataDir, 'postgres');
  if (lstatSync(data).isSymbolicLink()) return null;
  const copy = join(folder, 'copied');
  execFileSync('cp', ['-a', data, copy]);
  return copy;
}

async function startServer(folder: string, version: PostgresVersion) {
  const dataDir = join(folder, String(version));
  const server = await startEmbeddedPostgres({ dataDir, version, durable: false, maxConnections: 300 });
  await migrate(server.url);
  const admin = connectPostgres(server.url.replace('/parley?', '/postgres?'), { max: 1 });
  await admin`alter database parley rename to parley_template`;
  await admin`alter database parley_template is_template true allow_connections false`;
  await admin.end();
  return server;
}
