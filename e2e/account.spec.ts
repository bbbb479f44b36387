import { long } from './long.ts';
import { readMail } from './mailbox.ts';
import { journeys } from './texts.ts';
import { expect, PASSWORD, test } from './visitor.ts';

const NEW_PASSWORD = 'a newer password';

for (const { language, title } of journeys(
  'a forgotten password is replaced by the link of a mail, once, and every browser is signed out',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, browser, page }) => {
    const me = visitor(language);
    const { say } = me;
    await me.signUp();
    const other = await me.elsewhere(browser);
    await other.signIn();
    await page.context().clearCookies();
    await page.goto(`/${language}/login`);
    await page.getByRole('link', { name: say('account.forgotPassword') }).click();
    await expect(page.getByRole('heading', { name: say('forgot.title') })).toBeVisible();
    const field = page.getByLabel(say('account.email'));
    const submit = page.getByRole('button', { name: say('forgot.submit') });
    await field.fill('nobody');
    await submit.click();
    await expect(page.getByText(say('account.emailInvalid'))).toBeVisible();
    await field.fill(me.email);
    await submit.click();
    await expect(page.getByRole('status').filter({ hasText: me.email })).toBeVisible();

    const mail = await readMail(me.email, say('mail.passwordReset.subject'));
    const link = mail.link(/reset-password/);
    await page.goto(link);
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await page.getByLabel(say('account.password'), { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel(say('account.confirmation'), { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: say('reset.submit') }).click();
    await expect(page.getByText(say('reset.done'))).toBeVisible();
    expect((await other.page.request.get('/api/me')).status()).toBe(401);
    await other.page.context().close();

    await page
      .getByRole('main')
      .getByRole('link', { name: say('reset.login') })
      .click();
    await expect(page.getByRole('button', { name: say('account.loginSubmit'), exact: true })).toBeEnabled();
    await page.getByLabel(say('account.email')).fill(me.email);
    await page.getByLabel(say('account.password'), { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: say('account.loginSubmit'), exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));

    await page.goto('about:blank');
    await page.goto(link);
    await expect(page.getByRole('alert').filter({ hasText: say('reset.invalid') })).toBeVisible();
  });
}

for (const { language, title } of journeys('an API key outlives a reset where its user unticks it')) {
  test(title, long('its rules have tests on the server'), async ({ visitor, page }) => {
    const me = visitor(language);
    const { say } = me;
    await me.signUp();
    const created = await page.request.post('/api/keys', { data: { name: 'My script' } });
    const { key } = (await created.json()) as { key: string };
    const models = () =>
      fetch(`${process.env.E2E_ORIGIN}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    await page.goto(
      (await readMail(me.email, say('mail.verifyEmail.subject'))).link(/\/verify-email#token=/),
    );
    await expect(page.getByText(say('verify.done', { email: me.email }))).toBeVisible();
    const data = { email: me.email };
    expect((await page.request.post('/api/auth/request-password-reset', { data })).status()).toBe(200);
    await page.goto((await readMail(me.email, say('mail.passwordReset.subject'))).link(/reset-password/));
    await page.getByLabel(say('account.password'), { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel(say('account.confirmation'), { exact: true }).fill(NEW_PASSWORD);
    const box = page.getByRole('checkbox', { name: /My script/ });
    await expect(box).toBeChecked();
    await box.uncheck();
    await page.getByRole('button', { name: say('reset.submit') }).click();
    await expect(page.getByText(say('reset.done'))).toBeVisible();
    expect((await models()).status).toBe(200);
  });
}

for (const { language, title } of journeys(
  'name, signed-in browsers and password are changed in the sections of the account',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, browser, page }) => {
    const me = visitor(language);
    const { say } = me;
    await me.signUp();
    const other = await me.elsewhere(browser);
    await other.signIn();
    await page.goto('/profile');
    await page.getByRole('textbox', { name: say('profile.name') }).fill('Lin Xiaoyu');
    await page.getByRole('button', { name: say('profile.save'), exact: true }).click();
    await expect(page.getByText(say('profile.saved'))).toBeVisible();
    await expect(page.getByRole('banner')).toContainText('Lin Xiaoyu');

    const index = page.getByRole('navigation', { name: say('accountPages.label') });
    await index.getByRole('link', { name: say('accountPages.profile/devices') }).click();
    await expect(page.getByRole('listitem').filter({ hasText: say('profile.thisDevice') })).toHaveCount(1);
    await page.getByRole('button', { name: say('profile.endOthers') }).click();
    await expect(page.getByRole('button', { name: say('profile.endOthers') })).toHaveCount(0);
    expect((await other.page.request.get('/api/me')).status()).toBe(401);
    await other.page.context().close();

    await index.getByRole('link', { name: say('accountPages.profile/security') }).click();
    const change = page.getByRole('button', { name: say('profile.changePassword'), exact: true });
    await change.click();
    const current = page.getByLabel(say('profile.currentPassword'), { exact: true });
    await current.fill('not it');
    await page.getByLabel(say('profile.newPassword'), { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel(say('account.confirmation'), { exact: true }).fill(NEW_PASSWORD);
    await change.click();
    await expect(page.getByText(say('profile.wrongPassword'))).toBeVisible();
    await expect(current).toBeFocused();
    await current.fill(PASSWORD);
    await change.click();
    await expect(page.getByText(say('profile.passwordChanged'))).toBeVisible();
    const again = await me.elsewhere(browser);
    await again.signIn(NEW_PASSWORD);
    await again.page.context().close();
  });
}
