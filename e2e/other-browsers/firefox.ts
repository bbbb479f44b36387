import { launch } from 'puppeteer-core';
import type { Tab } from './tab.ts';

const WINDOW = { width: 1280, height: 800 };

/** Starts Firefox without a window and speaks WebDriver BiDi with it (https://w3c.github.io/webdriver-bidi). */
export async function startFirefox(executablePath: string): Promise<Tab> {
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    defaultViewport: WINDOW,
    extraPrefsFirefox: { 'intl.accept_languages': 'zh-CN' },
  });
  const page = await browser.newPage();
  return {
    open: async (url) => void (await page.goto(url, { waitUntil: 'domcontentloaded' })),
    // What puppeteer remembers misses addresses that a page gives itself.
    url: () => page.evaluate('location.href') as Promise<string>,
    run: <T>(body: string, argument: unknown = null) =>
      page.evaluate(`(async (argument) => { ${body} })(${JSON.stringify(argument)})`) as Promise<T>,
    click: (selector) => page.click(selector),
    type: (text) => page.keyboard.type(text),
    pressEnter: () => page.keyboard.press('Enter'),
    close: () => browser.close(),
  };
}
