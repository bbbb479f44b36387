import { type Browser, chromium, type Page } from '@playwright/test';
import { buildWeb } from '#scripts/build/build-web.ts';
import { ensureChromium } from '#scripts/setup-chromium.ts';
import { plantConversations } from '#test/chat/many-messages.ts';
import type { Benchmark } from '../benchmark.ts';
import { against, table } from '../results.ts';
import { type Rig, startRig } from '../rig.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { BUDGETS } from './budgets.ts';
import { measureGoing } from './measure-going.ts';
import { measureList } from './measure-list.ts';
import { measureTenThousand } from './measure-ten-thousand.ts';
import { measureTyping } from './measure-typing.ts';
import { seedConversation } from './seed-conversation.ts';
import { measureWork, type PageWork, waitUntilDrawn, watchTasks } from './watch-page.ts';

/** Pieces of about 5 characters; 20 ms apart are 50 tokens a second, 2 ms what the peers were measured with. */
const STREAMS = [
  { name: 'relaxed', title: '20,000 characters, 50 tokens/s', characters: 20_000, gapMs: 20 },
  { name: 'fast', title: '40,000 characters, 500 tokens/s', characters: 40_000, gapMs: 2 },
] as const;
const ROUGH = ['code', 'table', 'rows', 'stars', 'dollars', 'million'];
const EXCHANGES = 250;
/** Of 2,000 messages. */
const MANY_EXCHANGES = 1_000;
const GONE_TO = 12;
const PAGE_TIMEOUT_MS = 180_000;

/**
 * What answers cost the browser: while they are written (`relaxed`, `fast`), when they are made to break renderers (`rough`), and
 * when a long conversation is opened (`open`) or gone to from another one (`going`), and beside a long list (`list`); and by the methods
 * that the peers were measured with (`ten-thousand`, `typing`).
 */
export const runRendering: Benchmark = async (parts) => {
  const executablePath = await ensureChromium();
  await buildWeb();
  const rig = await startRig();
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const wanted = (part: string) => parts.length === 0 || parts.includes(part);
    const rows: (string | number)[][] = [];
    for (const stream of STREAMS)
      if (wanted(stream.name)) rows.push(await measureStream(rig, browser, stream));
    if (wanted('rough')) for (const kind of ROUGH) rows.push(await measureRough(rig, browser, kind));
    if (wanted('open')) rows.push(await measureOpening(rig, browser));
    const heads = [
      'what',
      'seconds',
      'longest task ms',
      'long tasks',
      'busy share',
      'task s',
      'script s',
      'layout and style s',
      'DOM nodes',
      'heap MB',
    ];
    const tables =
      rows.length > 0
        ? [`**Answers in the browser** (1280 × 800, main thread)\n\n${table(heads, rows)}`]
        : [];
    if (wanted('ten-thousand')) {
      await setPace(rig, 2);
      tables.push(await measureTenThousand(async () => (await openPage(rig, browser)).page, ask));
    }
    if (wanted('typing')) tables.push(await measureComposer(rig, browser));
    if (wanted('going')) tables.push(await measureSwitching(rig, browser));
    if (wanted('list')) tables.push(await measureList((count) => openList(rig, browser, count)));
    return { body: tables.join('\n\n'), postgres: `${rig.postgres.version}, Chromium ${browser.version()}` };
  } finally {
    await browser.close();
    await rig.close();
  }
};

async function openPage(rig: Rig, browser: Browser): Promise<{ page: Page; userId: string }> {
  const { ids, cookies } = await seedUsers(rig, 1);
  const [name = '', value = ''] = (cookies[0] ?? '').split('=');
  const context = await browser.newContext({ baseURL: rig.url, viewport: { width: 1280, height: 800 } });
  await context.addCookies([{ name, value, url: rig.url }]);
  const page = await context.newPage();
  await watchTasks(page);
  return { page, userId: ids[0] ?? '' };
}

async function measureStream(rig: Rig, browser: Browser, stream: (typeof STREAMS)[number]) {
  const { page } = await openPage(rig, browser);
  await setPace(rig, stream.gapMs);
  await page.goto('/en/chat');
  await ask(page, '/emulate long-answer characters=1500 To warm up');
  const session = await page.context().newCDPSession(page);
  const work = await measureWork(page, session, () =>
    ask(page, `/emulate long-answer characters=${stream.characters} How to write well?`),
  );
  await page.context().close();
  const { longestTaskMs, busyShare } = BUDGETS[stream.name];
  return cells(stream.title, work, longestTaskMs, busyShare);
}

async function measureComposer(rig: Rig, browser: Browser): Promise<string> {
  const { page, userId } = await openPage(rig, browser);
  const conversation = await seedConversation(rig, userId, MANY_EXCHANGES);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const measured = await measureTyping(page, session, `/en/chat/${conversation}`);
  await page.context().close();
  return measured;
}

async function measureSwitching(rig: Rig, browser: Browser): Promise<string> {
  const { page, userId } = await openPage(rig, browser);
  const conversations: string[] = [];
  for (let count = 0; count < GONE_TO; count += 1)
    conversations.push(await seedConversation(rig, userId, MANY_EXCHANGES));
  const measured = await measureGoing(page, conversations);
  await page.context().close();
  return measured;
}

async function openList(rig: Rig, browser: Browser, count: number) {
  const { page, userId } = await openPage(rig, browser);
  await plantConversations(rig.postgres.sql, userId, { count, messages: 1 });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return { page, session };
}

async function measureRough(rig: Rig, browser: Browser, kind: string) {
  const { page } = await openPage(rig, browser);
  await setPace(rig, 20);
  await page.goto('/en/chat');
  await ask(page, '/emulate long-answer characters=1500 To warm up');
  const session = await page.context().newCDPSession(page);
  const work = await measureWork(page, session, () => ask(page, `/emulate rough-answer kind=${kind}`));
  await page.context().close();
  return cells(`rough: ${kind}`, work, BUDGETS.rough.longestTaskMs);
}

async function setPace(rig: Rig, gapMs: number): Promise<void> {
  await fetch(`${rig.emulator.url}/__control/pace`, {
    method: 'POST',
    body: JSON.stringify({ ttftMs: 50, gapMs, jitter: 0 }),
    headers: { 'content-type': 'application/json' },
  });
}

/** Asks and waits until the answer is there. */
async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox').last().fill(question);
  await page.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor({ timeout: PAGE_TIMEOUT_MS });
}

async function measureOpening(rig: Rig, browser: Browser) {
  const { page, userId } = await openPage(rig, browser);
  const conversation = await seedConversation(rig, userId, EXCHANGES);
  await page.goto('/en/chat', { waitUntil: 'networkidle' }).catch(() => {});
  const session = await page.context().newCDPSession(page);
  let readable = Number.NaN;
  const work = await measureWork(page, session, async () => {
    const started = performance.now();
    await page.goto(`/en/chat/${conversation}`);
    await page.getByRole('article').last().locator('.answer p').last().waitFor();
    readable = (performance.now() - started) / 1000;
    await waitUntilDrawn(page, PAGE_TIMEOUT_MS);
  });
  await page.context().close();
  const title = `opening ${EXCHANGES * 2} messages; readable after ${against(readable, BUDGETS.opening.readableSeconds)} s`;
  return cells(title, work, BUDGETS.opening.longestTaskMs);
}

function cells(title: string, work: PageWork, longest: number, share?: number): (string | number)[] {
  return [
    title,
    work.seconds,
    against(work.longestTaskMs, longest),
    work.longTasks,
    against(Math.round((work.taskSeconds / work.seconds) * 100) / 100, share),
    work.taskSeconds,
    work.scriptSeconds,
    work.layoutSeconds,
    work.nodes,
    work.heapMb,
  ];
}
