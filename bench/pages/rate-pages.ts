import { chromium } from '@playwright/test';
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

/**
 * Table of Lighthouse's ratings (its mobile preset: a mid-range phone on slow 4G, simulated) of `paths`, each the run of
 * median performance of `runs`, each in a browser of its own at `executablePath`.
 */
export async function ratePages(
  url: string,
  paths: string[],
  executablePath: string,
  runs: number,
): Promise<string> {
  const rows: (string | number)[][] = [];
  const faults: string[] = [];
  for (const path of paths) {
    const ratings: Rating[] = [];
    for (let left = runs; left > 0; left -= 1) ratings.push(await rateWithRetry(url + path, executablePath));
    ratings.sort((one, other) => (one.scores.performance ?? 0) - (other.scores.performance ?? 0));
    const rating = ratings[Math.floor(runs / 2)];
    if (!rating) continue;
    const scores = CATEGORIES.map((name) => judge(rating.scores[name] ?? 0, SCORES[name]));
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
  return `**Lighthouse**, mobile preset, median of ${runs}\n\n${table(heads, rows)}${found}`;
}

/** Lighthouse loses a trace now and then; that says nothing about the page. */
async function rateWithRetry(address: string, executablePath: string): Promise<Rating> {
  try {
    return await rateInNewBrowser(address, executablePath);
  } catch (error) {
    console.error(error);
    return rateInNewBrowser(address, executablePath);
  }
}

async function rateInNewBrowser(address: string, executablePath: string): Promise<Rating> {
  const port = await freePort();
  const args = ['--no-sandbox', '--disable-dev-shm-usage', `--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ executablePath, args });
  try {
    return await rate(address, port);
  } finally {
    await browser.close();
  }
}

async function rate(address: string, port: number): Promise<Rating> {
  const result = await lighthouse(address, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: CATEGORIES,
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
