import { long } from './long.ts';
import { journeys } from './texts.ts';
import { expect, test } from './visitor.ts';

for (const { language, title } of journeys('without a network the page says so, until it is back')) {
  test(title, async ({ visitor, context }) => {
    const { page, say } = visitor(language);
    await page.goto(`/${language}/faq`);
    await expect(page.getByRole('status')).toBeAttached();
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await expect(page.getByText(say('offline.text'))).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText(say('offline.text'))).toBeHidden();
  });
}

test(
  'a machine that has no network but reaches the server is not told that it is offline',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
    const { page, say } = visitor('zh');
    await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { value: false }));
    const asked = page.waitForResponse('**/healthz');
    await page.goto('/zh/faq');
    expect((await asked).status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(say('offline.text'))).toBeHidden();
  },
);
