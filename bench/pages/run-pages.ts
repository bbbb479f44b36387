import { chromium } from '@playwright/test';
import { buildWeb } from '#scripts/build/build-web.ts';
import { ensureChromium } from '#scripts/setup-chromium.ts';
import type { Benchmark } from '../benchmark.ts';
import { startRig } from '../rig.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { CHAT_PERFORMANCE, SCORES } from './budgets.ts';
import { measurePages } from './measure-pages.ts';
import { ratePages } from './rate-pages.ts';

const RATED = ['', '/pricing', '/features', '/news', '/faq', '/login'];
const RUNS = 3;

/** What each page transfers, and how Lighthouse rates the public ones and the chat: all, or `weights`, `ratings` or `chat` only. */
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
      const { performance } = SCORES;
      tables.push(await ratePages({ url: rig.url, paths, executablePath, runs: RUNS, performance }));
    }
    if (wanted('chat')) {
      const paths = ['/zh/chat', '/en/chat'];
      const reader = { performance: CHAT_PERFORMANCE, cookie: cookies[0] ?? '' };
      tables.push(await ratePages({ url: rig.url, paths, executablePath, runs: RUNS, ...reader }));
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
