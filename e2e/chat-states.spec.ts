import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { long } from './long.ts';
import { journeys, variants } from './texts.ts';
import { BRIEFLY, expect, test, type Visitor } from './visitor.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1920, height: 1080 },
];
const SHOWCASE = { zh: '给我看排版示例', en: 'Show me every construct' };

/** What is out of its place: the page beyond its window, the last line under the composer, a text beside the others, what sticks out of its column. */
function misplaced(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const { scrollHeight, scrollWidth } = document.documentElement;
    if (scrollHeight > innerHeight) faults.push(`the page is ${scrollHeight} px high`);
    if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} px wide`);
    const box = document.querySelector('section[data-scroller]');
    const column = box?.firstElementChild?.getBoundingClientRect();
    const head = document.querySelector('aside')?.firstElementChild?.getBoundingClientRect();
    const bar = document.querySelector('header')?.getBoundingClientRect();
    if (head && head.bottom !== bar?.bottom)
      faults.push(`the list's head ends at ${head.bottom} px, the bar at ${bar?.bottom}`);
    const composer = document.querySelector('[data-composer]')?.closest('form')?.getBoundingClientRect();
    if (!box || !column || !composer) return [...faults, 'there is no column or no composer'];
    const textOf = (element: Element | null | undefined) => {
      const { left = 0 } = element?.getBoundingClientRect() ?? {};
      return element ? left + Number.parseFloat(getComputedStyle(element).paddingLeft) : 0;
    };
    const [read, written] = [box.firstElementChild, document.querySelector('[data-composer]')].map(textOf);
    if (read !== written) faults.push(`answers begin at ${read} px, the composer's text at ${written}`);
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 2;
    if (!isAtEnd) faults.push('the end is not shown');
    const last = [...box.querySelectorAll('article')].at(-1)?.getBoundingClientRect();
    if (last && last.bottom > composer.top)
      faults.push(`the last line is ${last.bottom - composer.top} px too low`);
    const isCut = (element: Element): boolean => {
      for (let node = element.parentElement; node && node !== box; node = node.parentElement) {
        if (getComputedStyle(node).overflowX !== 'visible') return true;
      }
      return false;
    };
    for (const element of box.querySelectorAll('article *')) {
      const { left, right, width } = element.getBoundingClientRect();
      if (width === 0 || (right <= column.right + 1 && left >= column.left - 1) || isCut(element)) continue;
      faults.push(`out of its column: ${element.outerHTML.slice(0, 120)}`);
    }
    return faults;
  });
}

/** Looks at a state of the chat at a desk and on a phone, and at every size in the long run, with the list open and closed. */
async function expectInPlace(me: Visitor, state: string): Promise<void> {
  const { page } = me;
  for (const size of variants(SIZES, 2)) {
    await page.setViewportSize(size);
    await expect.poll(() => misplaced(page), { message: `${state}, ${size.width} px` }).toEqual([]);
  }
  await page.setViewportSize(SIZES[0] ?? { width: 1280, height: 800 });
  await expect(page.getByRole('complementary')).toBeVisible();
  await page.keyboard.press('Control+Shift+S');
  await expect(page.getByRole('complementary')).toBeHidden();
  await expect.poll(() => misplaced(page), { message: `${state}, without the list` }).toEqual([]);
  await page.keyboard.press('Control+Shift+S');
  await expect(page.getByRole('complementary')).toBeVisible();
}

/** Where the list went up by itself from now on, in pixels: what is read at its end would jump. */
async function watchFalls(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const falls: string[] = [];
    Object.assign(globalThis, { falls });
    const box = document.querySelector('section[data-scroller]');
    let last = box?.scrollTop ?? 0;
    box?.addEventListener('scroll', ({ currentTarget }) => {
      const { scrollTop } = currentTarget as Element;
      if (scrollTop < last - 1) falls.push(`from ${last} to ${scrollTop}`);
      last = scrollTop;
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { falls: string[] }).falls);
}

/** The last exchange is laid out lower than it is, then a little higher, before a frame is drawn: the browser goes up meanwhile. */
function beShorterForAMoment({ turns }: Visitor): Promise<void> {
  return turns.last().evaluate((turn) => {
    turn.style.marginBottom = '-300px';
    turn.getBoundingClientRect();
    turn.style.marginBottom = '60px';
  });
}

/**
 * Presses "edit" of the last question, and again where its field does not open: twice in CI a first press has done nothing. Why is not
 * known; what happened to the press is printed then.
 */
async function openEditor({ page, turns, say }: Visitor): Promise<Locator> {
  const seen = await watchPresses(page);
  const edit = turns.last().getByRole('button', { name: say('chat.editPrompt') });
  const field = turns.last().getByRole('textbox', { name: say('chat.editPrompt') });
  await expect(async () => {
    if (await edit.isVisible()) await edit.click({ timeout: 5_000 });
    await expect(field).toBeVisible({ timeout: 5_000 });
  }).toPass();
  const presses = await seen();
  if (presses.filter((line) => line.includes(' click ')).length !== 1)
    process.stdout.write(`${presses.join('\n')}\n`);
  return field;
}

/** What is pressed from now on and where the list stands then, a line each: milliseconds, event, element, place. */
async function watchPresses(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const presses: string[] = [];
    Object.assign(globalThis, { presses });
    const box = document.querySelector('section[data-scroller]');
    const note = ({ type, target, timeStamp }: Event) => {
      const name = target instanceof Element ? target.outerHTML.slice(0, 80) : String(target);
      presses.push(`${Math.round(timeStamp)} ${type} ${name} at ${box?.scrollTop} of ${box?.scrollHeight}`);
    };
    for (const type of ['pointerdown', 'pointerup', 'click', 'focusin', 'scroll', 'resize'])
      window.addEventListener(type, note, true);
  });
  return () => page.evaluate(() => (globalThis as unknown as { presses: string[] }).presses);
}

for (const { language, title } of journeys('in every state of the chat everything is in its place')) {
  test(title, async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await expectInPlace(me, 'empty');
    await me.ask('/emulate http-400 x');
    await expect(me.alerts).toBeVisible();
    await me.rest();
    await expectInPlace(me, 'failed');
    await me.ask(SHOWCASE[language]);
    await me.rest();
    await expect(me.answer.locator('.katex').first()).toBeAttached();
    await expect(me.answer.locator('.diagram img')).toBeVisible();
    await expectInPlace(me, 'answered');
    const field = await openEditor(me);
    await field.fill('line\n'.repeat(9));
    await page
      .getByRole('region', { name: say('chat.messages') })
      .evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await expectInPlace(me, 'edit open');
    await page.keyboard.press('Escape');
    await me.ask('/emulate never-ends x');
    await expect(me.answer).toHaveText(/[\s\S]{60}/);
    await expect(page).toHaveTitle(/^● /);
    await expectInPlace(me, 'answering');
    await beShorterForAMoment(me);
    await expect.poll(() => misplaced(page), { message: 'after a moment of less' }).toEqual([]);
    const falls = await watchFalls(page);
    await me.stopButton.click();
    await me.rest();
    await expect(page).toHaveTitle(/^[^●]/);
    await expect.poll(() => misplaced(page), { message: 'stopped' }).toEqual([]);
    expect(await falls()).toEqual([]);
    await me.composer.fill(BRIEFLY);
    await expect(page.getByText(say('credits.insufficient')).first()).toBeVisible();
    await expectInPlace(me, 'out of credits');
  });
}

for (const { language, title } of journeys('in rarer states of the chat everything is in its place')) {
  test(title, long('another journey looks at the usual ones'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await page.getByRole('button', { name: say('chat.temporary') }).click();
    await expect(page.getByText(say('chat.temporaryText'))).toBeVisible();
    await expectInPlace(me, 'temporary');
    await me.ask('/emulate never-ends One');
    await expect(me.answer).toHaveText(/[\s\S]{60}/);
    await me.composer.fill(`${BRIEFLY}Two`);
    await me.composer.press('Enter');
    await expect(page.getByRole('region', { name: say('chat.queued') })).toContainText('Two');
    await expectInPlace(me, 'queued');
    await me.titleButton.click();
    await expect(page.getByRole('menuitem', { name: say('chat.exportMarkdown') })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: say('chat.delete') })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: say('chat.rename') })).toHaveCount(0);
    await page.keyboard.press('Escape');

    await page.goto(`/${language}/chat/${randomUUID()}`);
    await expect(page.getByText(say('chat.missingTitle'))).toBeVisible();
    const wayOn = page.getByRole('main').getByRole('link', { name: say('chat.newConversation') });
    await expect(wayOn).toHaveAttribute('href', `/${language}/chat`);
    await expectInPlace(me, 'missing');
  });
}

for (const { language, title } of journeys('a visitor finds the ways in, within the window')) {
  test(title, async ({ visitor }) => {
    const { page, say } = visitor(language);
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/${language}/chat`);
    await expect(page.getByRole('heading', { name: say('chat.signedOutTitle') })).toBeVisible();
    const main = page.getByRole('main');
    for (const [name, path] of [
      ['nav.login', 'login'],
      ['nav.register', 'register'],
    ] as const) {
      const href = `/${language}/${path}?next=${encodeURIComponent(`/${language}/chat`)}`;
      await expect(main.getByRole('link', { name: say(name), exact: true })).toHaveAttribute('href', href);
    }
    await page.getByRole('button', { name: say('nav.open') }).click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: say('nav.pricing') })
      .click();
    await expect(page).toHaveURL(`/${language}/pricing`);
    await page.goBack();
    await expect(page.getByRole('heading', { name: say('chat.signedOutTitle') })).toBeVisible();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const beyond = () =>
        page.evaluate(() => {
          const { scrollHeight, scrollWidth } = document.documentElement;
          return [scrollHeight - innerHeight, scrollWidth - innerWidth];
        });
      await expect.poll(beyond, { message: `${size.width} px` }).toEqual([0, 0]);
    }
    expect(faults).toEqual([]);
  });
}

test(
  'while an answer is written nothing of it or around it moves',
  long('`lost-network.spec.ts` and `scrolling.spec.ts` watch growing answers'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page } = me;
    await me.signUp();
    await me.ask('/emulate long-answer characters=4000 写长一点');
    await expect(me.answer).toHaveText(/[\s\S]{60}/);
    await page.evaluate(() => {
      const moved: string[] = [];
      Object.assign(globalThis, { moved });
      new PerformanceObserver((list) => {
        for (const { sources } of list.getEntries() as (PerformanceEntry & {
          sources: { node: Node | null }[];
        })[]) {
          for (const { node } of sources) {
            // What stands under the answer goes down as it grows, and the columns of a table find their widths.
            const isMeant = node instanceof Element && node.closest('article') && !node.closest('.answer');
            if (node instanceof Element && !isMeant && !node.closest('table'))
              moved.push(node.outerHTML.slice(0, 120));
          }
        }
      }).observe({ type: 'layout-shift' });
    });
    await expect
      .poll(() => me.answer.evaluate(({ textContent }) => textContent?.length ?? 0))
      .toBeGreaterThan(2_000);
    expect(await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)).toEqual([]);
    await me.stopButton.click();
    await me.rest();
  },
);
