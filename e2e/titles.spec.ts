import { type ProductWithClock, startProductWithClock } from './product-with-clock.ts';
import { journeys } from './texts.ts';
import { test as base, expect } from './visitor.ts';

/** A test whose visitors come to a product in which a model names conversations. */
const test = base.extend<object, { named: ProductWithClock }>({
  named: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what the fixture needs.
    async ({}, use) => {
      const product = await startProductWithClock({ TITLE_MODEL: 'gemini-2.5-flash-lite' });
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
  test(title, async ({ visitor }) => {
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
