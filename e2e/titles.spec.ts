import { expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { type ProductWithClock, startProductWithClock } from './start-product-with-clock.ts';
import { journeys } from './texts.ts';
import { test as base, expect } from './visitor.ts';

/** A test whose visitors come to a product in which a model names conversations and suggests what may be asked next. */
const test = base.extend<object, { named: ProductWithClock }>({
  named: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what the fixture needs.
    async ({}, use) => {
      const product = await startProductWithClock({
        TITLE_MODEL: 'gemini-2.5-flash-lite',
        FOLLOW_UP_MODEL: 'gemini-2.5-flash-lite',
      });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ named }, use) => use(named.url),
});

const ASKED = {
  zh: { question: '怎样写一份好的周报？', title: '写一份好的周报' },
  en: { question: 'How do I write a good weekly report?', title: 'Write a good weekly report' },
};

for (const { language, title } of journeys(
  'a conversation has its first words until a model names it, in the list, the tab and the chat, for nothing',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page } = me;
    const asked = ASKED[language];
    await me.signUp();
    await me.ask(asked.question);
    await expect(me.answer).toHaveText(/\S/);
    await expect(page).toHaveTitle(new RegExp(asked.question.replace('?', '\\?')));
    await me.rest();
    await expect(page).toHaveTitle(new RegExp(`^${asked.title} `));
    await expect(me.titleButton).toContainText(asked.title);
    await expect(page.getByRole('link', { name: asked.title })).toBeVisible();
    expect(await me.balance()).toBe(25);
    await page.reload();
    await expect(page).toHaveTitle(new RegExp(`^${asked.title} `));
  });
}

for (const { language, title } of journeys(
  'questions that may come next stand beneath the newest answer until one is asked, and come without moving it',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await me.ask(`/emulate long-answer characters=1500 ${ASKED[language].question}`);
    await me.rest();
    const next = page.getByRole('region', { name: say('followUps.title') }).getByRole('button');
    await expect(next).toHaveCount(3);
    // The end of the answer is in sight; they lie below it.
    await expect(me.answer.locator('p').last()).toBeInViewport();
    await expect(next.last()).not.toBeInViewport();
    await next.first().focus();
    await expectAccessibleInBothThemes(page);
    const question = (await next.first().textContent()) ?? '';
    await page.keyboard.press('Enter');
    await expect(me.composer).toHaveValue(question);
    await expect(me.composer).toBeFocused();
    expect(await me.balance()).toBe(25);
    await me.composer.press('Enter');
    await expect(me.turns).toHaveCount(2);
    await expect(me.turns.first().getByRole('region', { name: say('followUps.title') })).toHaveCount(0);
    await me.rest();
    await expect(next).not.toHaveCount(0);
    expect(await me.balance()).toBe(10);
  });
}
