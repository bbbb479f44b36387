import type { Locator, Page } from '@playwright/test';
import type { BranchPage, Message } from '#contract/chat.ts';
import { long } from './long.ts';
import { variants } from './texts.ts';
import { expect, test, type Visitor } from './visitor.ts';

const toEnd = (box: Locator) =>
  box.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
const top = (box: Locator) => box.evaluate((element) => Math.round(element.scrollTop));
const height = (box: Locator) => box.evaluate((element) => element.scrollHeight);

function scrollerOf(page: Page): Locator {
  return page.locator('section[data-scroller]');
}

/** A conversation of many turns, as the server would send it, in pages of fifty; the older ones come when `ready`, called with how many came before, allows it. */
async function openLong(
  me: Visitor,
  count: number,
  answer: (place: number) => string,
  ready: (pages: number) => Promise<void> | undefined = async () => {},
) {
  let pages = 0;
  await me.signUp();
  const conversationId = '01920000-0000-7000-8000-000000000000';
  const idOf = (place: number) => `01920000-0000-7000-8000-${String(place).padStart(12, '0')}`;
  const messages: Message[] = Array.from({ length: count }, (_, index) => ({
    id: idOf(index + 1),
    userId: conversationId,
    conversationId,
    parentId: index === 0 ? null : idOf(index),
    content: `第 ${index + 1} 问`,
    response: answer(index + 1),
    modelType: 'parley-flash',
    creditsUsed: 15,
    timestamp: Date.UTC(2026, 0, 1) + index * 60_000,
    status: 'completed',
    error: null,
    modelVersion: null,
    finishReason: null,
    contextTrimmed: false,
    upstreamSwitched: false,
    cost: 15,
    quote: { max: 0, lines: [] },
    charged: null,
    usage: null,
    firstTextMs: 300,
    endedAt: Date.UTC(2026, 0, 1) + index * 60_000 + 2000,
  }));
  await me.page.route('**/api/messages?*', async (route) => {
    const query = new URL(route.request().url()).searchParams;
    if (query.has('before')) await ready(pages++);
    await route.fulfill({ json: branchPage(messages, query) });
  });
  await me.page.goto(`/${me.language}/chat/${conversationId}`);
  await expect(me.turns.last()).toContainText(`第 ${count} 问`);
}

/** A page of a conversation without forks, as the server cuts it. */
function branchPage(messages: readonly Message[], query: URLSearchParams): BranchPage {
  const placeOf = (key: string) => messages.findIndex(({ id }) => id === query.get(key));
  let start = messages.length - 50;
  if (query.has('after')) start = placeOf('after') + 1;
  else if (query.has('before')) start = placeOf('before') - 50;
  else if (query.get('branch') !== 'newest') start = Math.min(start, placeOf('branch') - 24);
  const end = Math.min(start + 50, messages.length);
  const page = messages.slice(Math.max(0, start), end);
  return {
    messages: page,
    olderCursor: start > 0 ? (page[0]?.id ?? null) : null,
    newerCursor: end < messages.length ? (page.at(-1)?.id ?? null) : null,
    leafId: messages.at(-1)?.id ?? null,
    siblings: {},
    siblingsBeyond: {},
  };
}

/** Waits until a figure is the same for a while: a fling has ended, what is near is drawn. */
async function rest(read: () => Promise<number>) {
  let last = Number.NaN;
  const isSame = async () => {
    const now = await read();
    const same = now === last;
    last = now;
    return same;
  };
  await expect.poll(isSame, { intervals: [400] }).toBe(true);
}

/** Where the turn of one question stands below the upper edge of the list. */
async function placeOf(page: Page, question: string): Promise<number> {
  const turn = page.getByRole('article').filter({ hasText: question });
  const [box, frame] = await Promise.all([turn.first().boundingBox(), scrollerOf(page).boundingBox()]);
  return Math.round((box?.y ?? Number.NaN) - (frame?.y ?? Number.NaN));
}

const ways: [string, (page: Page, box: Locator) => Promise<void>][] = [
  ['the wheel', async (page) => page.mouse.wheel(0, -240)],
  ['a key', async (page) => page.keyboard.press('PageUp')],
  [
    'the scroll bar',
    async (_, box) => box.evaluate((element) => element.scrollTo({ top: element.scrollTop - 300 })),
  ],
  [
    'a finger',
    async (page, box) => {
      const { x, y, width, height: tall } = (await box.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const cdp = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', down: number) =>
        cdp.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: x + width / 2, y: y + tall / 2 + down }],
        });
      await touch('touchStart', 0);
      for (let down = 20; down <= 240; down += 20) await touch('touchMove', down);
      await touch('touchEnd', 0);
    },
  ],
  [
    'a selection',
    async (page) => {
      // Over some lines, and again until it holds words, because they move on while the mouse is on its way.
      await expect(async () => {
        const box = await page.locator('.answer p').nth(-2).boundingBox();
        const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 8];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 90, y - 80, { steps: 4 });
        await page.mouse.up();
        expect(await page.evaluate(() => String(getSelection()))).not.toBe('');
      }).toPass();
    },
  ],
];

for (const [name, move] of variants(ways, 1)) {
  test(
    `${name} stops the following of a growing answer, and the button leads back to its end`,
    long('`scroll-follower.test.ts` holds the same'),
    async ({ visitor }) => {
      const me = visitor('zh');
      const { page, say } = me;
      await me.signUp();
      await me.ask('/emulate never-ends 讲一个很长的故事');
      const box = scrollerOf(page);
      await expect.poll(() => height(box), { timeout: 40_000 }).toBeGreaterThan(1_300);
      expect(await toEnd(box)).toBeLessThan(60);
      await box.hover();
      await box.focus();
      await move(page, box);
      const back = page.getByRole('button', { name: say('chat.toLatestRunning') });
      await expect(back).toBeVisible();
      await rest(() => top(box));
      const [kept, grown] = [await top(box), await height(box)];
      await expect.poll(() => height(box)).toBeGreaterThan(grown + 100);
      expect(await top(box)).toBe(kept);
      await back.click();
      await expect.poll(() => toEnd(box)).toBeLessThan(60);
      const later = await height(box);
      await expect.poll(() => height(box)).toBeGreaterThan(later + 60);
      expect(await toEnd(box)).toBeLessThan(60);
      await me.stopButton.click();
      await me.rest();
    },
  );
}

test(
  'older messages come by themselves, and what is looked at stays where it is',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const pages = [50, 100, 150].map(() => Promise.withResolvers<void>());
    await openLong(
      me,
      260,
      (place) => `${place} 的回答。\n\n${'这里有几行字。'.repeat(10 + (place % 7) * 9)}`,
      (count) => pages[count]?.promise,
    );
    const { page } = me;
    const box = scrollerOf(page);
    await expect(me.turns).toHaveCount(50);
    await box.hover();
    await page.mouse.wheel(0, -300);
    for (const [index, loaded] of [50, 100].entries()) {
      await box.evaluate((element) => element.scrollTo({ top: 900 }));
      await page.waitForTimeout(600);
      await rest(() => firstInSight(page));
      const question = `第 ${await firstInSight(page)} 问`;
      await rest(() => placeOf(page, question));
      const before = await placeOf(page, question);
      expect(await me.turns.count()).toBe(loaded);
      pages[index]?.resolve();
      await expect(me.turns).toHaveCount(loaded + 50);
      await page.waitForTimeout(400);
      expect(Math.abs((await placeOf(page, question)) - before)).toBeLessThanOrEqual(1);
    }
    const question = `第 ${await firstInSight(page)} 问`;
    const before = await placeOf(page, question);
    await box.evaluate((element) => {
      const picture = document.createElement('div');
      picture.style.height = '333px';
      element.querySelector('article')?.append(picture);
    });
    await page.waitForTimeout(300);
    expect(Math.abs((await placeOf(page, question)) - before)).toBeLessThanOrEqual(1);
    await box.evaluate((element) => {
      const picture = document.createElement('div');
      picture.style.height = '333px';
      element.scrollTop -= 20;
      element.querySelector('article')?.append(picture);
    });
    await page.waitForTimeout(300);
    expect(Math.abs((await placeOf(page, question)) - before - 20)).toBeLessThanOrEqual(1);
  },
);

/** The number of the first question in sight. */
async function firstInSight(page: Page): Promise<number> {
  return scrollerOf(page).evaluate((box) => {
    const edge = box.getBoundingClientRect().top;
    const turns = [...box.querySelectorAll('article')];
    const first = turns.find((turn) => turn.getBoundingClientRect().top >= edge) ?? turns.at(-1);
    return Number(/第 (\d+) 问/.exec(first?.textContent ?? '')?.[1] ?? 0);
  });
}

test(
  'in a conversation of 2,000 messages only what is near the window is drawn',
  long('a chat of thousands is for a release'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await openLong(
      me,
      2_000,
      (place) => `${place} 的回答\n\n- **一** 点\n- 二点\n\n\`\`\`js\nlet a = ${place};\n\`\`\``,
    );
    const box = scrollerOf(me.page);
    await expect
      .poll(
        async () => {
          await box.evaluate((element) => element.scrollTo({ top: 0 }));
          return me.turns.count();
        },
        { timeout: 90_000, intervals: [50] },
      )
      .toBe(2_000);
    await box.evaluate((element) => element.scrollTo({ top: 0 }));
    await expect(me.turns.first()).toBeInViewport();
    await expect(me.turns.first().locator('.answer')).toBeVisible();
    await expect.poll(() => box.locator('.answer').count()).toBeLessThan(40);
    await me.page.getByRole('button', { name: me.say('chat.toLatest') }).click();
    await expect(me.turns.last()).toBeInViewport();
    await expect(me.turns.last().locator('.answer')).toBeVisible();
    await expect.poll(() => box.locator('.answer').count()).toBeLessThan(40);
    expect(await toEnd(box)).toBeLessThan(5);
    expect(await box.evaluate((element) => element.textContent?.includes('第 1000 问'))).toBe(true);
  },
);

test(
  'an address that names an old message shows it among its neighbours and stays there',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await openLong(me, 260, (place) => `答 ${place}：${'这里有几行字。'.repeat(10 + (place % 7) * 9)}`);
    const { page } = me;
    const address = page.url();
    await page.goto(`${address}?message=01920000-0000-7000-8000-000000000020`);
    const turn = page.getByRole('article').filter({ hasText: /第 20 问/ });
    await expect(turn).toBeFocused({ timeout: 60_000 });
    await expect(turn).toBeInViewport();
    await expect(turn.locator('.answer')).toBeVisible();
    await expect(page).toHaveURL(address);
    const before = await placeOf(page, '第 20 问');
    await page.waitForTimeout(800);
    expect(Math.abs((await placeOf(page, '第 20 问')) - before)).toBeLessThanOrEqual(1);
    await expect(me.turns.filter({ hasText: '第 200 问' })).toHaveCount(0);

    const box = scrollerOf(page);
    for (const later of [60, 110]) {
      // A place that is being kept while messages come in above or below wins over a jump in that moment.
      await expect(async () => {
        await box.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
        await expect(me.turns.filter({ hasText: `第 ${later} 问` })).toBeAttached({ timeout: 2_000 });
      }).toPass({ timeout: 45_000 });
      await expect(me.turns.filter({ hasText: '第 200 问' })).toHaveCount(0);
    }
    await page.getByRole('button', { name: me.say('chat.toLatest') }).click();
    await expect(me.turns.last()).toContainText('第 260 问');
    await expect(me.turns.last()).toBeInViewport();
    await rest(() => toEnd(box));
    expect(await toEnd(box)).toBeLessThan(5);
    await expect(page.getByRole('button', { name: me.say('chat.toLatest') })).toBeHidden();
  },
);
