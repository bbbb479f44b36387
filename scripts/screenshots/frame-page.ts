import type { Page } from '@playwright/test';
import sharp from 'sharp';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import type { Language } from './chat-scenes.ts';

const TEXTS = { zh, en };

/** Waits for the fonts and for every visible image, five seconds at most. */
const SETTLE = `Promise.race([
  new Promise((resolve) => setTimeout(resolve, 5_000)),
  document.fonts.ready.then(() => Promise.all(
    [...document.images].filter((image) => image.checkVisibility()).map((image) => image.decode().catch(() => {})),
  )),
])`;

/** Loads images that wait to come into sight, too. */
const LOAD_ALL = `for (const image of document.images) image.loading = 'eager'`;

/** Hides lines of text and icons that an edge at a height in pixels cuts in two. */
const HIDE_CUT = `(edge) => {
  const isCut = ({ top, bottom }) => top < edge && bottom > edge;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const cut = [...document.querySelectorAll('svg')].filter((icon) => isCut(icon.getBoundingClientRect()));
  while (texts.nextNode()) {
    range.selectNode(texts.currentNode);
    if ([...range.getClientRects()].some(isCut)) cut.push(texts.currentNode.parentElement);
  }
  for (const element of cut) element.style.visibility = 'hidden';
}`;

/** Hides what the lower edge of a picture of `height` pixels would cut in two. */
export async function hideCutLines(page: Page, height: number): Promise<void> {
  await page.evaluate(`(${HIDE_CUT})(${height})`);
}

/** Waits until fonts and visible images are there. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(SETTLE);
}

/** Makes a page ready for a picture of all of it, or of its beginning. */
export async function showWhole(page: Page): Promise<void> {
  await page.evaluate(LOAD_ALL);
  await settle(page);
}

/** Scrolls a conversation to its first message, without the button that leads back to its end. */
export async function showBeginning(page: Page, language: Language): Promise<void> {
  // As a reader does it: a conversation that is at its end follows that.
  const { x = 0, y = 0 } = (await page.locator('section[data-scroller]').boundingBox()) ?? {};
  await page.mouse.move(x + 20, y + 20);
  await page.mouse.wheel(0, -100_000);
  await page.waitForTimeout(500);
  await hideJumpButton(page, language);
  await settle(page);
}

/** Scrolls a conversation to its end, as a reader has it before them once an answer has come. */
export async function showEnd(page: Page): Promise<void> {
  const scroller = page.locator('section[data-scroller]');
  const { x = 0, y = 0 } = (await scroller.boundingBox()) ?? {};
  await page.mouse.move(x + 20, y + 20);
  // What loads on the way makes it longer.
  for (let tries = 0; tries < 20; tries += 1) {
    await page.mouse.wheel(0, 100_000);
    await page.waitForTimeout(250);
    await settle(page);
    if (await scroller.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 2)) return;
  }
  throw new Error('the conversation has no end');
}

/** Takes away the button that leads to the end of a conversation: no picture is about that. */
export async function hideJumpButton(page: Page, language: Language): Promise<void> {
  await page.getByRole('button', { name: TEXTS[language].chat.toLatest }).evaluateAll((buttons) => {
    for (const button of buttons) button.style.setProperty('display', 'none');
  });
}

/** Chooses the model whose name contains `name` in the bar of the chat, unless it is in use. */
export async function chooseModel(page: Page, language: Language, name: string): Promise<void> {
  const button = page
    .locator('header button[aria-haspopup=menu]')
    .filter({ hasText: TEXTS[language].chat.model });
  await button.and(page.locator(':enabled')).waitFor();
  if ((await button.textContent())?.includes(name)) return;
  await button.click();
  await page.getByRole('menuitemradio').filter({ hasText: name }).first().click();
  await button.filter({ hasText: name }).waitFor();
}

/** Writes a picture of the documentation. */
export async function writeWebp(png: Buffer, file: string): Promise<void> {
  await sharp(png).webp({ quality: 85 }).toFile(file);
}
