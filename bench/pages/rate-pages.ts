import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { table } from '../results.ts';
import { freePort } from '../rig.ts';
import { SCORES } from './budgets.ts';

const CATEGORIES = Object.keys(SCORES) as (keyof typeof SCORES)[];
const METRICS = {
  'first-contentful-paint': 'FCP ms',
  'largest-contentful-paint': 'LCP ms',
  'total-blocking-time': 'TBT ms',
  'speed-index': 'speed index ms',
};

interface Rating {
  scores: Record<string, number>;
  metrics: Record<string, number>;
  shift: number;
  faults: string[];
}

interface Rated {
  url: string;
  paths: string[];
  executablePath: string;
  runs: number;
  /** What performance may not be below. */
  performance: number;
  /** The session of who reads; a visitor without one. */
  cookie?: string;
}

/**
 * Table of Lighthouse's ratings (its mobile preset: a mid-range phone on slow 4G, simulated) of `paths`, each the run of
 * median performance of `runs`, each in a browser of its own at `executablePath`.
 */
export async function ratePages({
  url,
  paths,
  executablePath,
  runs,
  performance,
  cookie,
}: Rated): Promise<string> {
  const rows: (string | number)[][] = [];
  const faults: string[] = [];
  const goals = { ...SCORES, performance };
  for (const path of paths) {
    const ratings: Rating[] = [];
    for (let left = runs; left > 0; left -= 1)
      ratings.push(await rateWithRetry({ address: url + path, executablePath, cookie }));
    ratings.sort((one, other) => (one.scores.performance ?? 0) - (other.scores.performance ?? 0));
    const rating = ratings[Math.floor(runs / 2)];
    if (!rating) continue;
    const scores = CATEGORIES.map((name) => judge(rating.scores[name] ?? 0, goals[name]));
    const shift = rating.shift === 0 ? '0 (met: 0)' : `${rating.shift.toFixed(3)} (**missed**: 0)`;
    rows.push([
      path,
      ...scores,
      shift,
      ...Object.keys(METRICS).map((name) => rating.metrics[name] ?? Number.NaN),
    ]);
    faults.push(...rating.faults.map((fault) => `- ${path}: ${fault}`));
  }
  const heads = ['page', ...CATEGORIES, 'layout shift', ...Object.values(METRICS)];
  const found = faults.length > 0 ? `\n\nNot perfect:\n\n${faults.join('\n')}` : '';
  return `**Lighthouse**${cookie ? ', signed in' : ''}, mobile preset, median of ${runs}\n\n${table(heads, rows)}${found}`;
}

interface Visit {
  address: string;
  executablePath: string;
  cookie: string | undefined;
}

/** Lighthouse loses a trace now and then; that says nothing about the page. */
async function rateWithRetry(visit: Visit): Promise<Rating> {
  try {
    return await rateInNewBrowser(visit);
  } catch (error) {
    console.error(error);
    return rateInNewBrowser(visit);
  }
}

async function rateInNewBrowser({ address, executablePath, cookie }: Visit): Promise<Rating> {
  const port = await freePort();
  const profile = mkdtempSync(join(tmpdir(), 'parley-lighthouse-'));
  const args = ['--no-sandbox', '--disable-dev-shm-usage', `--remote-debugging-port=${port}`];
  const context = await chromium.launchPersistentContext(profile, { executablePath, args });
  try {
    if (cookie !== undefined) await beReader(context, address, cookie);
    return await rate(address, port);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** Leaves in the browser what a reader has who signed in before, and none of the product's files. */
async function beReader(context: BrowserContext, address: string, cookie: string): Promise<void> {
  const { origin } = new URL(address);
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: origin }]);
  const page = await context.newPage();
  await page.goto(`${origin}/robots.txt`);
  await page.evaluate(() => localStorage.setItem('session', 'expected'));
  await page.close();
}

async function rate(address: string, port: number): Promise<Rating> {
  const result = await lighthouse(address, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: CATEGORIES,
    // What makes the browser a reader's stays; every run has a profile of its own, so nothing else is there.
    disableStorageReset: true,
  });
  if (!result) throw new Error(`Lighthouse has no result for ${address}`);
  const { categories, audits, runtimeError } = result.lhr;
  const problem = runtimeError?.message ?? audits['first-contentful-paint']?.errorMessage;
  if (problem) throw new Error(`Lighthouse could not rate ${address}: ${problem}`);
  const scores = Object.fromEntries(
    CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
  );
  const metrics = Object.fromEntries(
    Object.keys(METRICS).map((name) => [name, audits[name]?.numericValue ?? Number.NaN]),
  );
  const faults = CATEGORIES.filter((name) => name !== 'performance').flatMap((name) =>
    (categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0)
      .map(({ id }) => `${name}: ${audits[id]?.title ?? id}`),
  );
  return { scores, metrics, shift: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN, faults };
}

function judge(score: number, wanted: number): string {
  return `${score} (${score >= wanted ? 'met' : '**missed**'}: ≥ ${wanted})`;
}
