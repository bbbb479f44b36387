import { randomUUID } from 'node:crypto';
import type { Message } from '#contract/chat.ts';
import { measureMainThread } from '#test/main-thread.ts';
import { expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { journeys } from './texts.ts';
import { expect, test, type Visitor } from './visitor.ts';

const SHOWCASE = { zh: '给我看排版示例', en: 'Show me every construct' };
/** What no rough answer may cost in one piece, in CPU time: a hang costs minutes. How fast it is, is a matter of the benchmark. */
const FREEZE_MS = 2_000;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function showcase(me: Visitor): Promise<void> {
  await me.signUp();
  await me.ask(SHOWCASE[me.language]);
  await me.rest();
}

/** The same answer, opened once it is complete: to draw it as it grows costs several times as much. */
async function openShowcase(me: Visitor): Promise<void> {
  const { page, language } = me;
  await me.openAccount();
  const [id, conversationId] = [randomUUID(), randomUUID()];
  const data = { id, conversationId, parentId: null, model: 'parley-flash', content: SHOWCASE[language] };
  const sent = await page.request.post('/api/messages', { data });
  expect(sent.status(), await sent.text()).toBe(201);
  const stored = async () => (await (await page.request.get(`/api/messages/${id}`)).json()) as Message;
  await expect.poll(async () => (await stored()).status).toBe('completed');
  await page.goto(`/${language}/chat/${conversationId}`);
}

for (const { language, title } of journeys(
  'an answer has tables, tasks, formulas, coloured code, a diagram and footnotes, and its links are safe',
)) {
  test(title, long('tests of the renderer hold each part'), async ({ visitor }) => {
    const me = visitor(language);
    await showcase(me);
    const { answer } = me;
    await expect(answer.locator('.code-block .hljs-keyword').first()).toHaveText('export');
    await expect(answer.locator('.formula math').first()).toBeAttached();
    await expect(answer.locator('.formula .failed')).toHaveText('\\frac{1}{');
    await expect(answer.locator('.formula.display .katex-html')).toBeVisible();
    await expect(answer.getByRole('table')).toHaveCount(1);
    await expect(answer.getByRole('checkbox')).toHaveCount(2);
    await expect(answer.locator('del')).toHaveCount(1);
    await expect(answer.locator('.footnotes li')).toHaveCount(2);
    await answer.locator('sup a').first().click();
    await expect(answer.locator('.footnotes li').first()).toBeInViewport();
    for (const link of await answer.locator('a[target]').all()) {
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow ugc');
    }
    const diagram = answer.locator('.diagram img');
    await expect(diagram).toBeVisible();
    expect((await diagram.boundingBox())?.height).toBeGreaterThan(30);
    await answer.getByRole('button', { name: me.say('chat.diagramSource') }).click();
    await expect(answer.getByText('flowchart LR')).toBeVisible();
    await answer.getByRole('button', { name: me.say('chat.diagramShow') }).click();
    await expect(diagram).toBeVisible();
  });
}

test(
  'an answer with everything has no violation, at a desk and on a phone, which it does not widen',
  long('`accessibility.spec.ts` judges the chat'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await showcase(me);
    await expect(me.answer.locator('.diagram img')).toBeVisible();
    for (const width of [1280, 390]) {
      await me.page.setViewportSize({ width, height: 844 });
      await expectAccessibleInBothThemes(me.page, '.answer');
      const wide = await me.page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBe(width);
    }
  },
);

test(
  'a picture is fetched only when it is wanted, by a frame without rights, and a lost one says so',
  long('the journey below holds that the frame has no way out'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const asked: string[] = [];
    await me.page.route('https://pictures.example/**', async (route) => {
      asked.push(route.request().headers().referer ?? '');
      await (asked.length === 1 ? route.abort() : route.fulfill({ body: PNG, contentType: 'image/png' }));
    });
    await openShowcase(me);
    await expect(me.answer.getByText('pictures.example', { exact: true })).toBeVisible();
    expect(asked).toEqual([]);
    await me.answer.getByRole('button', { name: me.say('chat.imageLoad') }).click();
    await expect(me.answer).toContainText(me.say('chat.imageFailed', { host: 'pictures.example' }));
    await me.answer.getByRole('button', { name: me.say('chat.imageRetry') }).click();
    const frame = me.answer.locator('iframe');
    await expect(frame).toHaveAttribute('aria-busy', 'false');
    await expect(frame).toHaveAttribute('sandbox', 'allow-scripts');
    await expect(frame.contentFrame().getByRole('img', { name: '一张示意图' })).toBeVisible();
    expect(asked).toEqual(['', '']);
  },
);

test('what runs in the sandbox has no origin, no cookies and no way out', async ({ visitor }) => {
  const me = visitor('en');
  await openShowcase(me);
  await expect(me.answer.locator('.diagram img')).toBeVisible();
  const frame = me.page.frames().find((one) => one.url().endsWith('/sandbox/diagram'));
  const found = await frame?.evaluate(async () => ({
    origin: globalThis.origin,
    cookie: await Promise.resolve()
      .then(() => document.cookie)
      .catch(() => 'refused'),
    api: await fetch('/api/me').then(
      () => 'answered',
      () => 'refused',
    ),
  }));
  expect(found).toEqual({ origin: 'null', cookie: 'refused', api: 'refused' });
});

test(
  'finished blocks are left alone while the answer grows',
  long('its rules have tests without a browser'),
  async ({ visitor }) => {
    const me = visitor('en');
    await me.signUp();
    await me.ask('/emulate long-answer characters=4000 How to write well?');
    await expect(me.answer.locator('table').first()).toBeVisible();
    const length = await me.answer.evaluate((answer) => {
      const blocks = [...answer.querySelectorAll(':scope > .group > *')];
      const window = globalThis as unknown as { touched: number };
      window.touched = 0;
      const watcher = new MutationObserver((records) => {
        window.touched += records.filter(
          ({ target }) => !(target as Element).closest?.('.code-block'),
        ).length;
      });
      for (const block of blocks.slice(0, -3)) {
        watcher.observe(block, { childList: true, subtree: true, characterData: true, attributes: true });
      }
      return blocks.length;
    });
    await me.rest();
    const later = await me.answer.evaluate((answer) => answer.querySelectorAll(':scope > .group > *').length);
    expect(later).toBeGreaterThan(length + 5);
    expect(await me.page.evaluate(() => (globalThis as unknown as { touched: number }).touched)).toBe(0);
  },
);

const ROUGH = {
  million: 'Some text with code',
  brackets: '[',
  table: 'cell',
  html: '<a',
  code: 'const answer',
  rows: 'a cell',
  quotes: 'deep',
  lists: 'deep',
  steps: 'level 299',
  stars: 'a',
  dollars: 'a',
  word: '长长长',
  fence: 'const half',
};

for (const [kind, text] of Object.entries(ROUGH)) {
  const title = `a rough answer neither freezes nor widens the page, written or opened: ${kind}`;
  test(title, long('a page that freezes is looked for before a release'), async ({ visitor, browser }) => {
    const me = visitor('en');
    const { page } = me;
    await page.setViewportSize({ width: 390, height: 844 });
    await me.signUp();
    await expect(me.composer).toBeEditable();
    const expectFit = async () =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const written = await measureMainThread(browser, page, async () => {
      await me.ask(`/emulate rough-answer kind=${kind}`);
      await me.rest();
      await expect(me.answer).toContainText(text);
    });
    await expectFit();
    const opened = await measureMainThread(browser, page, async () => {
      await page.reload();
      await expect(me.answer).toContainText(text, { timeout: 60_000 });
      if (kind !== 'million') await expect(me.answer.locator('.coming')).toHaveCount(0, { timeout: 60_000 });
    });
    await expectFit();
    expect(
      { written: written.longestTask < FREEZE_MS, opened: opened.longestTask < FREEZE_MS },
      JSON.stringify({ written, opened }),
    ).toEqual({ written: true, opened: true });
  });
}

test(
  'a selection with formulas is copied as text with their TeX; the button copies the source',
  long('a detail of the page that seldom breaks'),
  async ({ visitor, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const me = visitor('zh');
    await showcase(me);
    await expect(me.answer.locator('.formula math').first()).toBeAttached();
    const clipboard = () => me.page.evaluate(() => navigator.clipboard.readText());
    await me.answer
      .getByText('质能方程')
      .evaluate((paragraph) => getSelection()?.selectAllChildren(paragraph));
    await me.page.keyboard.press('ControlOrMeta+c');
    await expect.poll(clipboard).toMatch(/^质能方程\s?\$E = mc\^2\$，变量\s?\$x\$\s?紧贴中文/);
    await me.answer
      .locator('.code-block')
      .first()
      .getByRole('button', { name: me.say('chat.copy') })
      .click();
    await expect.poll(clipboard).toMatch(/^\/\*\* 把一列价格加起来[\s\S]*\n}$/);
    const wrap = me.answer.getByRole('button', { name: me.say('chat.wrapLines') }).first();
    await wrap.click();
    await expect(wrap).toHaveAttribute('aria-pressed', 'true');
    const pre = me.answer.locator('.code-block pre').first();
    expect(await pre.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  },
);
