import type { Page } from '@playwright/test';
import { long } from './long.ts';
import { journeys } from './texts.ts';
import { expect, test } from './visitor.ts';

const SHOWCASE = { zh: '给我看排版示例', en: 'Show me every construct' };
const PHONE = { width: 390, height: 844 };

/** What stands beyond the window: only the messages may scroll. */
const beyond = (page: Page) =>
  page.evaluate(() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    return [Math.max(0, scrollHeight - innerHeight), Math.max(0, scrollWidth - innerWidth)];
  });

for (const { language, title } of journeys('the chat is as high as its window, whatever an answer holds')) {
  test(title, long('`chat-states.spec.ts` looks at more states'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    expect(await beyond(page)).toEqual([0, 0]);
    await me.ask(SHOWCASE[language]);
    await expect(me.stopButton).toBeVisible();
    expect(await beyond(page)).toEqual([0, 0]);
    await me.rest();
    await expect(me.answer.locator('.katex').first()).toBeAttached();
    await expect(me.answer.locator('table').first()).toBeAttached();
    expect(await beyond(page)).toEqual([0, 0]);

    const footer = me.turns.last().getByRole('button', { name: say('chat.copyAnswer') });
    await expect(footer).toBeInViewport({ ratio: 1 });
    await page.mouse.move(640, 10);
    await page.mouse.wheel(0, 600);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.setViewportSize(PHONE);
    await expect.poll(() => beyond(page)).toEqual([0, 0]);
    await page.reload();
    await expect(me.turns).toHaveCount(1);
    await expect.poll(() => beyond(page)).toEqual([0, 0]);
  });
}

for (const { language, title } of journeys('a question that is edited has its send button in sight')) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await page.setViewportSize(PHONE);
    await me.signUp();
    for (const characters of [1200, 300]) {
      await me.ask(`/emulate long-answer characters=${characters}`);
      await me.rest();
    }
    const turn = me.turns.last();
    const edit = turn.getByRole('button', { name: say('chat.editPrompt') });
    await edit.evaluate((element) => {
      const box = element.closest('section[data-scroller]');
      if (!box) throw new Error('no box that scrolls');
      box.scrollTop += element.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom + 8;
    });
    await edit.click();
    const field = turn.getByRole('textbox', { name: say('chat.editPrompt') });
    const send = turn.getByRole('button', { name: say('chat.send'), exact: true });
    await expect(send).toBeInViewport({ ratio: 1 });
    await field.fill('line\n'.repeat(12));
    await expect(send).toBeInViewport({ ratio: 1 });
    await send.click({ trial: true });
  });
}
