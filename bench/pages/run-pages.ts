import { chromium } from '@playwright/test';
import { buildWeb } from '#scripts/build/build-web.ts';
import { ensureChromium } from '#scripts/setup-chromium.ts';
import type { Benchmark } from '../benchmark.ts';
import { startRig } from '../rig.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { measurePages } from './measure-pages.ts';
import { ratePages } from './rate-pages.ts';

const RATED = ['', '/pricing', '/features', '/news', '/faq', '/login'];
const RUNS = 3;

/** What each page transfers, and how Lighthouse rates the public ones: all, or `weights` or `ratings` only. */
export const runPages: Benchmark = async (parts) => {
  const executablePath = await ensureChromium();
  await buildWeb();
  const rig = await startRig();
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const { cookies } = await seedUsers(rig, 1);
    const wanted = (part: string) => parts.length === 0 || parts.includes(part);
    const tables: string[] = [];
    if (wanted('weights')) {
      tables.push(await measurePages(browser, rig.url, await readSitemap(rig.url), cookies[0] ?? ''));
    }
    if (wanted('ratings')) {
      const paths = ['/zh', '/en'].flatMap((language) => RATED.map((page) => language + page));
      tables.push(await ratePages(rig.url, paths, executablePath, RUNS));
    }
    return { body: tables.join('\n\n'), postgres: `${rig.postgres.version}, Chromium ${browser.version()}` };
  } finally {
    await browser.close();
    await rig.close();
  }
};

async function readSitemap(url: string): Promise<string[]> {
  const text = await (await fetch(`${url}/sitemap.xml`)).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
}
