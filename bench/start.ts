import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Catalogue } from '#contract/catalogue.ts';
import type { Benchmark } from './benchmark.ts';
import { compareCheckouts, readComparison } from './compare-checkouts.ts';
import { table } from './results.ts';
import { freePort } from './rig.ts';
import { startProgram } from './start-program.ts';

const POLL_MS = 10;
/** A browser comes later, and asking takes from it. */
const BROWSER_POLL_MS = 100;
const TIMEOUT_MS = 180_000;

/** Seconds from the start command. */
interface Start {
  /** To a served page. */
  served: number;
  /** To the moment from which a model may drive a browser; not a number where that does not come. */
  driven: number;
}

/**
 * From the start command to a served page, and to a browser for Computer Use: on an empty data folder, then on the same folder again.
 * Packages are there.
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
    const first = await timeStart(dataDir, { awaitsBrowser: true });
    const later: Start[] = [];
    for (let left = 3; left > 0; left -= 1) later.push(await timeStart(dataDir, { awaitsBrowser: true }));
    const worst = (part: keyof Start) => Math.max(...later.map((start) => start[part]));
    const body = table(
      ['seconds until', 'first start, empty data folder', 'again (worst of 3)'],
      [
        ['a page is served', first.served, worst('served')],
        ['a model may drive a browser', first.driven, worst('driven')],
      ],
    );
    return { body, postgres: 'embedded PostgreSQL' };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** Seconds from the start command to a served page, on a folder that is in use; it is made first where there is none. */
export async function timeLaterStart(dataDir: string, root: string): Promise<number> {
  if (!existsSync(dataDir)) await timeStart(dataDir, { root });
  return (await timeStart(dataDir, { root })).served;
}

async function timeStart(
  dataDir: string,
  { root = process.cwd(), awaitsBrowser = false }: { root?: string; awaitsBrowser?: boolean },
): Promise<Start> {
  const port = await freePort();
  const started = performance.now();
  const env = { DATA_DIR: dataDir, PORT: String(port) };
  const program = startProgram('scripts/bootstrap.mjs', ['start'], { env, root });
  const until = async (isSo: (port: number) => Promise<boolean>, everyMs: number): Promise<number> => {
    while (!(await isSo(port))) {
      if (program.child.exitCode !== null) throw new Error('the product did not start');
      if (performance.now() - started > TIMEOUT_MS) return Number.NaN;
      await sleep(everyMs);
    }
    return (performance.now() - started) / 1000;
  };
  try {
    const served = await until(isServed, POLL_MS);
    if (Number.isNaN(served)) throw new Error('the product did not start');
    return { served, driven: awaitsBrowser ? await until(isDriven, BROWSER_POLL_MS) : Number.NaN };
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

async function isDriven(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/api/catalogue`).catch(() => null);
  if (!response?.ok) return false;
  const { models } = (await response.json()) as Catalogue;
  return models.some(({ computer }) => computer === 'browser');
}
