import { expect, type Page, test } from '@playwright/test';
import { LANGUAGES } from '#contract/choices.ts';
import { long } from './long.ts';
import { journeys, LOCALE, sayIn } from './texts.ts';

/** What moved on the page by itself, of its whole height. */
async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as (PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
          })[];
          resolve(shifts.reduce((sum, { value }) => sum + value, 0));
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(0), 500);
      }),
  );
}

for (const { language, title } of journeys(
  'pictures of the product come in the language and theme of the page',
)) {
  test(title, long('a detail of the page that seldom breaks'), async ({ browser, baseURL }) => {
    for (const path of [`/${language}`, `/${language}/features`]) {
      const context = await browser.newContext({
        ...(baseURL ? { baseURL } : {}),
        locale: LOCALE[language],
        colorScheme: 'light',
      });
      const page = await context.newPage();
      const loaded: string[] = [];
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.startsWith('/pictures/')) loaded.push(`${response.status()} ${pathname}`);
      });
      await page.addInitScript(() => localStorage.setItem('theme', 'dark'));
      await page.goto(path);
      const pictures = page.locator('picture img:visible');
      expect(await pictures.count()).toBeGreaterThan(0);
      for (const picture of await pictures.all()) {
        await picture.scrollIntoViewIfNeeded();
        await expect
          .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
          .toBeGreaterThan(0);
        expect((await picture.getAttribute('alt'))?.length).toBeGreaterThan(10);
      }
      expect(loaded.filter((one) => !one.startsWith('200 '))).toEqual([]);
      expect(loaded.every((one) => one.includes(`-${language}-dark-`))).toBe(true);
      // A picture without its place would be a hundred times that; letters that come late move lines by a hair.
      expect(await layoutShift(page)).toBeLessThan(0.002);
      await context.close();
    }
  });
}

for (const { language, title } of journeys('a visitor chooses a model and reads what a month of it gives')) {
  test(title, async ({ page }) => {
    const say = sayIn(language);
    await page.goto(`/${language}`);
    const example = page.getByRole('region', { name: say('home.priceTitle') });
    await example.getByRole('radio', { name: 'Gemini 2.5 Flash-Lite' }).check();
    await expect(
      example.getByText(say('models.costValue', { cost: 8 }), { exact: true }).last(),
    ).toBeVisible();
    const counts = example.getByRole('definition');
    await expect(counts).toHaveText([5, 62, 187].map((count) => say('home.priceCount', { count })));
    await example.getByRole('radio', { name: 'Gemini 2.5 Pro' }).check();
    const missing = say('home.priceNotIncluded');
    await expect(counts).toHaveText([missing, missing, say('home.priceCount', { count: 125 })]);
    await example.getByRole('radio', { name: 'Gemini 3.1 Flash Image' }).check();
    await expect(counts).toHaveText([
      missing,
      ...[25, 75].map((count) => say('home.priceImages', { count })),
    ]);
  });
}

for (const { language, title } of journeys('models are compared in one table, on a phone too')) {
  test(title, long('a detail of the page that seldom breaks'), async ({ page }) => {
    const say = sayIn(language);
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`/${language}/models`);
      const row = page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: 'Gemini 2.5 Flash-Lite' }) });
      await expect(row.getByRole('cell')).toHaveText(['8', '64K', ...Array(3).fill(say('models.included'))]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
    }
  });
}

test(
  'a legal text in Chinese is a translation that says so, with the English text beneath',
  long('a detail of the page that seldom breaks'),
  async ({ page }) => {
    const say = sayIn('zh');
    for (const [path, heading, original] of [
      ['/zh/terms', '服务条款', 'Terms of service'],
      ['/zh/privacy', '隐私政策', 'Privacy policy'],
      ['/terms?lang=zh', '服务条款', 'Terms of service'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(say('legal.note'))).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      const english = page.locator('article[lang=en]');
      await expect(english).toBeHidden();
      await page.getByText(say('legal.original')).click();
      await expect(english.getByText(original, { exact: true })).toBeVisible();
      await expect(english.getByText('October 15, 2025')).toBeVisible();
      await expect(english, 'its quotes are Latin ones').toHaveCSS('font-family', /Source Sans Marks/);
    }
    await page.goto('/en/terms');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of service');
    await expect(page.locator('article')).toHaveCount(1);
  },
);

test(
  'a legal text says the same in both languages, part by part',
  long('its rules have tests without a browser'),
  async ({ page }) => {
    for (const path of ['/zh/terms', '/zh/privacy']) {
      await page.goto(path);
      const shape = (article: string) =>
        page
          .locator(article)
          .evaluate((root) => [...root.querySelectorAll('p, li')].map(({ tagName }) => tagName));
      expect(await shape('article[lang=zh-CN]')).toEqual(await shape('article[lang=en]'));
    }
  },
);

test(
  'every sample of a testimonial says that it is one, by its mark and by its name',
  long('a detail of the page that seldom breaks'),
  async ({ page }) => {
    for (const language of LANGUAGES) {
      const say = sayIn(language);
      await page.goto(`/${language}`);
      const cards = page.getByRole('region', { name: say('home.testimonialsTitle') }).getByRole('listitem');
      await expect(cards).toHaveCount(3);
      for (const card of await cards.all()) {
        await expect(card.getByText(say('home.sample.label'), { exact: true })).toBeVisible();
        await expect(
          card.getByText(language === 'zh' ? /^示例用户 [甲乙丙]$/ : /^Sample user [ABC]$/),
        ).toBeVisible();
        await expect(card.getByRole('img')).toHaveAccessibleName(/[1-5]/);
        await expect(card.getByRole('blockquote')).not.toBeEmpty();
      }
    }
  },
);

test(
  'private pages name their address and those of their languages, and stay out of searches',
  long('a detail of the page that seldom breaks'),
  async ({ page }) => {
    const paths = {
      '/zh/credits': ['/zh/credits', '/en/credits', '/zh/credits'],
      '/profile': ['/profile?lang=zh', '/profile?lang=en', '/profile'],
    };
    for (const [path, [zh, en, fallback]] of Object.entries(paths)) {
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      const read = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((link: HTMLLinkElement) => new URL(link.href).pathname + new URL(link.href).search);
      expect(await read('link[rel=canonical]')).toBe(path);
      expect(await read('link[hreflang=zh]')).toBe(zh);
      expect(await read('link[hreflang=en]')).toBe(en);
      expect(await read('link[hreflang=x-default]')).toBe(fallback);
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    }
  },
);

test(
  'the face of the text is ours and small, and a sheet moves only where motion is wanted',
  long('a detail of the page that seldom breaks'),
  async ({ page }) => {
    const fonts: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes('source-sans')) fonts.push(Number(response.headers()['content-length']));
    });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await page.emulateMedia({ reducedMotion });
      await page.goto('/zh');
      await page.getByRole('button', { name: sayIn('zh')('nav.open') }).click();
      const sheet = page.getByRole('dialog');
      await expect(sheet).toBeVisible();
      const durations = await sheet.evaluate((dialog) => getComputedStyle(dialog).transitionDuration);
      expect(durations).toMatch(reducedMotion === 'reduce' ? /^0s(, 0s)*$/ : /0\.2s/);
      await page.keyboard.press('Escape');
      await expect(sheet).toBeHidden();
    }
    expect(await page.evaluate(() => document.fonts.check('16px "Source Sans"'))).toBe(true);
    expect(fonts.length).toBeGreaterThan(0);
    expect(Math.max(...fonts)).toBeLessThanOrEqual(35_000);
  },
);

for (const { language, title } of journeys('a visitor of a page of plans sees one thing to do')) {
  test(title, long('a detail of the page that seldom breaks'), async ({ page }) => {
    for (const path of ['pricing', 'subscription']) {
      await page.goto(`/${language}/${path}`);
      await page.getByRole('main').getByRole('button').last().and(page.locator(':enabled')).waitFor();
      const inAccent = await page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.background = 'var(--color-accent)';
        const accent = getComputedStyle(probe).backgroundColor;
        const controls = [...document.querySelectorAll('main a, main button')];
        return controls.filter((one) => getComputedStyle(one).backgroundColor === accent).length;
      });
      expect(inAccent, path).toBe(1);
    }
  });
}
