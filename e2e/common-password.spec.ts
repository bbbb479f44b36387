import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { journeys } from './texts.ts';
import { expect, PASSWORD, test } from './visitor.ts';

for (const { language, title } of journeys(
  'a password that others would try first is warned of while it is typed, and may be kept',
)) {
  test(title, long('a detail that seldom breaks'), async ({ visitor, page }) => {
    const { say, email } = visitor(language);
    await page.goto(`/${language}/register`);
    const submit = page.getByRole('button', { name: say('account.registerSubmit'), exact: true });
    await expect(submit).toBeEnabled();
    const password = page.getByLabel(say('account.password'), { exact: true });
    const warning = page.getByText(say('account.passwordCommon'));
    await page.getByLabel(say('account.email')).fill(email);
    await password.fill('password123');
    await expect(warning).toBeVisible();
    await expect(password).toHaveAccessibleDescription(new RegExp(say('account.passwordCommon')));
    await expectAccessible(page);
    await password.fill(PASSWORD);
    await expect(warning).toHaveCount(0);
    await password.fill(`${email.split('@')[0]}1`);
    await expect(warning).toBeVisible();
    await password.fill('password123');
    await page.getByLabel(say('account.confirmation'), { exact: true }).fill('password123');
    await page.getByRole('checkbox').check();
    await submit.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));
  });
}
