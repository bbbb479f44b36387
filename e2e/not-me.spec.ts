import type { Enrolment } from '#contract/accounts/second-factor.ts';
import { codeOf } from '#test/accounts/second-factor.ts';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { readMail } from './mailbox.ts';
import { journeys } from './texts.ts';
import { expect, PASSWORD, test } from './visitor.ts';

const NEW_PASSWORD = 'a password of my own';

for (const { language, title } of journeys(
  'whose password was stolen gets the account back by the notice of a second factor they did not turn on',
)) {
  test(
    title,
    long('its rules have tests on the server, `account.spec.ts` replaces a password by a mail'),
    async ({ visitor, browser, page, baseURL }) => {
      const me = visitor(language);
      const { say } = me;
      await page.context().addCookies([{ name: 'lang', value: language, url: String(baseURL) }]);
      await me.signUp();
      await page.goto(
        (await readMail(me.email, say('mail.verifyEmail.subject'))).link(/\/verify-email#token=/),
      );
      await expect(page.getByText(say('verify.done', { email: me.email }))).toBeVisible();

      expect((await page.request.patch('/api/me', { data: { language } })).status()).toBe(200);
      const thief = await me.elsewhere(browser);
      await thief.signIn();
      const { request } = thief.page;
      expect((await request.post('/api/keys', { data: { name: 'Loot' } })).status()).toBe(201);
      const { secret } = (await (await request.post('/api/me/second-factor/enrolment')).json()) as Enrolment;
      const data = { code: codeOf(secret, Date.now()) };
      expect((await request.post('/api/me/second-factor', { data })).status()).toBe(201);

      const mail = await readMail(me.email, say('mail.secondFactorOn.subject'));
      const link = mail.link(/\/not-me#token=/);
      await page.goto(link);
      await expect(page.getByText(say('disown.secondFactor'))).toBeVisible();
      await expect(page.getByText(say('disown.password'))).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: say('disown.submit') }).click();

      await expect(page).toHaveURL(/\/reset-password#token=/);
      const heading = page.getByRole('heading', { level: 1 });
      await expect(heading).toHaveText(say('reset.takenTitle'));
      const box = page.getByRole('checkbox', { name: /Loot/ });
      await expect(box).toBeChecked();
      await expectAccessible(page);
      await page.getByLabel(say('account.password'), { exact: true }).fill(NEW_PASSWORD);
      await page.getByLabel(say('account.confirmation'), { exact: true }).fill(NEW_PASSWORD);
      await page.getByRole('button', { name: say('reset.submit') }).click();
      await expect(page.getByText(say('reset.done'))).toBeVisible();
      await expect(heading).toHaveText(say('reset.doneTitle'));
      expect((await request.get('/api/me')).status()).toBe(401);
      const stolen = await request.post('/api/auth/sign-in/email', {
        data: { email: me.email, password: PASSWORD },
      });
      expect(stolen.status()).toBe(401);
      await thief.page.context().close();

      await page
        .getByRole('main')
        .getByRole('link', { name: say('reset.login') })
        .click();
      const submit = page.getByRole('button', { name: say('account.loginSubmit'), exact: true });
      await expect(submit).toBeEnabled();
      await page.getByLabel(say('account.email')).fill(me.email);
      await page.getByLabel(say('account.password'), { exact: true }).fill(NEW_PASSWORD);
      await submit.click();
      await expect(page).toHaveURL(new RegExp(`/${language}/chat$`));
      const { keys } = (await (await page.request.get('/api/keys')).json()) as { keys: unknown[] };
      expect(keys).toEqual([]);

      await page.goto('about:blank');
      await page.goto(link);
      await expect(page.getByRole('alert')).toHaveText(say('disown.invalid'));
    },
  );
}

for (const { language, title } of journeys(
  'of two notices used side by side the second ends the first one’s link, and the page says how to go on',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, page }) => {
    const me = visitor(language);
    const { say } = me;
    await me.signUp();
    await page.goto(
      (await readMail(me.email, say('mail.verifyEmail.subject'))).link(/\/verify-email#token=/),
    );
    await expect(page.getByText(say('verify.done', { email: me.email }))).toBeVisible();
    const { request } = page;
    expect((await request.patch('/api/me', { data: { language } })).status()).toBe(200);
    const changed = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await request.post('/api/me/password', { data: changed })).status()).toBe(204);
    expect((await request.post('/api/keys', { data: { name: 'Loot' } })).status()).toBe(201);

    const tabs = [page, await page.context().newPage()] as const;
    for (const [at, subject] of (
      ['mail.passwordChanged.subject', 'mail.apiKeyCreated.subject'] as const
    ).entries()) {
      const tab = tabs[at] ?? page;
      await tab.goto((await readMail(me.email, say(subject))).link(/\/not-me#token=/));
      await tab.getByRole('button', { name: say('disown.submit') }).click();
      await expect(tab).toHaveURL(/\/reset-password#token=/);
    }
    for (const tab of tabs) {
      await tab.getByLabel(say('account.password'), { exact: true }).fill(NEW_PASSWORD);
      await tab.getByLabel(say('account.confirmation'), { exact: true }).fill(NEW_PASSWORD);
      await tab.getByRole('button', { name: say('reset.submit') }).click();
    }
    await expect(page.getByRole('alert')).toHaveText(say('reset.invalid'));
    await expect(tabs[1].getByText(say('reset.done'))).toBeVisible();
    await page.getByRole('link', { name: say('reset.again') }).click();
    await expect(page).toHaveURL(/\/forgot-password$/);
  });
}

for (const { language, title } of journeys(
  'of an account whose address was never verified, the notice and the reset say that everything on it ends',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, page }) => {
    const me = visitor(language);
    const { say } = me;
    await me.signUp();
    expect((await page.request.patch('/api/me', { data: { language } })).status()).toBe(200);
    const asked = await page.request.post('/api/auth/request-password-reset', { data: { email: me.email } });
    expect(asked.status()).toBe(200);
    await page.goto(
      (await readMail(me.email, say('mail.passwordReset.subject'))).link(/\/reset-password#token=/),
    );
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('reset.title'));
    await expect(page.getByText(say('reset.unproved'))).toBeVisible();
    await expectAccessible(page);

    expect((await page.request.post('/api/keys', { data: { name: 'Loot' } })).status()).toBe(201);
    const notice = await readMail(me.email, say('mail.apiKeyCreated.subject'));
    await page.goto(notice.link(/\/not-me#token=/));
    await expect(page.getByText(say('disown.everything'))).toBeVisible();
    await expect(page.getByText(say('disown.nextEverything'))).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: say('disown.submit') }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('reset.takenTitle'));
    await expect(page.getByText(say('reset.takenLead'))).toBeVisible();
    await expect(page.getByText(say('reset.unproved'))).toHaveCount(0);
  });
}
