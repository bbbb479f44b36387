import type { Locator, Page } from '@playwright/test';
import type { Catalogue } from '#contract/catalogue.ts';
import { WAIT_TIMEOUT_MS } from '#test/patient.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { buy } from './purchase.ts';
import { journeys, journeysOnScreens } from './texts.ts';
import { expect, test, type Visitor } from './visitor.ts';

const MODEL = 'gemini-computer-use';
/** Several steps of a browser, which leaves the processor to everything else. */
const STEPS = { timeout: 8 * WAIT_TIMEOUT_MS };
test.describe.configure({ timeout: 24 * WAIT_TIMEOUT_MS });
/** The field for the name on the page of the form, as shares of the picture. */
const NAME_FIELD = { x: 0.25, y: 0.295 };
const WORDS = {
  zh: {
    prices: '打开 shop.test，把价格整理成表格',
    download: '打开 shop.test，下载价目表',
    register: '打开 shop.test，替林晓报名品茶会，两位，手机 13800138000',
    own: '周文',
    tea: '西湖龙井',
    done: /报名编号是 T\d{6}/,
    stopped: '我停在这里',
  },
  en: {
    prices: 'Open shop.test and put the prices in a table',
    download: 'Open shop.test and download the price list',
    register: 'Open shop.test and register Alex Lin for the tasting, two people, 13800138000',
    own: 'Zhou Wen',
    tea: 'West Lake Longjing',
    done: /The number is T\d{6}/,
    stopped: 'I stop here',
  },
};

/** What the model does in a browser, in the newest turn. */
function run({ page, say }: Visitor): Locator {
  return page.getByRole('group', { name: say('computer.title'), exact: true }).last();
}

function control(me: Visitor, name: string): Locator {
  return run(me).getByRole('button', { name: me.say(`computer.${name}`), exact: true });
}

/** Nothing of the chat makes the page larger than its window. */
async function expectInWindow(page: Page): Promise<void> {
  const beyond = () =>
    page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return [scrollWidth - innerWidth, scrollHeight - innerHeight];
    });
  await expect.poll(beyond).toEqual([0, 0]);
}

/** On Pro, in a new conversation with the model that drives a browser; skips the journey where no browser can be had. */
async function begin(me: Visitor): Promise<void> {
  const { page } = me;
  await me.openAccount();
  const find = async () => {
    const { models } = (await (await page.request.get('/api/catalogue')).json()) as Catalogue;
    return models.find(({ id }) => id === MODEL);
  };
  let model = await find();
  for (let left = 60; model?.computer !== 'browser' && left > 0; left -= 1) {
    await page.waitForTimeout(1_000);
    model = await find();
  }
  test.info().skip(model?.computer !== 'browser', 'no browser can be walled in on this machine');
  await buy(me, { planKey: 'gemini_pro', cycle: 'monthly', provider: 'creem' });
  await page.goto(`/${me.language}/chat`);
  await me.modelButton.click();
  await page
    .getByRole('menuitemradio')
    .filter({ hasText: model?.title[me.language] ?? MODEL })
    .click();
  await expect(page.getByRole('button', { name: new RegExp(me.say('computer.allowance')) })).toBeVisible();
}

/** In a second turn a model downloads a file, which is kept and looked at after a reload; `fold` opens what a run did. */
async function keepDownload(me: Visitor, fold: Locator): Promise<void> {
  const { page, say } = me;
  await me.ask(WORDS[me.language].download);
  const offered = run(me).getByRole('list', { name: say('computer.keep.offered') });
  await expect(offered.getByRole('listitem')).toContainText('prices.csv', STEPS);
  await me.rest();
  await offered.getByRole('button', { name: say('computer.keep.fileOf', { name: 'prices.csv' }) }).click();
  const view = offered.getByRole('button', {
    name: say('computer.keep.viewOf', { name: 'prices.csv' }),
  });
  await expect(view).toBeVisible();
  await page.reload();
  // A turn far from what is seen is drawn later: until then the first is the last.
  await expect(fold).toHaveCount(2);
  await fold.first().click();
  await fold.last().click();
  await expect(view).toBeVisible();
  await expectAccessible(page);
  await view.click();
  await expect(page.getByRole('dialog')).toContainText(WORDS[me.language].tea);
  await expectInWindow(page);
}

for (const { language, size, title } of journeysOnScreens(
  'a model reads the prices of a shop, in sight, to be replayed, and to be kept',
)) {
  test(title, long('the server’s tests drive a browser'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await page.setViewportSize(size);
    await begin(me);
    await me.ask(WORDS[language].prices);
    await expect(run(me).getByRole('list', { name: say('computer.steps') })).toBeVisible(STEPS);
    await expect(run(me).getByRole('img', { name: say('computer.live') })).toBeVisible(STEPS);
    await expect(run(me).getByRole('img', { name: say('computer.live') })).toBeInViewport({ ratio: 1 });
    await expect(control(me, 'stop')).toBeInViewport({ ratio: 1 });
    await expectInWindow(page);
    await expectAccessibleInBothThemes(page);
    await expect(me.answer.getByRole('cell', { name: WORDS[language].tea })).toBeVisible(STEPS);
    await me.rest();

    await page.reload();
    const fold = page.locator('summary', { hasText: say('computer.fold', { count: '' }).trim().slice(0, 4) });
    await fold.click();
    const slider = run(me).getByRole('slider', { name: say('computer.replay') });
    const count = Number(await slider.getAttribute('max')) + 1;
    expect(count).toBeGreaterThan(2);
    const place = (n: number) => say('computer.place', { n, count });
    // A run opens at its last step with a picture; a page that is not drawn in time leaves none.
    const n = Number(await slider.inputValue()) + 1;
    const picture = run(me).getByRole('img', { name: say('computer.picture', { n }) });
    await expect(picture).toBeVisible();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(600);
    const larger = say('answer.openPicture', { name: say('computer.picture', { n }) });
    await run(me).getByRole('button', { name: larger }).click();
    await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
    await page.getByRole('button', { name: say('files.zoomIn') }).click();
    await page.keyboard.press('Escape');
    await run(me)
      .getByRole('button', { name: say('computer.keep.pictureOf', { n }) })
      .click();
    await expect(run(me).getByRole('button', { name: say('computer.keep.view') })).toBeVisible();
    await slider.press('Home');
    await expect(slider).toHaveAttribute('aria-valuetext', place(1));
    await slider.press('End');
    await expect(slider).toHaveAttribute('aria-valuetext', place(count));
    const tables = page.getByRole('group', { name: say('computer.tables.title') });
    await tables.locator('summary').click();
    await expect(tables.getByRole('cell', { name: WORDS[language].tea })).toBeVisible();
    await expectAccessible(page);

    await keepDownload(me, fold);
  });
}

/** Where the field for the name is on the picture, in pixels from its corner. */
async function placeOfName(surface: Locator) {
  const { width = 0, height = 0 } = (await surface.boundingBox()) ?? {};
  return { x: NAME_FIELD.x * width, y: NAME_FIELD.y * height };
}

/** Fills in the name on the page that a model has come to, in its place and by hand: a mouse and keys, or a finger. */
async function fillInByHand(me: Visitor, name: string, isByFinger: boolean): Promise<void> {
  const { page, say } = me;
  const press = (target: Locator, at: { position?: { x: number; y: number } } = {}) =>
    isByFinger ? target.tap(at) : target.click(at);
  await expect(run(me)).toContainText(`shop.test/${me.language}/tasting`, STEPS);
  await press(control(me, 'takeOver'));
  const surface = run(me).getByRole('textbox', { name: say('computer.surface') });
  await expect(surface).toBeFocused();
  await expect(surface).toHaveCSS('touch-action', 'pinch-zoom');
  await expect(run(me).getByText(say('computer.state.takenOver'), { exact: true })).toBeInViewport({
    ratio: 1,
  });
  await expect(control(me, 'handBack')).toBeInViewport({ ratio: 1 });
  await expectInWindow(page);
  await expectAccessible(page);
  await press(surface, { position: await placeOfName(surface) });
  // The model may have filled it in already.
  await page.keyboard.press('Control+a');
  if (isByFinger) {
    await press(control(me, 'keyboard'));
    await expect(control(me, 'keyboard')).toHaveAttribute('aria-pressed', 'true');
    await expect(surface).toBeFocused();
    await page.keyboard.insertText(name);
  } else {
    await page.keyboard.type(name);
    await surface.press('Escape');
    await expect(surface).toBeFocused();
    await surface.press('Escape');
    await expect(surface).not.toBeFocused();
  }
  await press(control(me, 'handBack'));
}

for (const { language, size, title } of journeysOnScreens(
  'a form is taken over, denied, and then confirmed',
)) {
  const isPhone = size.width < 600;
  test.describe(isPhone ? 'by finger' : 'by mouse', () => {
    test.use({ viewport: size, hasTouch: isPhone, isMobile: isPhone });

    test(title, long('the server’s tests take over, deny and confirm'), async ({ visitor }) => {
      const me = visitor(language);
      const { page, say } = me;
      await begin(me);
      await me.ask(WORDS[language].register);
      await fillInByHand(me, WORDS[language].own, isPhone);
      const question = page.getByRole('alertdialog');
      await expect(question).toContainText(WORDS[language].own, STEPS);
      if (isPhone) {
        const address = run(me).getByText(`shop.test/${language}/tasting`, { exact: true });
        await expect(address).toBeInViewport({ ratio: 1 });
      }
      await expect(question).toBeInViewport({ ratio: 1 });
      await expect(control(me, 'stop')).toBeInViewport({ ratio: 1 });
      await expectAccessibleInBothThemes(page);
      await question.getByRole('button', { name: say('computer.ask.deny'), exact: true }).click();
      await expect(me.answer).toContainText(WORDS[language].stopped, STEPS);
      await me.rest();

      await me.ask(WORDS[language].register);
      await expect(question).toContainText(language === 'zh' ? '林晓' : 'Alex Lin', STEPS);
      await page.reload();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: say('computer.ask.allow'), exact: true })
        .click();
      await expect(me.answer).toHaveText(WORDS[language].done, STEPS);
      await expectInWindow(page);
    });
  });
}

const UPRIGHT = { width: 390, height: 844 };
const SIDEWAYS = { width: 844, height: 390 };

test.describe('on a phone', () => {
  test.use({ viewport: UPRIGHT, hasTouch: true, isMobile: true });

  for (const { language, title } of journeys('what is driven fills a phone that is held sideways')) {
    test(title, long('another journey takes over by finger'), async ({ visitor }) => {
      const me = visitor(language);
      const { page, say } = me;
      const filled = page.getByRole('dialog', { name: say('computer.title'), exact: true });
      const surface = page.getByRole('textbox', { name: say('computer.surface') });
      const scroller = page.locator('[data-scroller]');
      const place = () => scroller.evaluate(({ scrollTop }) => scrollTop);
      await begin(me);
      await me.ask(WORDS[language].register);
      await expect(run(me)).toContainText(`shop.test/${language}/tasting`, STEPS);
      await control(me, 'takeOver').tap();
      await expect(surface).toBeFocused();
      // The line of the time that is left comes last, and moves what is beneath it.
      await expect(run(me)).toContainText(say('computer.ask.minutes', { count: 10 }));
      await scroller.evaluate((box) => box.scrollBy(0, -8));
      const upright = await place();
      expect(upright).toBeGreaterThan(0);

      await page.setViewportSize(SIDEWAYS);
      await expect(filled).toBeVisible();
      await expect(surface).toBeFocused();
      await expect(me.composer).toHaveCount(0);
      const picture = (await surface.boundingBox()) ?? { width: 0, height: 0 };
      expect(picture.height).toBeGreaterThanOrEqual(340);
      expect(picture.width / picture.height).toBeCloseTo(1.6, 2);
      for (const name of ['handBack', 'keyboard', 'stop']) {
        const button = filled.getByRole('button', { name: say(`computer.${name}`), exact: true });
        await expect(button).toBeInViewport({ ratio: 1 });
        expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      }
      await expectInWindow(page);
      await expectAccessibleInBothThemes(page);
      await surface.tap({ position: await placeOfName(surface) });

      // A keyboard on screen leaves the upper half: the picture stays large, and the field in sight.
      await page.setViewportSize({ ...SIDEWAYS, height: 180 });
      const middle = async () => {
        const { y = 0, height = 0 } = (await surface.boundingBox()) ?? {};
        return [height, y + NAME_FIELD.y * height].map(Math.round);
      };
      await expect.poll(middle).toEqual([340, 90]);
      await expect(surface).toBeFocused();
      await surface.tap({ position: await placeOfName(surface) });
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(WORDS[language].own);

      await page.setViewportSize(UPRIGHT);
      await expect(filled).toHaveCount(0);
      await expect(surface).toBeFocused();
      await expect.poll(place).toBe(upright);
      await page.setViewportSize(SIDEWAYS);
      await expect(filled).toBeVisible();
      await page.goBack();
      await expect(filled).toHaveCount(0);
      await expect(surface).toBeVisible();
      await page.setViewportSize(UPRIGHT);
      // Nobody turns a phone twice within a frame.
      await page.evaluate(() => new Promise(requestAnimationFrame));
      await page.evaluate(() => new Promise(requestAnimationFrame));
      await page.setViewportSize(SIDEWAYS);
      await expect(filled).toBeVisible();
      const before = await place();
      await filled.getByRole('button', { name: say('computer.handBack'), exact: true }).tap();
      await expect(filled).toHaveCount(0);
      expect(await place()).toBe(before);
      await expect(page.getByRole('alertdialog')).toContainText(WORDS[language].own, STEPS);
    });
  }
});
