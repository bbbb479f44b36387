import { plantConversations } from '#test/chat/many-messages.ts';
import { plantForUser } from '#test/chat/plant-for-user.ts';
import { WAIT_TIMEOUT_MS } from '#test/patient.ts';
import { long } from './long.ts';
import { expect, test } from './visitor.ts';

/** Two hundred pages of the list are read one after the other. */
const READING_MS = 8 * WAIT_TIMEOUT_MS;
const COUNT = 10_000;
const SCROLL_MS = 50;
/** A piece of fifty rows has some hundreds. */
const MAX_MORE_ELEMENTS = 3_000;

test(
  'a list of 10,000 conversations is read to its end, draws a part of them, and its last one opens',
  long('reading it takes most of a minute'),
  async ({ visitor }) => {
    test.setTimeout(READING_MS + WAIT_TIMEOUT_MS);
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp();
    const { ids } = await plantForUser(me.email, (sql, userId) =>
      plantConversations(sql, userId, { count: COUNT, messages: 1 }),
    );
    await page.goto('/zh/chat');
    const list = page.getByRole('navigation', { name: say('chat.conversations') });
    const links = list.getByRole('link');
    await expect(links.first()).toHaveText(`Talk ${COUNT}`);
    const countElements = () => page.evaluate(() => document.querySelectorAll('*').length);
    const before = await countElements();
    const scroller = list.locator('[data-scroller]');
    const scrollToEnd = () => scroller.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await expect(async () => {
      await scrollToEnd();
      expect(await list.getByRole('button', { name: say('chat.conversationsMore') }).count()).toBe(0);
    }).toPass({ intervals: [SCROLL_MS], timeout: READING_MS });
    await scrollToEnd();
    const last = list.getByRole('link', { name: 'Talk 1', exact: true });
    await expect(last).toBeInViewport();
    expect((await countElements()) - before).toBeLessThan(MAX_MORE_ELEMENTS);
    await last.click();
    await expect(page).toHaveURL(`/zh/chat/${ids[0]}`);
    await expect(me.answer).toHaveText('yes');
    await expect(last).toBeInViewport();
  },
);
