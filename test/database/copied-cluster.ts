import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/**
 * Puts the data of a PostgreSQL 18 with our tables into an empty data folder, as a former start left it: copying costs a tenth of
 * making it.
 */
export function copyCluster(dataDir: string): void {
  const cluster = inject('cluster');
  // Where PostgreSQL could not enter the folder its data is elsewhere, and each start makes its own.
  if (cluster === null) return;
  mkdirSync(dataDir, { recursive: true });
  execFileSync('cp', ['-a', cluster, join(dataDir, 'postgres')]);
}
