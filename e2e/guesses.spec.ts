import type { Enrolment, RecoveryCodes } from '#contract/accounts/second-factor.ts';
import { codeOf } from '#test/accounts/second-factor.ts';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { readMail } from './mailbox.ts';
import { journeys } from './texts.ts';
import { expect, PASSWORD, test, type Visitor } from './visitor.ts';

/** Wrong passwords from a browser without a cookie, until sign-ins are limited. */
async function guess({ page, email }: Visitor) {
  await expect(async () => {
    const data = { email, password: 'a guess' };
    const response = await page.request.post('/api/auth/sign-in/email', { data });
    expect(response.status()).toBe(429);
  }).toPass({ intervals: [0] });
}

for (const { language, title } of journeys(
  'the owner of an account that strangers guess at gets in, with a new browser by the link of a mail',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, browser, page }) => {
    const me = visitor(language);
    const { say } = me;
    await me.openAccount();
    const stranger = await me.elsewhere(browser);
    await stranger.page.goto(`/${language}/login`);
    await guess(stranger);
    await stranger.page.context().close();
    await page.request.post('/api/auth/sign-out');
    await me.signIn();

    await page.context().clearCookies();
    await page.goto(`/${language}/login`);
    const submit = page.getByRole('button', { name: say('account.loginSubmit'), exact: true });
    const logIn = async () => {
      await expect(submit).toBeEnabled();
      await page.getByLabel(say('account.email')).fill(me.email);
      await page.getByLabel(say('account.password'), { exact: true }).fill(PASSWORD);
      await submit.click();
    };
    await logIn();
    await expect(page.getByText(say('errors.sign_in_limited'))).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: say('signInLink.send') }).click();
    await expect(page.getByText(say('signInLink.sent', { email: me.email }))).toBeVisible();

    const mail = await readMail(me.email, say('mail.signInLink.subject'));
    const link = mail.link(/\/sign-in-link#token=/);
    await page.goto(link);
    await expect(page.getByText(say('signInLink.done', { email: me.email }))).toBeVisible();
    await expectAccessible(page);
    await page
      .getByRole('main')
      .getByRole('link', { name: say('signInLink.login') })
      .click();
    await logIn();
    await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));

    await page.goto('about:blank');
    await page.goto(link);
    await expect(page.getByRole('alert')).toHaveText(say('signInLink.invalid'));
  });
}

test(
  'whoever knows the password and guesses at codes keeps no new browser of the owner out',
  long('its rules have tests on the server'),
  async ({ visitor, browser, page }) => {
    const me = visitor('en');
    const { say } = me;
    await me.openAccount();
    const { request } = page;
    const { secret } = (await (await request.post('/api/me/second-factor/enrolment')).json()) as Enrolment;
    const data = { code: codeOf(secret, Date.now()) };
    const enrolled = await request.post('/api/me/second-factor', { data });
    const { recoveryCodes } = (await enrolled.json()) as RecoveryCodes;
    const thief = await me.elsewhere(browser);
    for (let left = 2; left > 0; left -= 1) {
      await thief.page.request.post('/api/auth/sign-in/email', {
        data: { email: me.email, password: PASSWORD },
      });
      for (let tries = 5; tries > 0; tries -= 1)
        await thief.page.request.post('/api/auth/second-factor', { data: { code: '000000' } });
    }
    await thief.page.context().close();

    await page.context().clearCookies();
    const finish = async () => {
      await page.goto('/en/login');
      const submit = page.getByRole('button', { name: say('account.loginSubmit'), exact: true });
      await expect(submit).toBeEnabled();
      await page.getByLabel(say('account.email')).fill(me.email);
      await page.getByLabel(say('account.password'), { exact: true }).fill(PASSWORD);
      await submit.click();
      await page.getByRole('button', { name: say('secondStep.useRecovery') }).click();
      await page.getByLabel(say('secondStep.recoveryCode'), { exact: true }).fill(recoveryCodes[0] ?? '');
      await page.getByRole('button', { name: say('secondStep.submit') }).click();
    };
    await finish();
    await expect(page.getByText(say('errors.sign_in_limited'))).toBeVisible();
    await page.getByRole('button', { name: say('signInLink.send') }).click();
    await expect(page.getByText(say('signInLink.sentForStep'))).toBeVisible();
    const mail = await readMail(me.email, say('mail.signInLink.subject'));
    await page.goto(mail.link(/\/sign-in-link#token=/));
    await expect(page.getByText(say('signInLink.done', { email: me.email }))).toBeVisible();
    await finish();
    await expect(page).toHaveURL(/\/en\/chat$/);
  },
);
