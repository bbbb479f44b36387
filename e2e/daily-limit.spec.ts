import { long } from './long.ts';
import { type ProductWithClock, startProductWithClock } from './start-product-with-clock.ts';
import { journeys } from './texts.ts';
import { test as base, expect } from './visitor.ts';

/** A test whose visitors may have one message a day that ends without an answer. */
const test = base.extend<object, { strict: ProductWithClock }>({
  strict: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what the fixture needs.
    async ({}, use) => {
      const product = await startProductWithClock({ UNANSWERED_LIMIT: '1' });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ strict }, use) => use(strict.url),
});

for (const { language, title } of journeys(
  'the limit of a day is said in the composer until it is over, and nothing can be sent before',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say, composer } = me;
    await page.clock.install();
    await me.signUp();
    await me.ask('/emulate blocked-answer');
    await expect(me.turns.getByText(say('errors.upstream_blocked'))).toBeVisible();
    const retry = page.getByRole('button', { name: say('chat.retryFor', { cost: 15 }) });
    await expect(retry).toBeVisible();
    await page.clock.fastForward(20_000);
    await expect(me.alerts).toHaveCount(0);
    await me.ask('One more');
    const note = page.getByText(say('errors.too_many_unanswered', { limit: 1 }).split('{{until}}')[1] ?? '');
    await expect(note).toBeVisible();
    await expect(me.alerts).toHaveCount(1);
    await expect(composer).toHaveValue('One more');
    await expect(me.sendButton).toBeDisabled();
    await expect(retry).toHaveCount(0);
    await composer.press('Enter');
    await page.clock.fastForward(60_000);
    await expect(note).toBeVisible();
    await expect(me.turns).toHaveCount(1);
    await page.reload();
    await expect(note).toBeVisible();
    await expect(composer).toHaveValue('One more');
    await expect(me.sendButton).toBeDisabled();

    await page.clock.fastForward(86_400_000);
    await expect(note).toHaveCount(0);
    await expect(me.sendButton).toBeEnabled();
    await expect(retry).toBeVisible();
  });
}
