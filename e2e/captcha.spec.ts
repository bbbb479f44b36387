import { startCaptchaEmulator } from '#test/accounts/captcha-emulator.ts';
import { long } from './long.ts';
import { startProductWithClock } from './start-product-with-clock.ts';
import { journeys } from './texts.ts';
import { test as base, expect } from './visitor.ts';

interface Guarded {
  url: string;
  unload(isAway: boolean): void;
}

/** A test whose visitors come to a product that asks for a captcha. */
const test = base.extend<object, { guarded: Guarded }>({
  guarded: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what the fixture needs.
    async ({}, use) => {
      const captcha = await startCaptchaEmulator();
      const product = await startProductWithClock(captcha.settings);
      await use({
        url: product.url,
        unload: (isAway) => captcha.behave(isAway ? 'with a fault' : 'well'),
      });
      await product.stop();
      await captcha.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ guarded }, use) => use(guarded.url),
});

// One product for all of them: each starts in a few seconds.
test.describe.configure({ mode: 'default' });

for (const { language, title } of journeys(
  'an account is opened after the captcha is solved, under the policy of the page',
)) {
  test(
    title,
    long('it starts a product of its own; tests of the form hold most of it'),
    async ({ visitor, page }) => {
      const me = visitor(language);
      const violations: string[] = [];
      page.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
      });
      await me.sendRegistration();
      await expect(page.getByText(me.say('errors.captcha_required'))).toBeVisible();
      const corrected = `corrected-${me.email}`;
      await page.getByLabel(me.say('account.email')).fill(corrected);
      await page.getByRole('button', { name: 'human captcha-site' }).click();
      await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));
      expect(await (await page.request.get('/api/me')).text()).toContain(corrected);
      expect(violations).toEqual([]);
    },
  );
}

for (const { language, title } of journeys(
  'while the captcha cannot be checked nobody gets in, and the form says so',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, page, guarded }) => {
    const me = visitor(language);
    guarded.unload(true);
    await me.sendRegistration();
    await page.getByRole('button', { name: 'human captcha-site' }).click();
    await expect(
      page.getByRole('alert').filter({ hasText: me.say('errors.captcha_unavailable') }),
    ).toBeVisible();
    guarded.unload(false);
    await page.getByRole('button', { name: me.say('account.registerSubmit'), exact: true }).click();
    await page.getByRole('button', { name: 'human captcha-site' }).click();
    await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));
  });
}

test(
  'en: after failed sign-ins the form asks for a captcha',
  long('its rules have tests on the server'),
  async ({ visitor, page }) => {
    const me = visitor('en');
    await page.goto('/en/login');
    const submit = page.getByRole('button', { name: me.say('account.loginSubmit'), exact: true });
    await expect(submit).toBeEnabled();
    await page.getByLabel(me.say('account.email')).fill(me.email);
    const password = page.getByLabel(me.say('account.password'), { exact: true });
    const answered = () => page.waitForResponse(/sign-in\/email$/);
    for (let n = 0; n < 3; n += 1) {
      await password.fill(`guess ${n}`);
      const [response] = await Promise.all([answered(), submit.click()]);
      expect(response.status()).toBe(401);
      await expect(page.getByText(me.say('account.loginFailed'))).toBeVisible();
      await expect(submit).toBeEnabled();
    }
    await password.fill('guess 3');
    const [asked] = await Promise.all([answered(), submit.click()]);
    expect(asked.status()).toBe(403);
    const [response] = await Promise.all([
      answered(),
      page.getByRole('button', { name: 'human captcha-site' }).click(),
    ]);
    expect(response.status()).toBe(401);
    await expect(page.getByText(me.say('account.loginFailed'))).toBeVisible();
    await expect(page.getByText(me.say('errors.captcha_required'))).toHaveCount(0);
  },
);
