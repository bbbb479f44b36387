import type { Locator } from '@playwright/test';
import type { MessagePage } from '#contract/chat.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { journeys, variants } from './texts.ts';
import { expect, test, type Visitor } from './visitor.ts';

/** Chooses whether the web is searched. */
async function choose({ page, say }: Visitor, mode: 'off' | 'auto' | 'always'): Promise<void> {
  await page.getByRole('button', { name: say('files.add') }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(`^${say(`webSearch.${mode}`)}`) }).click();
}

function sources({ page, say }: Visitor): Locator {
  return page.getByRole('region', { name: say('sources.title') });
}

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

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

for (const size of variants(SIZES, 1)) {
  for (const { language, title } of journeys(
    `an answer names the pages behind its sentences, ${size.width} px wide`,
  )) {
    test(title, async ({ visitor }) => {
      const me = visitor(language);
      const { page, say } = me;
      await page.setViewportSize(size);
      await me.signUp();
      await choose(me, 'always');
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
      await expect(sources(me).getByRole('listitem')).toHaveCount(3);
      await expect(sources(me).getByRole('link').first()).toHaveAttribute('rel', /noreferrer/);
      await expect(sources(me)).toContainText('xn--');
      // Two queries ran: 15 + 2 × 3.
      expect(await me.balance()).toBe(19);
      const marks = me.answer.getByRole('button', {
        name: new RegExp(`^${say('sources.mark', { numbers: '' })}`),
      });
      expect(await marks.count()).toBeGreaterThan(0);
      const withMarks = await places(me);
      await me.answer.evaluate((answer) => {
        for (const mark of answer.querySelectorAll('.source-mark')) mark.remove();
      });
      expect(await places(me)).toEqual(withMarks);

      await page.reload();
      await marks.first().click();
      const card = page.getByRole('dialog', { name: new RegExp(say('sources.mark', { numbers: '' })) });
      await expect(card.getByRole('link').first()).toBeVisible();
      await expectAccessibleInBothThemes(page);
      await page.keyboard.press('Escape');
      await me.turns.last().hover();
      await me.turns
        .last()
        .getByRole('button', { name: say('chat.details') })
        .click();
      await expect(page.getByRole('dialog', { name: say('chat.details') })).toContainText(
        say('quote.chargedOf', { credits: 6, max: 15 }),
      );
      await page.keyboard.press('Escape');
      // 19 Credits are too few for 30: the way on is offered.
      await expect(
        me.alerts.filter({ hasText: say('quote.tooDear', { max: 30, credits: 19 }) }),
      ).toBeVisible();
      await expect(me.sendButton).toBeDisabled();
      await page
        .getByRole('button', { name: say('webSearch.stop'), exact: true })
        .last()
        .click();
      await expect(price).toBeHidden();
    });
  }
}

test('pages that attack the reader are text, and their real host is shown', async ({ visitor }) => {
  const me = visitor('zh');
  const { page } = me;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await me.signUp();
  await choose(me, 'auto');
  await expect(page.locator('form [aria-haspopup=dialog]')).toContainText('30 Credits');
  await me.ask('/emulate sources hostile=true 写一首关于秋天的短诗');
  await me.rest();
  await expect(sources(me).getByRole('listitem')).toHaveCount(3);
  await expect(sources(me).getByRole('link')).toHaveCount(1);
  await expect(sources(me)).toContainText('<img src=x onerror=alert(1)>');
  await expect(sources(me)).toContainText('xn--pple-43d.example');
  expect(await sources(me).textContent()).not.toContain('\u202E');
  for (const mark of await me.answer.locator('.source-mark button').all()) {
    await mark.click();
    await page.keyboard.press('Escape');
  }
  expect(dialogs).toEqual([]);
  await expectAccessible(page);
});

const OUTSIDE = 'https://outside.example';
/** Suggestions of a provider that has been taken over: all of it is shown as it is, and none of it may do anything. */
const HOSTILE_SUGGESTIONS = `<style>@import url(${OUTSIDE}/style.css); body { background: url(${OUTSIDE}/back.png) } @font-face { font-family: f; src: url(${OUTSIDE}/f.woff) } p { font-family: f }</style>
<meta http-equiv="refresh" content="0; url=${OUTSIDE}/refresh"><p>text</p>
<script>top.postMessage('ran', '*'); location = '${OUTSIDE}/script'</script><img src="${OUTSIDE}/i.png" onerror="top.postMessage('ran', '*')">
<svg onload="top.postMessage('ran', '*')"><image href="${OUTSIDE}/svg.png" /></svg>
<form action="${OUTSIDE}/form"><button class="send">send</button></form>
<a class="top" target="_top" href="${OUTSIDE}/top">top</a> <a class="here" target="_self" href="${OUTSIDE}/here">here</a>
<a class="script" href="javascript:top.postMessage('ran', '*')">script</a> <a class="chip" href="${OUTSIDE}/search">京都 红叶</a>`;

/** From the next reading on, the answers of the conversation came with these suggestions. */
async function bringSuggestions({ page }: Visitor, suggestions: string): Promise<void> {
  await page.route(/\/api\/messages\?/, async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as MessagePage;
    const parts = json.messages.flatMap((message) => message.parts ?? []);
    for (const part of parts) if (part.kind === 'sources') part.suggestions = suggestions;
    await route.fulfill({ response, json });
  });
}

test('suggestions of a search stand in the answer as they are, and nothing of them leaves the page without a click', async ({
  visitor,
  context,
}) => {
  const me = visitor('en');
  const { page, say } = me;
  await me.signUp();
  await choose(me, 'auto');
  await me.ask('/emulate sources Write a short poem about autumn');
  await me.rest();
  const asked: string[] = [];
  await context.route(`${OUTSIDE}/**`, (route, request) => {
    asked.push(request.url());
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>outside</title>' });
  });
  await page.addInitScript(() => {
    addEventListener('message', ({ data }) => {
      if (data === 'ran') document.documentElement.dataset.ran = 'yes';
    });
  });
  await bringSuggestions(me, HOSTILE_SUGGESTIONS);
  await page.reload();
  const frame = page.locator(`iframe[title="${say('sources.suggestions')}"]`);
  const inside = frame.contentFrame().locator('iframe').contentFrame();
  await expect(inside.locator('.chip')).toHaveText('京都 红叶');
  const { width, height } = (await frame.boundingBox()) ?? { width: 0, height: 0 };
  expect(width).toBe((await me.answer.boundingBox())?.width);
  expect(height).toBe(50);
  const address = page.url();
  await expectAccessible(page);
  expect(asked).toEqual([]);

  const opening = context.waitForEvent('page');
  await inside.locator('.chip').click();
  const opened = await opening;
  await opened.waitForURL(`${OUTSIDE}/search`);
  expect(await opened.evaluate(() => [opener, document.referrer, origin])).toEqual([null, '', OUTSIDE]);
  await opened.close();
  for (const name of ['send', 'top', 'script', 'here']) {
    await page.reload();
    await inside.locator(`.${name}`).click();
  }
  await page.reload();
  await expect(inside.locator('.chip')).toBeVisible();
  expect(asked).toEqual([`${OUTSIDE}/search`]);
  expect(context.pages()).toHaveLength(1);
  expect(page.url()).toBe(address);
  await expect(page.locator('html')).not.toHaveAttribute('data-ran');

  // What would connect by itself, which no policy stops, is not shown at all.
  for (const connecting of [
    `<link rel="preconnect" href="${OUTSIDE}">`,
    `<object data="${OUTSIDE}/object"></object>`,
    `<div><template shadowrootmode="open"><iframe src="${OUTSIDE}/frame"></iframe></template></div>`,
  ]) {
    await bringSuggestions(me, `${connecting}<p class="chip">x</p>`);
    await page.reload();
    await expect(frame).toBeVisible();
    await expect(frame.contentFrame().locator('iframe')).toHaveCount(0);
  }
});

test('code that ran and what it printed are folded where they belong', async ({ visitor }) => {
  const me = visitor('en');
  const { page, say } = me;
  await me.signUp();
  const add = page.getByRole('button', { name: say('files.add') });
  await add.click();
  await page.getByRole('menuitemcheckbox', { name: say('runCode.title') }).click();
  await add.click();
  await expectAccessibleInBothThemes(page);
  await page.getByRole('menuitemradio', { name: say('effort.low'), exact: true }).click();
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
});

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
