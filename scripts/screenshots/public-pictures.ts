import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import sharp from 'sharp';
import type { MessagePage } from '#contract/chat.ts';
import { LANGUAGE_TAG, LANGUAGES } from '#contract/choices.ts';
import type { LedgerPage } from '#contract/credits.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import type { Language } from './chat-scenes.ts';
import { DRIVER, waitForBrowser } from './computer-pictures.ts';
import { chooseModel, hideJumpButton, settle, showBeginning } from './frame-page.ts';
import { beginPurchase } from './payment-scenes.ts';

const TEXTS = { zh, en };
/** Served as they are; `web/pages/home/product-picture.tsx` names them. */
export const PUBLIC_FOLDER = 'web/public/pictures';
const THEMES = ['light', 'dark'] as const;
/** What is photographed, at two dots a pixel, and the widths in dots that are kept. */
const SHAPES = [
  { size: { width: 1120, height: 700 }, widths: [1120, 2240], isPhone: false },
  { size: { width: 390, height: 600 }, widths: [780], isPhone: true },
];
/** The README shows it too. */
const IN_README = 'computer-en-light';
/** A day and a clock for the pictures, so that the same product makes the same ones. */
const SHOWN_AT = Date.UTC(2026, 10, 24, 10, 30);
const BETWEEN_MS = 47 * 60_000;

/** What the account of the pictures asked, the oldest first. */
const QUESTIONS: Record<Language, { model: string; content: string }[]> = {
  zh: [
    { model: DRIVER, content: '打开 shop.test，把价格整理成表格' },
    { model: 'parley-pro', content: '帮我列一个三个月学英语的计划' },
    { model: 'gemini-2.5-flash-lite', content: '写一首关于秋天的诗' },
    { model: 'parley-flash', content: '用 TypeScript 写一个防抖函数' },
    { model: 'parley-flash', content: '北京去上海，高铁和飞机怎么选？列一张表格' },
  ],
  en: [
    { model: DRIVER, content: 'Open shop.test and put the prices in a table' },
    { model: 'parley-pro', content: 'Plan three months of learning Chinese' },
    { model: 'gemini-2.5-flash-lite', content: 'Write a poem about autumn' },
    { model: 'parley-flash', content: 'Write a debounce function in TypeScript' },
    { model: 'parley-flash', content: 'Train or plane for 500 km? Compare them in a table' },
  ],
};

/** The conversations that are shown. */
interface Shown {
  table: string;
  browser: string;
}

const SCENES = {
  async chat(page: Page, language: Language, { table }: Shown) {
    await page.goto(`/${language}/chat/${table}`);
    await page.locator('.answer table').waitFor();
    // The emulator says of itself that it is none of the models; the page says that the conversation is a sample.
    await page.locator('.answer blockquote').evaluate((line) => line.remove());
    await showBeginning(page, language);
  },
  async models(page: Page, language: Language) {
    await page.goto(`/${language}/chat`);
    await page.getByRole('button', { name: /Flash/ }).first().click();
    await page.getByRole('menuitemradio').first().waitFor();
  },
  async computer(page: Page, language: Language, { browser }: Shown) {
    await page.goto(`/${language}/chat/${browser}`);
    await chooseModel(page, language, 'Computer Use');
    await page.locator('details:has(.computer-run) summary, article details summary').first().click();
    const run = page.getByRole('group', { name: TEXTS[language].computer.title, exact: true });
    await run.locator('[data-step="2"]').click();
    await run.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    await run.locator('.computer-screen img').waitFor();
    await hideJumpButton(page, language);
  },
  async statement(page: Page, language: Language) {
    await page.clock.setFixedTime(SHOWN_AT);
    await page.goto(`/${language}/credits`);
    await page.getByRole('table').waitFor();
  },
};

/** Writes the pictures of the product that the public pages show, in each language and theme. */
export async function takePublicPictures(browser: Browser, url: string): Promise<void> {
  rmSync(PUBLIC_FOLDER, { recursive: true, force: true });
  mkdirSync(PUBLIC_FOLDER, { recursive: true });
  for (const language of LANGUAGES) {
    const locale = LANGUAGE_TAG[language];
    const options = { baseURL: url, locale, timezoneId: 'UTC', reducedMotion: 'reduce' } as const;
    const { state, shown } = await prepareAccount(browser, options, language);
    for (const theme of THEMES) {
      for (const { size, widths, isPhone } of SHAPES) {
        const context = await browser.newContext({
          ...options,
          storageState: state,
          colorScheme: theme,
          viewport: size,
          deviceScaleFactor: 2,
          hasTouch: isPhone,
          isMobile: isPhone,
        });
        const page = await context.newPage();
        await showAtOneTime(page);
        for (const [scene, play] of Object.entries(SCENES)) {
          await play(page, language, shown);
          await settle(page);
          const png = await page.screenshot({ caret: 'hide', animations: 'disabled' });
          if (IN_README === `${scene}-${language}-${theme}` && !isPhone) {
            const file = `docs/screenshots/${IN_README}-1280.webp`;
            await sharp(png).resize({ width: 1280 }).webp({ quality: 82 }).toFile(file);
          }
          for (const width of widths) {
            const name = `${scene}-${language}-${theme}-${isPhone ? size.width : width}.avif`;
            await sharp(png)
              .resize({ width })
              .avif({ quality: 55, effort: 4 })
              .toFile(`${PUBLIC_FOLDER}/${name}`);
          }
        }
        await context.close();
      }
    }
  }
}

/** An account on Pro with a few conversations; answers its cookies and the conversations that are shown. */
async function prepareAccount(browser: Browser, options: BrowserContextOptions, language: Language) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const account = { email: `lin-${language}@example.com`, password: 'correct horse', name: 'Lin' };
  await page.goto(`/${language}`);
  await page.request.post('/api/auth/sign-up/email', { data: account });
  await beginPurchase(page, language, 'gemini_pro');
  await page.locator('button[name=act][value=pay]').click();
  await page.getByText(TEXTS[language].subscription.returnPaidTitle).waitFor();
  await waitForBrowser(page);
  const shown: Shown = { table: '', browser: '' };
  for (const question of QUESTIONS[language]) {
    const conversation = randomUUID();
    shown[question.model === DRIVER ? 'browser' : 'table'] = conversation;
    const data = { ...question, id: randomUUID(), conversationId: conversation, parentId: null };
    const sent = await page.request.post('/api/messages', { data });
    if (!sent.ok()) throw new Error(await sent.text());
    while ((await readStatus(page, conversation)) === 'running') await page.waitForTimeout(200);
    await page.goto(`/${language}/chat/${conversation}`);
    await page.locator('.answer').waitFor();
  }
  const state = await context.storageState();
  await context.close();
  return { state, shown };
}

/** Of the one message of a conversation. */
async function readStatus(page: Page, conversation: string): Promise<string> {
  const response = await page.request.get(`/api/messages?conversationId=${conversation}`);
  const { messages } = (await response.json()) as { messages: { status: string }[] };
  return messages[0]?.status ?? 'running';
}

/** Lets the browser read what the server says as it would at `SHOWN_AT`. */
async function showAtOneTime(page: Page): Promise<void> {
  await page.route('**/api/credits/entries?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: showAt((await response.json()) as LedgerPage) });
  });
  await page.route('**/api/messages?*', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as MessagePage;
    const messages = json.messages.map((message) => ({ ...message, timestamp: SHOWN_AT - BETWEEN_MS }));
    await route.fulfill({ response, json: { ...json, messages } });
  });
}

/** The statement as it would be read at `SHOWN_AT`: its lines some time apart, its lots by as much longer. */
function showAt(page: LedgerPage): LedgerPage {
  const later = SHOWN_AT - Date.now();
  return {
    ...page,
    entries: page.entries.map((entry, place) => ({ ...entry, time: SHOWN_AT - (place + 1) * BETWEEN_MS })),
    ...(page.lots && { lots: page.lots.map((lot) => ({ ...lot, expiresAt: lot.expiresAt + later })) }),
  };
}
