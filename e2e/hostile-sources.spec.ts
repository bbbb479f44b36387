import type { MessagePage } from '#contract/chat.ts';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { chooseSearch, sourcesIn } from './sources.ts';
import { expect, test, type Visitor } from './visitor.ts';

test(
  'pages that attack the reader are text, their real host is shown, and nothing is asked of any without a click',
  long('tests of what is drawn hold the same'),
  async ({ visitor, context, baseURL }) => {
    const me = visitor('zh');
    const { page } = me;
    const asked: string[] = [];
    await context.route(
      ({ protocol, origin }) => protocol.startsWith('http') && origin !== new URL(baseURL ?? '').origin,
      (route, request) => {
        asked.push(request.url());
        return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>outside</title>' });
      },
    );
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await me.signUp();
    await chooseSearch(me, 'auto');
    await expect(page.locator('form [aria-haspopup=dialog]')).toContainText('30 Credits');
    await me.ask('/emulate sources hostile=true 写一首关于秋天的短诗');
    await me.rest();
    await expect(sourcesIn(me).getByRole('listitem')).toHaveCount(3);
    await expect(sourcesIn(me).getByRole('link')).toHaveCount(1);
    await expect(sourcesIn(me)).toContainText('<img src=x onerror=alert(1)>');
    await expect(sourcesIn(me)).toContainText('xn--pple-43d.example');
    expect(await sourcesIn(me).textContent()).not.toContain('\u202E');
    for (const mark of await me.answer.locator('.source-mark button').all()) {
      await mark.click();
      await page.keyboard.press('Escape');
    }
    await expectAccessible(page);
    await page.reload();
    await expect(sourcesIn(me).getByRole('listitem')).toHaveCount(3);
    await expect(page.locator('iframe')).toBeVisible();
    expect(dialogs).toEqual([]);
    expect(asked).toEqual([]);

    const opening = context.waitForEvent('page');
    await sourcesIn(me).getByRole('link').click();
    const opened = await opening;
    await opened.waitForURL('https://xn--pple-43d.example/login');
    expect(await opened.evaluate(() => [opener, document.referrer])).toEqual([null, '']);
    expect(asked).toEqual(['https://xn--pple-43d.example/login']);
  },
);

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

test(
  'suggestions of a search stand in the answer as they are, and nothing of them leaves the page without a click',
  long('the journey above holds what a page that lies may do'),
  async ({ visitor, context }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    await chooseSearch(me, 'auto');
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
    for (const name of ['send', 'top', 'script', 'here']) await inside.locator(`.${name}`).click();
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
  },
);
