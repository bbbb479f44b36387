import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark } from './benchmark.ts';
import { compareCheckouts, readComparison } from './compare-checkouts.ts';
import { table } from './results.ts';
import { freePort } from './rig.ts';
import { startProgram } from './start-program.ts';

const POLL_MS = 10;
const LIMIT_MS = 180_000;

/**
 * From the start command to a served page: on an empty data folder, then on the same folder again. Packages are there.
 * `--against <checkout> --rounds <n>` compares this checkout with another one, in turn, on folders in use.
 */
export const runStart: Benchmark = async (parts) => {
  const { other, rounds } = readComparison(parts);
  if (other !== null) {
    const body = await compareCheckouts(other, rounds, async ({ root, dataDir }) => ({
      startSeconds: await timeLaterStart(dataDir, root),
    }));
    return { body, postgres: 'embedded PostgreSQL' };
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  try {
    const first = await timeStart(dataDir);
    const later: number[] = [];
    for (let left = 3; left > 0; left -= 1) later.push(await timeStart(dataDir));
    const body = table(
      ['start', 'seconds'],
      [
        ['first, empty data folder', first],
        ['again (worst of 3)', Math.max(...later)],
      ],
    );
    return { body, postgres: 'embedded PostgreSQL' };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** As `timeStart`, on a folder that is in use; it is made first where there is none. */
export async function timeLaterStart(dataDir: string, root: string): Promise<number> {
  if (!existsSync(dataDir)) await timeStart(dataDir, root);
  return timeStart(dataDir, root);
}

/** Seconds from the start command to a served page. */
async function timeStart(dataDir: string, root = process.cwd()): Promise<number> {
  const port = await freePort();
  const started = performance.now();
  const env = { DATA_DIR: dataDir, PORT: String(port) };
  const program = startProgram('scripts/bootstrap.mjs', ['start'], { env, root });
  try {
    while (!(await isServed(port))) {
      const late = performance.now() - started > LIMIT_MS;
      if (late || program.child.exitCode !== null) throw new Error('the product did not start');
      await sleep(POLL_MS);
    }
    return (performance.now() - started) / 1000;
  } finally {
    await program.stop();
  }
}

function isServed(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/zh`).then(
    async (response) => response.ok && (await response.text()).includes('</html>'),
    () => false,
  );
}
