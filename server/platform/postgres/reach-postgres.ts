import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { FolderInUse } from './folder-lock.ts';
import { readPidFile } from './postgres-orphan.ts';

const START_TIMEOUT_MS = 10_000;

export interface ReachedPostgres {
  url: string;
  /** Stops only a PostgreSQL that this call started. */
  close(): Promise<void>;
}

/**
 * The embedded PostgreSQL of `dataDir`: the running one through its socket, else one started for the time being. Throws with a
 * bilingual text when there is no data, or the running one cannot be reached.
 */
export async function reachPostgres(dataDir: string): Promise<ReachedPostgres> {
  if (!existsSync(join(dataDir, 'postgres')))
    throw new Error(
      `${dataDir} 里没有数据，请设置 DATA_DIR 或 DATABASE_URL。\nThere is no data in ${dataDir}: set DATA_DIR or DATABASE_URL.`,
    );
  try {
    const server = await startEmbeddedPostgres({ dataDir });
    return { url: server.url, close: server.stop };
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    return { url: await urlOfRunning(dataDir, error), close: async () => {} };
  }
}

/** The holder of the folder may be starting it just now. */
async function urlOfRunning(dataDir: string, inUse: FolderInUse): Promise<string> {
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += 100) {
    const file = readPidFile(realpathSync(join(dataDir, 'postgres')));
    if (file?.ready && existsSync(file.socketFolder))
      return `postgres://parley@localhost/parley?host=${encodeURIComponent(file.socketFolder)}`;
    await sleep(100);
  }
  throw inUse;
}
