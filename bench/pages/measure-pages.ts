import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { LANGUAGES } from '#contract/choices.ts';
import { against, table } from '../results.ts';
import { BUDGETS } from './budgets.ts';

/** Time for what is still on its way; a live connection keeps the network from ever being idle. */
const SETTLE_MS = 2_000;
/** Bytes a second: slow enough to separate what is loaded after the composer from what is loaded before it. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
const KINDS = ['Document', 'Script', 'Stylesheet', 'Font', 'Fetch'] as const;
type Kind = (typeof KINDS)[number];

/** Bytes received, by what they are, since the last reading. */
type Weights = Record<Kind | 'all', number>;

/** Tables of what a first visit transfers: each public page, then the chat until one can write and until an answer is shown. */
export async function measurePages(
  browser: Browser,
  url: string,
  paths: string[],
  cookie: string,
): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const path of paths) {
    const { page, read, close } = await visit(browser, url);
    await page.goto(path, { waitUntil: 'networkidle' });
    rows.push([path, ...cells(read(), BUDGETS.publicScript)]);
    await close();
  }
  const heads = ['page', 'HTML', 'JavaScript', 'CSS', 'fonts', 'texts and data', 'all'];
  const chat = await measureChat(browser, url, cookie);
  return `**First visit, kB transferred** (cold cache; bodies as sent, in brotli)\n\n${table(heads, rows)}\n\n**Chat, signed in, kB transferred** (1.6 Mbit/s, 150 ms)\n\n${table(['until', ...heads.slice(1)], chat)}`;
}

async function measureChat(browser: Browser, url: string, cookie: string) {
  const rows: (string | number)[][] = [];
  for (const language of LANGUAGES) {
    const { page, session, read, close } = await visit(browser, url);
    await session.send('Network.emulateNetworkConditions', SLOW_4G);
    const [name = '', value = ''] = cookie.split('=');
    await page.context().addCookies([{ name, value, url }]);
    await page.goto(`/${language}/chat`, { waitUntil: 'commit' });
    const composer = page.getByRole('textbox');
    await composer.fill(language === 'zh' ? '你好' : 'Hello');
    await page.getByRole('button', { name: /^(发送|Send)$/, disabled: false }).waitFor();
    rows.push([`/${language}/chat: one can write`, ...cells(read(), BUDGETS.chatScript)]);
    await composer.press('Enter');
    await page.locator('.answer').filter({ hasText: /\S{4}/ }).waitFor();
    await sleep(SETTLE_MS);
    rows.push([`/${language}/chat: an answer is shown`, ...cells(read(), BUDGETS.chatScriptWithRenderer)]);
    await close();
  }
  return rows;
}

async function visit(browser: Browser, url: string) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 390, height: 844 } });
  const page: Page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  return { page, session, read: count(session), close: () => context.close() };
}

/** Counts bodies from now on, as they are sent; the answer is what has come so far. */
function count(session: CDPSession): () => Weights {
  const heads = new Map<string, { kind: Kind; bytes: number }>();
  const weights: Weights = { Document: 0, Script: 0, Stylesheet: 0, Font: 0, Fetch: 0, all: 0 };
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    const isScript = response.mimeType.includes('javascript');
    const kind = isScript ? 'Script' : (KINDS.find((one) => one === type) ?? 'Fetch');
    heads.set(requestId, { kind, bytes: response.encodedDataLength });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { kind, bytes } = heads.get(requestId) ?? { kind: 'Fetch', bytes: 0 };
    weights[kind] += encodedDataLength - bytes;
    weights.all += encodedDataLength - bytes;
  });
  return () => ({ ...weights });
}

function cells(weights: Weights, scriptBudget: number): (string | number)[] {
  const kilo = (kind: keyof Weights) => weights[kind] / 1000;
  return [
    kilo('Document'),
    against(kilo('Script'), scriptBudget),
    kilo('Stylesheet'),
    against(kilo('Font'), BUDGETS.fonts),
    kilo('Fetch'),
    kilo('all'),
  ];
}
