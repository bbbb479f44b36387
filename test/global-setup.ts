import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '#server/db/migrate.ts';
import { connectPostgres } from '#server/platform/database.ts';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts';
import type { PostgresVersion } from '#server/platform/postgres-binaries.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Record<PostgresVersion, string>;
  }
}

/** Starts both PostgreSQL versions in a temporary folder, each with a migrated database `parley_template` to clone. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  chmodSync(folder, 0o755);
  const servers = [await startServer(folder, 18), await startServer(folder, 15)] as const;
  project.provide('postgres', { 18: servers[0].url, 15: servers[1].url });
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
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
