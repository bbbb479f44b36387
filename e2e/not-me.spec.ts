import { LANGUAGES } from '#contract/choices.ts';
import type { Enrolment } from '#contract/second-factor.ts';
import { codeOf } from '#test/accounts/second-factor.ts';
import { expectAccessible } from './expect-accessible.ts';
import { openMail } from './mailbox.ts';
import { expect, PASSWORD, test } from './visitor.ts';

const NEW_PASSWORD = 'a password of my own';

for (const language of LANGUAGES) {
  test(`${language}: whose password was stolen gets the account back by the notice of a second factor they did not turn on`, async ({
    visitor,
    browser,
    page,
  }) => {
    const me = visitor(language);
    const { say } = me;
    await me.signUp();
    await page.goto(
      (await openMail(page, me.email, say('mail.verifyEmail.subject'))).link(/\/verify-email#token=/),
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

    const mail = await openMail(page, me.email, say('mail.secondFactorOn.subject'));
    const link = mail.link(/\/not-me#token=/);
    await page.goto(link);
    await expect(page.getByText(say('notMe.secondFactor'))).toBeVisible();
    await expect(page.getByText(say('notMe.password'))).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: say('notMe.submit') }).click();

    await expect(page).toHaveURL(/\/reset-password#token=/);
    const box = page.getByRole('checkbox', { name: /Loot/ });
    await expect(box).toBeChecked();
    await expectAccessible(page);
    await page.getByLabel(say('account.password'), { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel(say('account.confirmation'), { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: say('reset.submit') }).click();
    await expect(page.getByText(say('reset.done'))).toBeVisible();
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
    await expect(page.getByRole('alert')).toHaveText(say('notMe.invalid'));
  });
}
