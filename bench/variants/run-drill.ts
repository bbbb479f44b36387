import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportBackup } from '#server/admin/copies/export-backup.ts';
import { runDrill as drillBackup } from '#server/admin/copies/run-drill.ts';
import type { Benchmark } from '../benchmark.ts';
import { scaleWorld, seedWorld, type WorldSize } from '../growth/seed-world.ts';
import { putFirst } from '../process-usage.ts';
import { against, table } from '../results.ts';
import { type Rig, startRig } from '../rig.ts';

/** As the middle world of `growth`. */
const WORLD: WorldSize = { name: 'middle', messages: 100_000, heavy: 10_000, longest: 2_000 };
const ROUNDS = 3;

/**
 * How long a backup of a filled database takes beside an idle server, and its drill: every byte is checked, restored into a new
 * PostgreSQL, and the whole ledger is looked through. `parts`: how many messages, and rounds. Fails where the ledger does not add up.
 */
export const runDrill: Benchmark = async ([messages = WORLD.messages, rounds = ROUNDS]) => {
  putFirst(process.pid);
  const rig = await startRig();
  const folder = mkdtempSync(join(tmpdir(), 'parley-backups-'));
  try {
    const size = scaleWorld(WORLD, Number(messages) / WORLD.messages);
    await seedWorld(rig, size);
    const databaseMb = await measureDatabase(rig);
    const tried: (string | number)[][] = [];
    for (let round = 1; round <= Number(rounds); round += 1)
      tried.push([round, ...(await tryBackup(rig, join(folder, String(round))))]);
    const heads = ['round', 'tables', 'rows', 'backup MB', 'backup s', 'drill s', 'faults of the ledger'];
    const about = `**A backup and its drill**, ${size.messages} messages; the database has ${Math.round(databaseMb)} MB`;
    return { body: `${about}\n\n${table(heads, tried)}`, postgres: rig.postgres.version };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await rig.close();
  }
};

async function measureDatabase({ postgres: { sql } }: Rig): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`;
  return (row?.bytes ?? 0) / 1e6;
}

/** Backs the database up into a new `folder` and tries the backup, as `backup` and `drill` of the operator's command line do. */
async function tryBackup({ postgres }: Rig, folder: string): Promise<(string | number)[]> {
  const begun = performance.now();
  const options = { databaseUrl: postgres.url, folder, secretFile: null, at: new Date() };
  const { path } = await exportBackup(options);
  const backupSeconds = (performance.now() - begun) / 1_000;
  const { tables, rows, bytes, seconds, drift } = await drillBackup(path);
  if (drift > 0) process.exitCode = 1;
  return [tables, rows, bytes / 1e6, backupSeconds, seconds, against(drift, 0)];
}
