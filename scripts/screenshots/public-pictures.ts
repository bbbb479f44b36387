import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import sharp from 'sharp';
import type { ConversationPage, MessagePage } from '#contract/chat.ts';
import { LANGUAGE_TAG, LANGUAGES } from '#contract/choices.ts';
import type { LedgerPage, Spending } from '#contract/credits.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import type { Language } from './chat-scenes.ts';
import { DRIVER, pauseRun, stopRun, waitForBrowser } from './computer-pictures.ts';
import { chooseModel, hideCutLines, hideJumpButton, settle, showBeginning, showEnd } from './frame-page.ts';
import { beginPurchase } from './payment-scenes.ts';

const TEXTS = { zh, en };
/** Served as they are; `web/pages/home/product-picture.tsx` names them. */
export const PUBLIC_FOLDER = 'web/public/pictures';
const THEMES = ['light', 'dark'] as const;
interface Shape {
  size: { width: number; height: number };
  /** How much of it is kept, from its top; all of it where this is missing. */
  keptHeight?: number;
  /** The widths in dots that are kept, by what stands in the name of the file. */
  kept: Record<string, number>;
  /** All of them where this is missing. */
  scenes?: readonly Scene[];
  isPhone: boolean;
}
/** Of a detail, and of a phone, in pixels. */
const KEPT_HEIGHT = 600;
/** The whole window, for the home page. Everything is photographed at two dots a pixel. */
const WIDE: Shape = {
  size: { width: 1120, height: 700 },
  kept: { 1120: 1120, 2240: 2240 },
  scenes: ['chat'],
  isPhone: false,
};
const PHONE: Shape = {
  size: { width: 390, height: KEPT_HEIGHT },
  kept: { 390: 780 },
  isPhone: true,
};
const SHAPES: Shape[] = [
  WIDE,
  // A small window without its foot, where the field of a question covers what is shown.
  { size: { width: 656, height: 800 }, keptHeight: KEPT_HEIGHT, kept: { 656: 1312 }, isPhone: false },
  PHONE,
];
/** The README shows it, as wide as the home page shows the chat. */
const README = {
  scene: 'computer',
  language: 'en',
  theme: 'light',
  file: 'computer-en-light-1280.webp',
} as const;
/** A day and a clock for the pictures, so that the same product makes the same ones. */
const SHOWN_AT = Date.UTC(2026, 10, 24, 10, 30);
/** From one message to the next: a little less than a day. */
const BETWEEN_MS = (23 * 60 + 13) * 60_000;

/** What the account of the pictures asked, the oldest first, and what it called the conversations. */
const QUESTIONS: Record<Language, { model: string; title: string; content: string }[]> = {
  zh: [
    { model: DRIVER, title: '山前茶行的价目表', content: '打开 hillside-tea.test，把价格整理成表格' },
    { model: 'parley-pro', title: '三个月学英语', content: '帮我列一个三个月学英语的计划' },
    { model: 'gemini-2.5-flash-lite', title: '秋天的诗', content: '写一首关于秋天的诗' },
    { model: 'parley-flash', title: 'TypeScript 防抖函数', content: '用 TypeScript 写一个防抖函数' },
    {
      model: 'parley-flash',
      title: '北京到上海怎么走',
      content: '北京去上海，高铁、飞机、自驾怎么选？列一张表格',
    },
  ],
  en: [
    {
      model: DRIVER,
      title: 'Prices at Hillside Tea',
      content: 'Open hillside-tea.test and put the prices in a table',
    },
    {
      model: 'parley-pro',
      title: 'Three months of Chinese',
      content: 'Plan three months of learning Chinese',
    },
    { model: 'gemini-2.5-flash-lite', title: 'A poem about autumn', content: 'Write a poem about autumn' },
    {
      model: 'parley-flash',
      title: 'A debounce function',
      content: 'Write a debounce function in TypeScript',
    },
    {
      model: 'parley-flash',
      title: 'Train, plane or car',
      content: 'Train, plane or car for 500 km? Compare them in a table',
    },
  ],
};

/** What the account gave a model to read, and asked about it. */
const FILES: Record<Language, { name: string; title: string; rows: string; question: string }> = {
  zh: {
    name: '四月采购.csv',
    title: '四月采购合计',
    rows: '品名,数量,单价\n显示器,6,1299\n人体工学椅,8,899\n键盘,10,268\n台灯,12,139\n白板,2,560\n',
    question: '这张采购单合计多少？哪一项花得最多？',
  },
  en: {
    name: 'April purchases.csv',
    title: 'April purchases',
    rows: 'Item,Quantity,Price\nMonitor,6,219\nOffice chair,8,145\nKeyboard,10,59\nDesk lamp,12,24\nWhiteboard,2,85\n',
    question: 'What do these purchases add up to, and which item costs the most?',
  },
};

const BROWSER_TITLE: Record<Language, string> = { zh: '报名品茶会', en: 'Joining a tea tasting' };

/** The conversations that are shown, by their scenes. */
interface Shown {
  chat: string;
  computer: string;
  files: string;
  browser: string;
}

const SCENES = {
  async chat(page: Page, language: Language, { chat }: Shown) {
    await page.goto(`/${language}/chat/${chat}`);
    await page.locator('.answer table').waitFor();
    await hideEmulatorLine(page);
    // A phone has no room for both; its end says what the answer cost.
    await (isPhone(page) ? showEnd(page) : showBeginning(page, language));
  },
  async models(page: Page, language: Language) {
    await page.goto(`/${language}/chat`);
    await page.getByRole('button', { name: /Flash/ }).first().click();
    await page.getByRole('menuitemradio').first().waitFor();
  },
  async files(page: Page, language: Language, { files }: Shown) {
    await page.goto(`/${language}/chat/${files}`);
    await page.locator('.answer table').waitFor();
    await hideEmulatorLine(page);
    await showBeginning(page, language);
    // The picture fades out at its foot, where a phone has the field.
    if (isPhone(page)) {
      const field = page.locator('.composer-column').last();
      await field.evaluate((element) => element.style.setProperty('visibility', 'hidden'));
    }
  },
  async browser(page: Page, language: Language, { browser }: Shown) {
    await page.goto(`/${language}/chat/${browser}`);
    await chooseModel(page, language, 'Computer Use');
    const { computer } = TEXTS[language];
    const run = runOf(page, language);
    await run.getByText(computer.state.paused, { exact: true }).waitFor();
    await run.getByRole('img', { name: computer.live }).waitFor();
    await showRun(page, language);
  },
  async computer(page: Page, language: Language, { computer }: Shown) {
    await page.goto(`/${language}/chat/${computer}`);
    await chooseModel(page, language, 'Computer Use');
    // The page may show a table of the shop beside it, which folds too.
    const steps = new RegExp(TEXTS[language].computer.fold.replace(/ · .*/, ' · \\d'));
    await page.locator('summary').filter({ hasText: steps }).click();
    await runOf(page, language).locator('[data-step="2"]').click();
    await showRun(page, language);
  },
  async statement(page: Page, language: Language) {
    await page.clock.setFixedTime(SHOWN_AT);
    await page.goto(`/${language}/credits`);
    await page.getByRole('table').waitFor();
    const { title } = TEXTS[language].statement;
    const region = page.getByRole('region', { name: title });
    await region.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    // Its space below the bar at the top of the page, which would cover what stands above.
    await page.evaluate(`document.querySelector('header').style.visibility = 'hidden'; scrollBy(0, 48)`);
  },
};
type Scene = keyof typeof SCENES;
const ALL = Object.keys(SCENES) as Scene[];

/** The emulator says of itself that it is none of the models; the page says that the conversation is a sample. */
async function hideEmulatorLine(page: Page) {
  await page.locator('.answer blockquote').evaluate((line) => line.remove());
}

function isPhone(page: Page): boolean {
  return page.viewportSize()?.width === PHONE.size.width;
}

function runOf(page: Page, language: Language) {
  return page.getByRole('group', { name: TEXTS[language].computer.title, exact: true });
}

/** Scrolls to the top of a run of a browser, once its picture is there. */
async function showRun(page: Page, language: Language) {
  const run = runOf(page, language);
  await run.locator('.computer-screen img').waitFor();
  // Beneath the picture its steps would be cut: they go, as where their reader has something to do.
  await run.locator('.computer-steps').evaluate((steps) => steps.setAttribute('data-resting', ''));
  await run.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  // The button comes once the end is out of sight.
  await page.waitForTimeout(500);
  await hideJumpButton(page, language);
}

/** Writes the pictures of the product that the public pages show, in each language and theme. */
export async function takePublicPictures(browser: Browser, url: string): Promise<void> {
  rmSync(PUBLIC_FOLDER, { recursive: true, force: true });
  mkdirSync(PUBLIC_FOLDER, { recursive: true });
  for (const language of LANGUAGES) {
    const locale = LANGUAGE_TAG[language];
    const options = { baseURL: url, locale, timezoneId: 'UTC', reducedMotion: 'reduce' } as const;
    const { state, shown, end } = await prepareAccount(browser, options, language);
    for (const theme of THEMES) {
      const open = (shape: Shape) =>
        openPage(browser, { ...options, storageState: state, colorScheme: theme }, shape);
      for (const shape of SHAPES) {
        const page = await open(shape);
        for (const scene of shape.scenes ?? ALL) {
          const png = await photograph(page, scene, language, shown, shape.keptHeight);
          for (const [name, width] of Object.entries(shape.kept)) {
            await sharp(png)
              .resize({ width })
              .avif({ quality: 55, effort: 4 })
              .toFile(`${PUBLIC_FOLDER}/${scene}-${language}-${theme}-${name}.avif`);
          }
        }
        await page.context().close();
      }
      if (README.language === language && README.theme === theme) {
        const page = await open(WIDE);
        const png = await photograph(page, README.scene, language, shown);
        await sharp(png)
          .resize({ width: 1280 })
          .webp({ quality: 82 })
          .toFile(`docs/screenshots/${README.file}`);
        await page.context().close();
      }
    }
    await end();
  }
}

async function openPage(browser: Browser, options: BrowserContextOptions, shape: Shape): Promise<Page> {
  const { size, isPhone } = shape;
  const context = await browser.newContext({
    ...options,
    viewport: size,
    deviceScaleFactor: 2,
    hasTouch: isPhone,
    isMobile: isPhone,
  });
  const page = await context.newPage();
  await showAtOneTime(page);
  return page;
}

async function photograph(
  page: Page,
  scene: Scene,
  language: Language,
  shown: Shown,
  keptHeight?: number,
): Promise<Buffer> {
  await SCENES[scene](page, language, shown);
  await settle(page);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const clip = { x: 0, y: 0, width, height: keptHeight ?? height };
  await hideCutLines(page, clip.height);
  return page.screenshot({ caret: 'hide', animations: 'disabled', clip });
}

/**
 * An account on Pro with a few conversations; answers its cookies, the conversations that are shown, and what ends the run of a
 * browser that waits in one of them.
 */
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
  const shown: Shown = { chat: '', computer: '', files: '', browser: '' };
  for (const { title, ...question } of QUESTIONS[language]) {
    const conversation = randomUUID();
    shown[question.model === DRIVER ? 'computer' : 'chat'] = conversation;
    const data = { ...question, id: randomUUID(), conversationId: conversation, parentId: null };
    const sent = await page.request.post('/api/messages', { data });
    if (!sent.ok()) throw new Error(await sent.text());
    while ((await readStatus(page, conversation)) === 'running') await page.waitForTimeout(200);
    await page.goto(`/${language}/chat/${conversation}`);
    await page.locator('.answer').waitFor();
    await renameConversation(page, conversation, title);
  }
  shown.files = await askAboutFile(page, language);
  await renameConversation(page, shown.files, FILES[language].title);
  // Before the other model is chosen.
  const state = await context.storageState();
  shown.browser = await pauseRun(page, language);
  await renameConversation(page, shown.browser, BROWSER_TITLE[language]);
  const end = async () => {
    await stopRun(page, language);
    await context.close();
  };
  return { state, shown, end };
}

async function renameConversation(page: Page, id: string, title: string): Promise<void> {
  const renamed = await page.request.patch(`/api/conversations/${id}`, { data: { title } });
  if (!renamed.ok()) throw new Error(await renamed.text());
}

/** Asks about a file in a new conversation; answers its id once the answer is there. */
async function askAboutFile(page: Page, language: Language): Promise<string> {
  const { name, rows, question } = FILES[language];
  const { chat, files } = TEXTS[language];
  await page.goto(`/${language}/chat`);
  await chooseModel(page, language, 'Flash');
  await page.locator('[data-files]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(rows) });
  await page.getByRole('button', { name: files.remove.replace('{{name}}', name), exact: true }).waitFor();
  await page.getByRole('textbox', { name: chat.prompt }).fill(question);
  await page.locator('form [type=submit]:enabled').waitFor();
  await page.getByRole('textbox', { name: chat.prompt }).press('Enter');
  await page.locator('.answer table').waitFor();
  await page.getByRole('button', { name: chat.send, exact: true }).waitFor();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** Of the one message of a conversation. */
async function readStatus(page: Page, conversation: string): Promise<string> {
  const response = await page.request.get(`/api/messages?conversationId=${conversation}`);
  const { messages } = (await response.json()) as { messages: { status: string }[] };
  return messages[0]?.status ?? 'running';
}

/** Lets the browser read what the server says as it would at `SHOWN_AT`, had a message been sent a day. */
async function showAtOneTime(page: Page): Promise<void> {
  await page.route('**/api/credits/entries?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: showAt((await response.json()) as LedgerPage) });
  });
  await page.route('**/api/credits/spending', async (route) => {
    const response = await route.fetch();
    const spending = (await response.json()) as Spending;
    const entries = await page.request.get('/api/credits/entries?limit=100');
    const charges = showAt((await entries.json()) as LedgerPage).entries.filter(
      ({ kind }) => kind === 'charge',
    );
    const quarters = charges.map(({ time, amount }) => ({ at: time, credits: -amount })).reverse();
    await route.fulfill({ response, json: { ...spending, quarters } });
  });
  await page.route(/\/api\/conversations(\?.*)?$/, async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as ConversationPage;
    const conversations = json.conversations.map((conversation, place) => ({
      ...conversation,
      updatedAt: Date.now() - place * BETWEEN_MS,
    }));
    await route.fulfill({ response, json: { ...json, conversations } });
  });
  await page.route('**/api/messages?*', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as MessagePage;
    const messages = json.messages.map((message) => ({ ...message, timestamp: SHOWN_AT - 47 * 60_000 }));
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
