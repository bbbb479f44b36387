import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder of this run: the server's data, and what Playwright keeps of failures. All processes of a run share it; the first
 * removes the data at its end, and the folder too unless a failure left something in it.
 */
export function e2eFolder(): string {
  if (process.env.E2E_FOLDER) return process.env.E2E_FOLDER;
  const folder = mkdtempSync(join(tmpdir(), 'parley-e2e-'));
  process.env.E2E_FOLDER = folder;
  process.on('exit', () => remove(folder));
  return folder;
}

function remove(folder: string) {
  const results = join(folder, 'results');
  const hasFailures = existsSync(results) && readdirSync(results).some((name) => !name.startsWith('.'));
  rmSync(hasFailures ? join(folder, 'data') : folder, { recursive: true, force: true });
}
