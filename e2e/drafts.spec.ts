import { long } from './long.ts';
import { BRIEFLY, expect, test } from './visitor.ts';

test(
  'two tabs keep a draft each, through reloads and through the sending of one',
  long('`deep-links.spec.ts` keeps drafts'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp();
    const other = await me.openTab('/zh/chat');
    await me.composer.fill('这一页的草稿');
    await other.composer.fill(`${BRIEFLY}那一页的草稿`);
    await me.page.reload();
    await other.page.reload();
    await expect(me.composer).toHaveValue('这一页的草稿');
    await expect(other.composer).toHaveValue(`${BRIEFLY}那一页的草稿`);
    await other.composer.press('Enter');
    await other.rest();
    await expect(other.composer).toHaveValue('');
    await other.page.getByRole('link', { name: other.say('chat.newConversation') }).click();
    await expect(other.composer).toHaveValue('');
    await me.page.reload();
    await expect(me.composer).toHaveValue('这一页的草稿');
  },
);

test(
  'the draft of a tab that was closed is there in the next one',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp();
    await me.composer.fill('还没写完');
    await me.page.close();
    const next = await me.openTab('/zh/chat');
    await expect(next.composer).toHaveValue('还没写完');
  },
);

test(
  'the length of a long question is shown near the limit, and a long paste is taken whole',
  long('a detail of the page that seldom breaks'),
  async ({ visitor, context }) => {
    const me = visitor('en');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await me.signUp();
    const paste = async (text: string) => {
      await me.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await me.composer.focus();
      await me.page.keyboard.press('Control+a');
      await me.page.keyboard.press('Control+v');
      await expect(me.composer).toHaveValue(text);
    };
    await paste('word '.repeat(4_000));
    await expect(me.page.getByText('/ 32,000 characters')).toBeHidden();
    await paste('word\n'.repeat(6_200));
    await expect(me.page.getByText('30,999 / 32,000 characters')).toBeVisible();
    const box = await me.composer.boundingBox();
    expect(box?.height).toBeLessThan(800 * 0.41);
    await expect(me.sendButton).toBeInViewport();
    await expect(me.sendButton).toBeEnabled();
  },
);

test(
  'a page whose code was replaced by a newer build is loaded anew where it goes on, and the draft stays',
  long('a release is where a build is replaced'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page } = me;
    await me.signUp();
    await me.composer.fill('还没有发出的话');
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    let missed = 0;
    await page.route('**/assets/contact-*.js', async (route) => {
      if (missed > 0) return route.continue();
      missed += 1;
      await route.fulfill({ status: 404, body: '' });
    });
    // What goes to the page ends this document, which the call must not wait in.
    await page.evaluate(() => {
      setTimeout(() => {
        history.pushState(history.state, '', '/zh/contact');
        dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
      });
    });
    await expect(page).toHaveURL(/\/zh\/contact/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(missed).toBe(1);
    await expect.poll(() => page.evaluate(() => 'sameDocument' in window).catch(() => true)).toBe(false);
    await page.goto('/zh/chat');
    await expect(me.composer).toHaveValue('还没有发出的话');
  },
);
