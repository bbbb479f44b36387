import type { Page } from '@playwright/test';
import { codeOf } from '#test/accounts/second-factor.ts';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { journeys } from './texts.ts';
import { expect, PASSWORD, test, type Visitor } from './visitor.ts';

const STEP = 30_000;

/** Reads the secret that is shown for typing. */
async function shownSecret(page: Page): Promise<string> {
  const groups = await page
    .getByRole('dialog')
    .getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/)
    .textContent();
  return (groups ?? '').replaceAll(' ', '');
}

/** Turns the second factor on in the profile; returns its secret and the recovery codes. */
async function enrol({ page, say }: Visitor) {
  await page.goto('/profile/security');
  await page.getByRole('button', { name: say('twoFactor.turnOn') }).click();
  await expect(page.getByRole('img', { name: say('twoFactor.qr') })).toBeVisible();
  const secret = await shownSecret(page);
  const field = page.getByRole('dialog').getByLabel(say('secondStep.code'), { exact: true });
  await field.fill(codeOf(secret, Date.now() + 20 * STEP));
  await field.press('Enter');
  await expect(page.getByRole('dialog').getByText(say('errors.code_invalid'))).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill(codeOf(secret, Date.now()));
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: say('twoFactor.codesTitle') })).toBeVisible();
  const codes = await page.getByRole('dialog').getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  return { secret, codes };
}

/** Gives address and password at the login page. */
async function logIn({ page, say, language, email }: Visitor) {
  await page.context().clearCookies();
  await page.goto(`/${language}/login`);
  await expect(page.getByRole('button', { name: say('account.loginSubmit'), exact: true })).toBeEnabled();
  await page.getByLabel(say('account.email')).fill(email);
  await page.getByLabel(say('account.password'), { exact: true }).fill(PASSWORD);
  await page.getByLabel(say('account.password'), { exact: true }).press('Enter');
}

/** The next request there is refused as it would be ten minutes after the last proof. */
async function growOld(page: Page, path: string) {
  const error = { code: 'confirmation_required', message: '', params: {} };
  await page.route(path, (route) => route.fulfill({ status: 403, json: { error } }), { times: 1 });
}

/** Gives this page an authenticator of its own that says yes to everything. */
async function plugIn(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

for (const { language, title } of journeys(
  'two-step verification is turned on, and a sign-in asks for a code or a recovery code',
)) {
  test(
    title,
    long('tests of the routes and of the second step hold most of it'),
    async ({ visitor, browser, page }) => {
      const me = visitor(language);
      const { say } = me;
      await me.signUp();
      const other = await me.elsewhere(browser);
      await other.signIn();
      const { secret, codes } = await enrol(me);
      await expectAccessible(page);
      for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
      await expect(page.getByRole('heading', { name: say('twoFactor.codesTitle') })).toBeVisible();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: say('twoFactor.download') }).click();
      const file = await (await download).createReadStream();
      const content = (await file.toArray()).join('');
      for (const code of codes) expect(content).toContain(code);
      await page.getByRole('button', { name: say('twoFactor.saved') }).click();
      await expect(page.getByText(say('twoFactor.left', { left: 10 }))).toBeVisible();

      await logIn(me);
      await expect(page.getByRole('heading', { name: say('secondStep.title') })).toBeVisible();
      const field = page.getByLabel(say('secondStep.code'), { exact: true });
      await expect(field).toBeFocused();
      await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
      await expect(field).toHaveAttribute('inputmode', 'numeric');
      await expectAccessible(page);
      await field.fill('000000');
      await field.press('Enter');
      await expect(page.getByText(say('errors.code_invalid'))).toBeVisible();
      expect((await page.request.get('/api/me')).status()).toBe(401);
      await page.getByRole('button', { name: say('secondStep.back') }).click();
      await expect(page.getByRole('heading', { name: say('account.loginTitle') })).toBeVisible();
      await logIn(me);
      await field.fill(codeOf(secret, Date.now() + STEP));
      await field.press('Enter');
      await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));

      await logIn(me);
      await page.getByRole('button', { name: say('secondStep.useRecovery') }).click();
      const recovery = page.getByLabel(say('secondStep.recoveryCode'), { exact: true });
      await recovery.fill((codes[0] ?? '').toLowerCase());
      await recovery.press('Enter');
      await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));

      expect((await other.page.request.get('/api/me')).status()).toBe(401);
      await other.page.context().close();
      await page.goto('/profile/security');
      await growOld(page, '**/api/me/second-factor/recovery-codes');
      await page.getByRole('button', { name: say('twoFactor.renew') }).click();
      const dialog = page.getByRole('dialog', { name: say('confirmation.title') });
      await expect(dialog).toBeVisible();
      await expect(dialog.getByLabel(say('account.password'), { exact: true })).toHaveCount(0);
      await dialog.getByRole('button', { name: say('secondStep.useRecovery') }).click();
      await dialog.getByLabel(say('secondStep.recoveryCode'), { exact: true }).fill(codes[1] ?? '');
      await dialog.getByRole('button', { name: say('confirmation.submit') }).click();
      await expect(page.getByRole('heading', { name: say('twoFactor.codesTitle') })).toBeVisible();
      await page.getByRole('button', { name: say('twoFactor.saved') }).click();
      await page.getByRole('button', { name: say('twoFactor.turnOff') }).click();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: say('twoFactor.turnOff') })
        .click();
      await expect(page.getByRole('button', { name: say('twoFactor.turnOn') })).toBeVisible();
      await logIn(me);
      await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));
    },
  );
}

for (const { language, title } of journeys(
  'a passkey is added, signs in, is the second step, confirms and is deleted',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, browser, page }) => {
    const me = visitor(language);
    const { say } = me;
    await me.signUp();
    const other = await me.elsewhere(browser);
    await other.signIn();
    await plugIn(page);
    await page.goto('/profile/security');
    const add = page.getByRole('button', { name: say('passkeys.add') });
    await add.click();
    await page
      .getByRole('button', { name: new RegExp(say('passkeys.renameOne', { name: '.*Chrome.*' })) })
      .click();
    await page.getByRole('dialog').getByLabel(say('passkeys.name')).fill('My laptop');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('profile.save') })
      .click();
    await expect(page.getByText('My laptop', { exact: true })).toBeVisible();
    expect((await other.page.request.get('/api/me')).status()).toBe(401);
    await other.page.context().close();
    await expectAccessible(page);
    await add.click();
    await expect(page.getByText(say('errors.passkey_taken'))).toBeVisible();

    await page.context().clearCookies();
    await page.goto(`/${language}/login`);
    await page.getByRole('button', { name: say('account.loginPasskey') }).click();
    await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));

    const enrolment = await page.request.post('/api/me/second-factor/enrolment');
    const { secret } = (await enrolment.json()) as { secret: string };
    const code = codeOf(secret, Date.now());
    expect((await page.request.post('/api/me/second-factor', { data: { code } })).status()).toBe(201);

    await page.goto('/profile/security');
    const remove = page.getByRole('button', { name: say('passkeys.deleteOne', { name: 'My laptop' }) });
    const really = page.getByRole('alertdialog').getByRole('button', { name: say('passkeys.delete') });
    await growOld(page, '**/api/me/passkeys/*');
    await remove.click();
    await really.click();
    const dialog = page.getByRole('dialog', { name: say('confirmation.title') });
    await expect(dialog.getByLabel(say('secondStep.code'), { exact: true })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(page.getByText('My laptop', { exact: true })).toBeVisible();
    await growOld(page, '**/api/me/passkeys/options');
    await add.click();
    await dialog.getByRole('button', { name: say('secondStep.passkey') }).click();
    await expect(page.getByText(say('errors.passkey_taken'))).toBeVisible();

    await logIn(me);
    await expect(page.getByRole('heading', { name: say('secondStep.title') })).toBeVisible();
    await page.getByRole('button', { name: say('secondStep.passkey') }).click();
    await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));
    await page.goto('/profile/security');
    await remove.click();
    await really.click();
    await expect(page.getByText('My laptop', { exact: true })).toHaveCount(0);
    await expect(page.getByText(say('passkeys.deleted'))).toBeVisible();
  });
}
