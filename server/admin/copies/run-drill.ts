import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyLedger } from '#server/credits/verify-ledger.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { deleteOnExit } from './delete-on-exit.ts';
import { readBackup, restoreBackup } from './restore-backup.ts';

export interface Drill {
  tables: number;
  rows: number;
  /** What the backup takes on its disk. */
  bytes: number;
  /** Seconds from the first byte read to a ledger that was checked. */
  seconds: number;
  /** Faults in the ledger; must be 0. */
  drift: number;
}

/**
 * Restores a backup into a PostgreSQL of its own that is thrown away, and checks its whole ledger. Throws as `readBackup` and
 * `restoreBackup`.
 */
export async function runDrill(path: string): Promise<Drill> {
  const started = performance.now();
  const backup = await readBackup(path);
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-drill-'));
  const done = deleteOnExit(dataDir);
  try {
    const postgres = await startEmbeddedPostgres({ dataDir });
    try {
      const restored = await restoreBackup(backup, postgres.url);
      const drift = await countFaults(postgres.url);
      const rows = restored.reduce((sum, table) => sum + table.rows, 0);
      const seconds = (performance.now() - started) / 1000;
      return { tables: restored.length, rows, bytes: backup.bytes, seconds, drift };
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    done();
  }
}

async function countFaults(url: string): Promise<number> {
  const database = openDatabase(url);
  try {
    let faults = 0;
    for await (const _ of verifyLedger({ database })) faults += 1;
    return faults;
  } finally {
    await database.close();
  }
}
