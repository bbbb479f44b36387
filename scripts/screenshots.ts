import { mkdirSync, rmSync } from 'node:fs';
import { type Browser, chromium, type Page } from '@playwright/test';
import { LANGUAGE_TAG, LANGUAGES } from '#contract/choices.ts';
import { CHAT_SCENES, IMAGE_SCENE, type Language } from './screenshots/chat-scenes.ts';
import { takeComputerPictures } from './screenshots/computer-pictures.ts';
import { takeConsolePictures } from './screenshots/console-pictures.ts';
import { settle, showWhole, writeWebp } from './screenshots/frame-page.ts';
import { PAYMENT_SCENES } from './screenshots/payment-scenes.ts';
import { PUBLIC_FOLDER, takePublicPictures } from './screenshots/public-pictures.ts';
import { startProduct } from './screenshots/start-product.ts';
import { ensureChromium } from './setup-chromium.ts';

/** Not in build/, which every build empties. */
const FOLDER = '.cache/screenshots';
const README_FOLDER = 'docs/screenshots';
const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
/** Pages whose path names no language. */
const PLAIN = ['privacy', 'terms', 'profile', 'forgot-password', 'reset-password'];
/** Those that the README shows, by their names without an ending. */
const IN_README = [
  'home-zh-light-1280',
  'chat-answering-zh-light-1280',
  'chat-answered-en-dark-390',
  'chat-files-zh-light-1280',
  'chat-image-en-light-1280',
  'credits-statement-en-light-1280',
];

interface Look {
  language: Language;
  theme: (typeof THEMES)[number];
  size: (typeof SIZES)[number];
}

/** How a picture of a page is called. */
function nameOf(scene: string, { language, theme, size }: Look): string {
  return `${scene}-${language}-${theme}-${size.width}`;
}

/** Every look that a page can have. */
const LOOKS: Look[] = LANGUAGES.flatMap((language) =>
  THEMES.flatMap((theme) => SIZES.map((size) => ({ language, theme, size }))),
);

async function takePictures(browser: Browser, url: string, paths: string[], looks: Look[]) {
  for (let look = looks.pop(); look; look = looks.pop()) {
    const { language, theme, size } = look;
    const isWanted = (name: string) => !readmeOnly || IN_README.includes(nameOf(name, look));
    const context = await browser.newContext({
      baseURL: url,
      colorScheme: theme,
      viewport: size,
      locale: LANGUAGE_TAG[language],
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const ours = paths.filter((path) => path === `/${language}` || path.startsWith(`/${language}/`));
    for (const path of [...ours, ...PLAIN.map((plain) => `/${plain}`)]) {
      const [, first = '', ...rest] = path.split('/');
      const name = first === language ? rest.join('-') || 'home' : `plain-${first}`;
      if (!isWanted(name)) continue;
      await page.goto(path, { waitUntil: 'networkidle' });
      await keep(page, name, look, true);
    }
    // Each scene leads on from the one before.
    const scenes = [...CHAT_SCENES, ...PAYMENT_SCENES, IMAGE_SCENE];
    const last = scenes.findLastIndex(({ name }) => isWanted(name));
    for (const { name, play } of scenes.slice(0, last + 1)) {
      await play(page, language);
      await keep(page, name, look, !name.startsWith('chat'));
    }
    await context.close();
  }
}

/** One picture: the whole page from its top, or what the screen shows of it. */
async function keep(page: Page, scene: string, look: Look, whole: boolean) {
  await (whole ? showWhole(page) : settle(page));
  const name = nameOf(scene, look);
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: whole });
  if (!IN_README.includes(name)) return;
  mkdirSync(README_FOLDER, { recursive: true });
  await writeWebp(await page.screenshot(), `${README_FOLDER}/${name}.webp`);
}

async function readSitemap(url: string): Promise<string[]> {
  const text = await (await fetch(`${url}/sitemap.xml`)).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
}

/**
 * `npm run screenshots -- public`: only what the public pages show; `-- console`: only the console; `-- computer`: only a browser
 * that a model drives; `-- readme`: only what the README and the documentation show, of all of it or of one of these.
 */
const only = ['public', 'console', 'computer'].filter((part) => process.argv.includes(part));
const isWanted = (part: string) => only.length === 0 || only.includes(part);
const readmeOnly = process.argv.includes('readme');
const executablePath = await ensureChromium();
if (!only.includes('public')) rmSync(FOLDER, { recursive: true, force: true });
const product = await startProduct();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const places = { folder: FOLDER, docs: README_FOLDER, docsOnly: readmeOnly };
try {
  if (isWanted('public') && !readmeOnly) {
    await takePublicPictures(browser, product.url);
    console.log(`公开页面用的图片在 ${PUBLIC_FOLDER}。The pictures of the public pages are there.`);
  }
  if (isWanted('console')) {
    await takeConsolePictures(browser, product, places);
    console.log(`管理台的截图在 ${FOLDER}。Pictures of the console are there.`);
  }
  if (isWanted('pages')) {
    const paths = await readSitemap(product.url);
    const looks = LOOKS.filter(
      (look) => !readmeOnly || IN_README.some((name) => name.endsWith(nameOf('', look))),
    );
    await Promise.all([1, 2].map(() => takePictures(browser, product.url, paths, looks)));
    console.log(`截图在 ${FOLDER}，README 用的在 ${README_FOLDER}。Pictures are in both folders.`);
  }
  if (isWanted('computer')) {
    await takeComputerPictures(browser, product.url, places);
    console.log(`浏览器操作的截图在 ${FOLDER}。Pictures of a browser that a model drives are there.`);
  }
} finally {
  await browser.close();
  await product.stop();
}
