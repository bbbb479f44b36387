import { existsSync, rmSync } from 'node:fs';

const TRIES = 10;

/**
 * Deletes a folder when the process ends by `process.exit`, unless what this returns was called before. A PostgreSQL that is ending
 * may still write into it, and `rmSync` gives up without a word.
 */
export function deleteOnExit(path: string): () => void {
  const remove = () => {
    for (let tries = 0; existsSync(path) && tries < TRIES; tries += 1)
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', remove);
  return () => process.off('exit', remove);
}
