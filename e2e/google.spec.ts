import type { Page } from '@playwright/test';
import { codeOf } from '#test/accounts/second-factor.ts';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { readMail } from './mailbox.ts';
import { journeys, LOCALE } from './texts.ts';
import { expect, PASSWORD, test, type Visitor } from './visitor.ts';

// Faults of the emulator hit the next sign-in.
test.describe.configure({ mode: 'serial' });

const CHOOSER = {
  zh: { email: '邮箱', go: '继续', cancel: '取消' },
  en: { email: 'Email', go: 'Continue', cancel: 'Cancel' },
};

async function fail(kind: string) {
  const response = await fetch(`${process.env.E2E_GOOGLE}/__control/fault`, {
    method: 'POST',
    body: JSON.stringify({ kind }),
  });
  expect(response.ok, await response.text()).toBe(true);
}

/** Presses the button, which opens the popup. */
async function openPopup({ page, say }: Visitor, button: string): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: say(button) }).click(),
  ]);
  await popup.waitForURL(/\/interaction\//);
  return popup;
}

/** Signs in at Google as a person with an address. */
async function choose({ language }: Visitor, google: Page, email: string) {
  await google.getByLabel(CHOOSER[language].email, { exact: true }).fill(email);
  await google.getByRole('button', { name: CHOOSER[language].go }).click();
}

/** Presses the button and chooses in the popup, which closes. */
async function throughPopup(me: Visitor, button: string, email = me.email) {
  const popup = await openPopup(me, button);
  await Promise.all([popup.waitForEvent('close'), choose(me, popup, email)]);
}

/** Opens an account by the popup, which leads to the chat. */
async function signUpWithGoogle(me: Visitor) {
  await me.page.goto(`/${me.language}/register`);
  await throughPopup(me, 'google.goOn');
  await expect(me.page).toHaveURL(new RegExp(`/${me.language}/chat$`));
}

for (const { language } of journeys('Google')) {
  test.describe(language, () => {
    test.use({ locale: LOCALE[language] });

    test('a popup signs somebody up with 40 credits, and in again', async ({ visitor, page }) => {
      const me = visitor(language);
      await signUpWithGoogle(me);
      await me.expectCredits(40);

      await page.context().clearCookies();
      await page.goto(`/${language}/login?next=/${language}/pricing`);
      await throughPopup(me, 'google.goOn');
      await expect(page).toHaveURL(new RegExp(`/${language}/pricing$`));
      await me.expectCredits(40);
    });

    test(
      'a popup that is closed or cancelled is no error, and the button works again, by keyboard too',
      long('another journey goes most of the same way'),
      async ({ visitor, page }) => {
        const me = visitor(language);
        const { say } = me;
        await page.goto(`/${language}/login`);
        const closed = await openPopup(me, 'google.goOn');
        await expect(page.getByRole('button', { name: say('google.busy') })).toBeDisabled();
        await expectAccessible(page);
        await closed.close();
        const button = page.getByRole('button', { name: say('google.goOn') });
        await expect(button).toBeEnabled();
        await button.focus();
        const [popup] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
        const cancel = popup.getByRole('button', { name: CHOOSER[language].cancel });
        await Promise.all([popup.waitForEvent('close'), cancel.click()]);
        await expect(button).toBeEnabled();
        await expect(me.alerts).toHaveText([]);
        await expect(page).toHaveURL(new RegExp(`/${language}/login$`));
      },
    );

    test(
      'where popups are blocked, the page itself goes to Google and comes back',
      long('its rules have tests on the server'),
      async ({ visitor, page }) => {
        const me = visitor(language);
        await page.addInitScript(() => {
          window.open = () => null;
        });
        await page.goto(`/${language}/login?next=/${language}/pricing`);
        await page.getByRole('button', { name: me.say('google.goOn') }).click();
        await page.waitForURL(/\/interaction\//);
        await choose(me, page, me.email);
        await expect(page).toHaveURL(new RegExp(`/${language}/pricing$`));
        await me.expectCredits(40);
      },
    );

    test(
      'an address whose mailbox is not Google’s and that has an account is told how to go on',
      long('its rules have tests on the server'),
      async ({ visitor, page }) => {
        const me = visitor(language);
        await me.openAccount();
        await page.context().clearCookies();
        await page.goto(`/${language}/login`);
        const popup = await openPopup(me, 'google.goOn');
        await popup.locator('select[name=mailbox]').selectOption('elsewhere');
        await Promise.all([popup.waitForEvent('close'), choose(me, popup, me.email)]);
        await expect(me.alerts).toHaveText([me.say('google.addressInUse')]);
      },
    );

    for (const form of ['login', 'register'] as const) {
      test(
        `a failure is told on the ${form} page, and the next try works`,
        long('its rules have tests on the server'),
        async ({ visitor, page }) => {
          const me = visitor(language);
          const text = {
            zh: { login: 'Google登录失败，请重试', register: 'Google注册失败，请重试' },
            en: {
              login: 'Google login failed. Please try again.',
              register: 'Google sign-up failed. Please try again.',
            },
          };
          await page.goto(`/${language}/${form}`);
          const popup = await openPopup(me, 'google.goOn');
          await fail('bad-signature');
          await Promise.all([popup.waitForEvent('close'), choose(me, popup, me.email)]);
          await expect(me.alerts).toHaveText([text[language][form]]);
          await throughPopup(me, 'google.goOn');
          await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));
        },
      );
    }

    test(
      'Google is connected on the profile, told by mail, and disconnected',
      long('its rules have tests on the server'),
      async ({ visitor, page }) => {
        const me = visitor(language);
        const { say } = me;
        const account = `google-${me.email}`;
        await me.signUp();
        expect((await page.request.patch('/api/me', { data: { language } })).status()).toBe(200);
        await page.goto('/profile/security');
        await throughPopup(me, 'signIns.connectOne', account);
        await expect(page.getByText(account)).toBeVisible();
        await readMail(me.email, say('mail.googleConnected.subject'));
        await page.getByRole('button', { name: say('signIns.disconnectOne', { account }) }).click();
        await expect(page.getByText(account)).toBeHidden();
      },
    );

    test(
      'after Google the second factor is asked for, in the popup’s stead by the page that opened it',
      long('another journey goes most of the same way'),
      async ({ visitor, page }) => {
        const me = visitor(language);
        const { say } = me;
        await signUpWithGoogle(me);
        const started = await page.request.post('/api/me/second-factor/enrolment');
        const { secret } = (await started.json()) as { secret: string };
        const data = { code: codeOf(secret, Date.now()) };
        const finished = await page.request.post('/api/me/second-factor', { data });
        const { recoveryCodes } = (await finished.json()) as { recoveryCodes: string[] };

        await page.context().clearCookies();
        await page.goto(`/${language}/register?next=/${language}/pricing`);
        await throughPopup(me, 'google.goOn');
        await expect(page.getByRole('heading', { name: say('secondStep.title') })).toBeVisible();
        await page.getByRole('button', { name: say('secondStep.useRecovery') }).click();
        await page.getByLabel(say('secondStep.recoveryCode')).fill(recoveryCodes[0] ?? '');
        await page.getByRole('button', { name: say('secondStep.submit') }).click();
        await expect(page).toHaveURL(new RegExp(`/${language}/pricing$`));
      },
    );

    test(
      'an account of Google’s takes a first password, and the password opens it',
      long('its rules have tests on the server'),
      async ({ visitor, page }) => {
        const me = visitor(language);
        const { say } = me;
        await signUpWithGoogle(me);
        await page.goto('/profile/security');
        await page.getByRole('button', { name: say('signIns.disconnectOne', { account: me.email }) }).click();
        await expect(me.alerts).toHaveText([say('errors.last_sign_in')]);
        await page.getByLabel(say('profile.newPassword'), { exact: true }).fill(PASSWORD);
        await page.getByLabel(say('account.confirmation'), { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: say('signIns.setPassword') }).click();
        await expect(page.getByText(say('signIns.passwordSaved'))).toBeVisible();
        await expect(page.getByRole('button', { name: say('profile.changePassword') })).toBeFocused();
        await page.context().clearCookies();
        await me.signIn();
      },
    );
  });
}
