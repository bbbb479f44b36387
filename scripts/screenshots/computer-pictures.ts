import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import type { Catalogue } from '#contract/catalogue.ts';
import { LANGUAGE_TAG, LANGUAGES } from '#contract/choices.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import type { Language } from './chat-scenes.ts';
import { chooseModel, settle, writeWebp } from './frame-page.ts';
import { beginPurchase } from './payment-scenes.ts';

const TEXTS = { zh, en };
/** The model that drives a browser: these pictures are made where one can be walled in. */
export const DRIVER = 'gemini-computer-use';
const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
/** The one that the documentation shows. */
const IN_DOCS = 'computer-asked-zh-light-1280';
const WORDS = {
  zh: {
    register: '打开 hillside-tea.test，替林晓报名品茶会，两位，手机 13800138000',
    prices: '打开 hillside-tea.test，把价格整理成表格',
    name: '林晓',
  },
  en: {
    register: 'Open hillside-tea.test and register Alex Lin for the tasting, two people, 13800138000',
    prices: 'Open hillside-tea.test and put the prices in a table',
    name: 'Alex Lin',
  },
};
/** The field for the name on the page of the form, as shares of the picture. */
const NAME_FIELD = { x: 0.25, y: 0.295 };
/** Several steps of a browser. */
const STEPS = { timeout: 120_000 };

interface Places {
  folder: string;
  docs: string;
  docsOnly: boolean;
}

/**
 * Takes pictures of a browser that asks, that its reader drives, and that is waited for, into `folder`, and the one of the
 * documentation into `docs`; `docsOnly`: no other. Throws where no browser can be walled in. One browser runs at a time.
 */
export async function takeComputerPictures(browser: Browser, url: string, places: Places): Promise<void> {
  for (const language of LANGUAGES) {
    const looks = THEMES.flatMap((theme) =>
      SIZES.map((size) => ({ theme, size, name: `${language}-${theme}-${size.width}` })),
    ).filter(({ name }) => !places.docsOnly || IN_DOCS.endsWith(name));
    if (looks.length === 0) continue;
    const locale = LANGUAGE_TAG[language];
    const options = { baseURL: url, locale, reducedMotion: 'reduce' } as const;
    const [first, second] = [
      await openPro(browser, options, language),
      await openPro(browser, options, language),
    ];
    for (const { theme, size, name } of looks) {
      const isPhone = size.width < 600;
      const look = { colorScheme: theme, viewport: size, hasTouch: isPhone, isMobile: isPhone };
      const driver = await browser.newContext({ ...options, ...look, storageState: first });
      const waiter = await browser.newContext({ ...options, ...look, storageState: second });
      await playScenes(await driver.newPage(), await waiter.newPage(), language, (page, scene) =>
        keep(page, `computer-${scene}-${name}`, places),
      );
      await driver.close();
      await waiter.close();
    }
  }
}

/** The one who drives, and the other, who waits for the same browser. */
async function playScenes(
  driver: Page,
  waiter: Page,
  language: Language,
  take: (page: Page, scene: string) => Promise<void>,
) {
  const { register, prices, name } = WORDS[language];
  const { computer } = TEXTS[language];
  await ask(driver, language, register);
  await driver.getByRole('alertdialog').waitFor(STEPS);
  await take(driver, 'asked');
  await driver.getByRole('alertdialog').getByRole('button', { name: computer.ask.deny, exact: true }).click();
  await rest(driver, language);

  await ask(driver, language, register);
  await driver.getByText(`hillside-tea.test/${language}/tasting`, { exact: true }).waitFor(STEPS);
  await driver.getByRole('button', { name: computer.takeOver, exact: true }).click();
  await driver.getByText(computer.ask.minutes.replace('{{count}}', '10')).waitFor(STEPS);
  const surface = driver.getByRole('textbox', { name: computer.surface });
  const { width = 0, height = 0 } = (await surface.boundingBox()) ?? {};
  await surface.click({ position: { x: NAME_FIELD.x * width, y: NAME_FIELD.y * height } });
  await driver.keyboard.press('Control+a');
  const live = await driver.getByRole('img', { name: computer.live }).elementHandle();
  const before = await live?.getAttribute('src');
  await driver.keyboard.insertText(name);
  // Of the pictures that come now the last one shows the name.
  await driver.waitForFunction(([image, source]) => image?.getAttribute('src') !== source, [
    live,
    before,
  ] as const);
  await driver.waitForTimeout(2_000);
  await take(driver, 'taken-over');

  await ask(waiter, language, prices);
  await waiter.getByText(computer.state.queued.replace('{{place}}', '1')).first().waitFor(STEPS);
  await take(waiter, 'queued');
  for (const page of [waiter, driver]) await stopRun(page, language);
}

async function keep(page: Page, name: string, { folder, docs, docsOnly }: Places) {
  if (docsOnly && name !== IN_DOCS) return;
  await settle(page);
  const png = await page.screenshot({ path: `${folder}/${name}.png`, caret: 'hide' });
  if (name === IN_DOCS) await writeWebp(png, `${docs}/${name}.webp`);
}

/**
 * Has a form filled in in a new conversation and pauses before it is sent, so that pictures can be taken as long as the server waits
 * for its user; answers the conversation's id. Throws as `waitForBrowser`.
 */
export async function pauseRun(page: Page, language: Language): Promise<string> {
  const { computer } = TEXTS[language];
  await ask(page, language, WORDS[language].register);
  const run = page.getByRole('group', { name: computer.title, exact: true });
  await run.locator('[data-step="5"]').waitFor(STEPS);
  await run.getByRole('button', { name: computer.pause, exact: true }).click();
  await run.getByText(computer.state.paused, { exact: true }).waitFor(STEPS);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** Stops the run of the conversation that is open, and waits until its browser is free. */
export async function stopRun(page: Page, language: Language): Promise<void> {
  const { computer } = TEXTS[language];
  const run = page.getByRole('group', { name: computer.title, exact: true });
  await run.getByRole('button', { name: computer.stop, exact: true }).click();
  await rest(page, language);
}

/** Chooses the model and sends a task in a new conversation, once its price stands there. */
async function ask(page: Page, language: Language, content: string) {
  const { chat, quote } = TEXTS[language];
  await page.goto(`/${language}/chat`);
  await chooseModel(page, language, 'Computer Use');
  await page.getByRole('textbox', { name: chat.prompt }).fill(content);
  await page.locator('form [type=submit]:enabled').waitFor();
  await page.getByText(quote.pending, { exact: true }).waitFor({ state: 'hidden' });
  await page.locator('[aria-haspopup=dialog][aria-busy=true]').waitFor({ state: 'hidden' });
  await page.getByRole('textbox', { name: chat.prompt }).press('Enter');
}

/** Waits for the end of the answer. */
async function rest(page: Page, language: Language) {
  await page.getByRole('button', { name: TEXTS[language].chat.send, exact: true }).waitFor(STEPS);
}

/** An account on Pro; answers its cookies. */
async function openPro(browser: Browser, options: BrowserContextOptions, language: Language) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const account = { email: `lin-${randomUUID()}@example.com`, password: 'correct horse', name: 'Lin' };
  await page.request.post('/api/auth/sign-up/email', { data: account });
  await beginPurchase(page, language, 'gemini_pro');
  await page.locator('button[name=act][value=pay]').click();
  await page.getByText(TEXTS[language].subscription.returnPaidTitle).waitFor();
  await waitForBrowser(page);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Throws after a minute where none can be walled in. */
export async function waitForBrowser(page: Page): Promise<void> {
  for (let left = 60; left > 0; left -= 1) {
    const { models } = (await (await page.request.get('/api/catalogue')).json()) as Catalogue;
    if (models.some(({ computer }) => computer === 'browser')) return;
    await page.waitForTimeout(1_000);
  }
  throw new Error('The pictures show a browser that a model drives, and none can be walled in here.');
}
