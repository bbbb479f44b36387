import type { Locator } from '@playwright/test';
import { formatDay } from '#i18n/formats.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { chooseSearch, sourcesIn } from './sources.ts';
import { journeys, variants } from './texts.ts';
import { expect, test, type Visitor } from './visitor.ts';

/** Where each paragraph of the newest answer stands, and how tall it is. */
function places(me: Visitor): Promise<number[]> {
  return me.answer.evaluate((answer) => {
    const top = answer.getBoundingClientRect().top;
    return [...answer.querySelectorAll('p, li, h3')].flatMap((one) => {
      const { bottom, height } = one.getBoundingClientRect();
      return [Math.round(bottom - top), Math.round(height)];
    });
  });
}

/** The newest answer as it is selected and copied. */
function selected({ answer }: Visitor): Promise<string> {
  return answer.evaluate((text) => {
    getSelection()?.selectAllChildren(text);
    const words = String(getSelection());
    getSelection()?.removeAllRanges();
    return words;
  });
}

const PHONE = { width: 390, height: 844 };
const SIZES = [PHONE, { width: 1280, height: 800 }];

/** The marks in the newest answer, and the card that one of them opens. */
function marksOf({ answer, say }: Visitor): Locator {
  return answer.getByRole('button', { name: new RegExp(`^${say('sources.mark', { numbers: '' })}`) });
}
function cardOf({ page, say }: Visitor): Locator {
  return page.getByRole('dialog', { name: new RegExp(say('sources.mark', { numbers: '' })) });
}

for (const size of variants(SIZES, 1)) {
  for (const { language, title } of journeys(
    `an answer names the pages behind its sentences, ${size.width} px wide`,
  )) {
    test(title, async ({ visitor }) => {
      const me = visitor(language);
      const { page, say } = me;
      await page.setViewportSize(size);
      await me.signUp();
      await chooseSearch(me, 'always');
      await expect(page.getByRole('button', { name: say('webSearch.stop') })).toBeVisible();
      const price = page.locator('form [aria-haspopup=dialog]');
      await expect(price).toContainText('30 Credits');
      await price.click();
      const lines = page.getByRole('dialog', { name: say('quote.title') });
      await expect(lines).toContainText(say('priceLine.search'));
      await expectAccessible(page);
      await page.keyboard.press('Escape');

      await me.ask(
        `/emulate sources ${language === 'zh' ? '写一首关于秋天的短诗' : 'Write a short poem about autumn'}`,
      );
      await expect(me.answer).toHaveText(/\S{5}/);
      await me.rest();
      await expect(sourcesIn(me).getByRole('listitem')).toHaveCount(3);
      await expect(sourcesIn(me).getByRole('link').first()).toHaveAttribute('rel', /noreferrer/);
      await expect(sourcesIn(me)).toContainText('xn--');
      const [searched] = await me.stored();
      await expect(sourcesIn(me).getByRole('heading')).toContainText(
        say('sources.searchedOn', { date: formatDay(language, searched?.endedAt ?? 0) }),
      );
      // Two queries ran: 15 + 2 × 3.
      expect(await me.balance()).toBe(19);
      const marks = marksOf(me);
      expect(await marks.count()).toBeGreaterThan(0);
      const withMarks = await places(me);
      const copied = await selected(me);
      await me.answer.evaluate((answer) => {
        for (const mark of answer.querySelectorAll('.source-mark')) mark.remove();
      });
      expect(await places(me)).toEqual(withMarks);
      expect(copied).toBe(await selected(me));

      await page.reload();
      const card = cardOf(me);
      // In the frame in which the list is scrolled, Chromium gives the movement to the suggestions that stood there.
      await expect(async () => {
        await page.mouse.move(0, 0);
        await marks.first().hover();
        await expect(card.getByRole('link').first()).toBeVisible({ timeout: 1_000 });
      }).toPass();
      await page.mouse.move(0, 0);
      await expect(card).toBeHidden();
      await marks.first().click();
      await expect(card.getByRole('link').first()).toBeVisible();
      await expectAccessibleInBothThemes(page);
      await page.keyboard.press('Escape');
      await me.turns.last().hover();
      const details = me.turns.last().getByRole('button', { name: say('chat.details') });
      await details.scrollIntoViewIfNeeded();
      // Its line goes once the end is reached, and the list takes the room.
      await expect(page.getByRole('button', { name: say('chat.toLatest') })).toBeHidden();
      await details.click();
      await expect(page.getByRole('dialog', { name: say('chat.details') })).toContainText(
        say('quote.chargedOf', { credits: 6, max: 15 }),
      );
      await page.keyboard.press('Escape');
      // 19 Credits are too few for 30: the way on is offered.
      await expect(page.getByText(say('quote.tooDear', { max: 30, credits: 19 }))).toBeVisible();
      await expect(me.sendButton).toBeDisabled();
      await page
        .getByRole('button', { name: say('webSearch.stop'), exact: true })
        .last()
        .click();
      await expect(price).toBeHidden();

      await page.goto(`/${language}/credits`);
      await page
        .getByRole('row', { name: say('ledger.kind.charge') })
        .getByRole('button', { name: say('statement.details') })
        .click();
      await expect(
        page.getByText(`${say('priceLine.message')} 15 · ${say('priceLine.search')} 6`, { exact: true }),
      ).toBeVisible();
    });
  }
}

test.describe('with a finger', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: PHONE });

  test(
    'a tap on a mark opens the card of its sources',
    long('a detail of the page that seldom breaks'),
    async ({ visitor }) => {
      const me = visitor('zh');
      await me.signUp();
      await chooseSearch(me, 'auto');
      await expect(me.page.locator('form [aria-haspopup=dialog]')).toContainText('30 Credits');
      await me.ask('/emulate sources 写一首关于秋天的短诗');
      await me.rest();
      await expect(sourcesIn(me).getByRole('listitem')).toHaveCount(3);
      await expect(cardOf(me)).toBeHidden();
      await marksOf(me).first().tap();
      await expect(cardOf(me).getByRole('link').first()).toBeVisible();
      const card = await cardOf(me).boundingBox();
      expect(card?.x).toBeGreaterThanOrEqual(0);
      expect((card?.x ?? 0) + (card?.width ?? PHONE.width)).toBeLessThanOrEqual(PHONE.width);
    },
  );
});

interface Frame {
  isRunning: boolean;
  hasSources: boolean;
  /** Where the text begins below the upper edge of what it scrolls in, and how tall both are, in px. */
  place: number;
  height: number;
  room: number;
}

test(
  'an answer that is followed stays where it is when its sources come with its end',
  long('`chat-states.spec.ts` watches what moves'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page } = me;
    await me.signUp();
    await chooseSearch(me, 'auto');
    await expect(page.locator('form [aria-haspopup=dialog]')).toContainText('30 Credits');
    await page.setViewportSize({ width: 390, height: 560 });
    const list = page.locator('section[data-scroller]');
    // Each frame from here on, once it is drawn.
    await page.evaluate(() => {
      const frames: Frame[] = [];
      Object.assign(window, { seenFrames: frames });
      const look = () => {
        const box = document.querySelector('section[data-scroller]');
        const turn = [...(box?.querySelectorAll('article') ?? [])].at(-1);
        const text = turn?.querySelector('.answer')?.getBoundingClientRect();
        if (box && turn && text)
          frames.push({
            isRunning: turn.querySelector('[aria-busy=true]') !== null,
            hasSources: turn.querySelector('h3 time') !== null,
            place: text.top - box.getBoundingClientRect().top,
            height: text.height,
            room: box.clientHeight,
          });
        requestAnimationFrame(() => setTimeout(look));
      };
      look();
    });
    // Its end comes a while after the last of its text: there are frames in between, also on a busy machine.
    await me.ask('/emulate sources pause=1500 列出几个周末出游的点子');
    await me.rest();
    await expect(sourcesIn(me).getByRole('listitem')).toHaveCount(3);
    await expect(page.locator('iframe')).toBeAttached();
    await page.waitForTimeout(500);
    const frames = await page.evaluate(() => (window as unknown as { seenFrames: Frame[] }).seenFrames);
    // Of all that was written, in a window of the same height: before its end was known, and from then on.
    const last = frames.at(-1);
    const whole = frames.filter(
      ({ isRunning, height, room }) => room === last?.room && (!isRunning || height === last?.height),
    );
    expect(whole.filter(({ hasSources }) => !hasSources).length).toBeGreaterThan(0);
    expect(whole.filter(({ hasSources }) => hasSources).length).toBeGreaterThan(1);
    expect(whole.map(({ height }) => height)).toEqual(whole.map(() => last?.height));
    const moved = whole.map(({ place }) => Math.abs(place - (last?.place ?? Number.NaN)));
    expect(Math.max(...moved)).toBeLessThan(1);
    // There is something below, which would have moved it.
    const below = await list.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
    expect(below).toBeGreaterThan(100);
  },
);

/** Has the next answers run code and think little; `look` sees the menu in between. */
async function chooseCode({ page, say }: Visitor, look = async () => {}): Promise<void> {
  const add = page.getByRole('button', { name: say('files.add') });
  await add.click();
  await page.getByRole('menuitemcheckbox', { name: say('runCode.title') }).click();
  await add.click();
  await look();
  await page.getByRole('menuitemradio', { name: say('effort.low'), exact: true }).click();
}

test(
  'code that ran and what it printed are folded where they belong',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page, say } = me;
    await page.setViewportSize(PHONE);
    await me.signUp();
    await chooseCode(me, () => expectAccessibleInBothThemes(page));
    await me.ask('/emulate code-run Add the squares');
    await me.rest();
    expect((await me.stored())[0]?.options).toEqual({ code: true, effort: 'low' });
    for (const live of [true, false]) {
      if (!live) await page.reload();
      await expect(page.getByRole('button', { name: say('runCode.stop') })).toBeVisible();
      await expect(page.getByRole('button', { name: say('effort.stop') })).toBeVisible();
      const code = me.turns.last().getByText(say('answer.ranCode'), { exact: true });
      await expect(code).toBeVisible();
      await code.click();
      await expect(me.turns.last()).toContainText('total = sum');
      await expect(me.turns.last().locator('.code-run').last()).toContainText('385');
    }
    await expectAccessibleInBothThemes(page);
  },
);

test(
  'thinking can be followed, and folds when the answer begins',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    await me.ask('/emulate reasoning ms=4000 Say something about autumn');
    const fold = me.turns.last().locator('details');
    await expect(fold.getByText(say('answer.thinking'), { exact: true })).toHaveCount(1);
    await expect(fold).toHaveAttribute('open');
    await me.rest();
    await expect(fold).toHaveCount(1);
    await expect(fold).not.toHaveAttribute('open');
    await page.reload();
    await expect(fold).not.toHaveAttribute('open');
    await fold.locator('summary').click();
    await expect(fold).toHaveAttribute('open');
    await expect(fold.locator('div')).toHaveText(/\S{5}/);
    await expectAccessible(page);
  },
);

test(
  'going on asks for what the answer was asked for, which another device begins with too',
  long('its rules have tests on the server'),
  async ({ visitor, browser }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    await chooseCode(me);
    await me.ask('/emulate max-tokens Add the squares');
    await page.getByRole('button', { name: say('chat.continueFor', { cost: 15 }), exact: true }).click();
    await expect(me.turns).toHaveCount(2);
    await me.rest();
    const options = { code: true, effort: 'low' };
    expect((await me.stored()).map((message) => message.options)).toEqual([options, options]);
    const other = await me.elsewhere(browser);
    await other.signIn();
    await other.page.goto(page.url());
    await expect(other.turns).toHaveCount(2);
    for (const tag of ['runCode.stop', 'effort.stop'])
      await expect(other.page.getByRole('button', { name: say(tag) })).toBeVisible();
    await other.page.context().close();
  },
);

test(
  'an answer that was to be searched for and was not says so, and going on costs what a search may',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp();
    await chooseSearch(me, 'always');
    await expect(page.locator('form [aria-haspopup=dialog]')).toContainText('30 Credits');
    await me.ask('/emulate max-tokens 写一首关于秋天的短诗');
    await me.rest();
    for (const live of [true, false]) {
      if (!live) await page.reload();
      await expect(me.turns.last()).toContainText(say('sources.notSearched'));
      await expect(sourcesIn(me)).toHaveCount(0);
      await expect(
        page.getByRole('button', { name: say('chat.continueMost', { cost: 30 }), exact: true }),
      ).toBeVisible();
    }
    expect(await me.balance()).toBe(25);
    await expectAccessible(page);
  },
);

test(
  'each address of a question says whether it could be read',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await page.setViewportSize(PHONE);
    await me.signUp();
    const addresses = ['article', 'paywall', 'unsafe'].map((name) => `https://example.com/${name}`);
    await me.ask(`比较一下这几页：${addresses.join(' 、 ')}`);
    await me.rest();
    expect(await me.balance()).toBe(25);
    const line = say('pagesRead.doneBut', { done: say('pagesRead.done', { count: 1 }), missed: 2 });
    const fold = me.turns.last().locator('details').filter({ hasText: line });
    for (const live of [true, false]) {
      if (!live) await page.reload();
      await expect(fold).toHaveCount(1);
      await expect(fold.getByRole('listitem')).toHaveCount(0);
      await fold.locator('summary').click();
      await expect(fold.getByRole('listitem')).toContainText([
        say('pagesRead.read'),
        say('pagesRead.paywalled'),
        say('pagesRead.refused'),
      ]);
      for (const [place, address] of addresses.entries())
        await expect(fold.getByRole('link').nth(place)).toHaveAttribute('href', address);
    }
    await expectAccessible(page);
  },
);
