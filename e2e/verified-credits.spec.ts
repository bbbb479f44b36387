import { long } from './long.ts';
import { readMail } from './mailbox.ts';
import { type ProductWithClock, startProductWithClock } from './start-product-with-clock.ts';
import { journeys } from './texts.ts';
import { test as base, expect } from './visitor.ts';

/** A test whose visitors come to a product that asks for verified addresses. */
const test = base.extend<object, { strict: ProductWithClock }>({
  strict: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what the fixture needs.
    async ({}, use) => {
      const product = await startProductWithClock({ VERIFIED_EMAIL_REQUIRED: 'true' });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ strict }, use) => use(strict.url),
});

for (const { language, title } of journeys(
  'where it is asked for, the register page and the chat say that the credits wait for the verification, and the chat shows them once it is done',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, strict, page }) => {
    const me = visitor(language);
    const { say } = me;
    await page.context().addCookies([{ name: 'lang', value: language, url: strict.url }]);
    await page.goto(`/${language}/register`);
    await expect(page.getByText(say('account.registerBannerWait'))).toBeVisible();
    await expect(page.getByText(say('account.registerBannerNote'))).toHaveCount(0);
    await me.signUp();
    await expect(page.getByText(say('statement.withheld.unverified', { email: me.email }))).toBeVisible();
    await expect(page.getByText(say('credits.insufficient'))).toHaveCount(0);
    await page.goto(`/${language}/credits`);
    await expect(page.getByText(say('statement.withheld.unverified', { email: me.email }))).toBeVisible();
    await expect(page.getByRole('button', { name: say('email.send') })).toBeVisible();
    await page.goto(`/${language}/chat`);
    await page.getByRole('button', { name: say('email.send') }).click();
    await expect(page.getByText(say('email.sent', { email: me.email }))).toBeVisible();
    const mail = await readMail(me.email, say('mail.verifyEmail.subject'), strict.mailbox);
    const other = await page.context().newPage();
    await other.goto(mail.link(/\/verify-email#token=/));
    await expect(other.getByText(say('verify.done', { email: me.email }))).toBeVisible();
    await expect(page.getByText(say('statement.withheld.unverified', { email: me.email }))).toHaveCount(0);
    await me.expectCredits(40);
  });
}
