import type { Page } from '@playwright/test';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { openMail, readMail } from './mailbox.ts';
import { journeys, LOCALE } from './texts.ts';
import { expect, PASSWORD, test, type Visitor } from './visitor.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';

/** Opens an account that is written to in the language of its user. */
async function join(me: Visitor) {
  const { page, language } = me;
  await page.context().addCookies([{ name: 'lang', value: language, url: process.env.E2E_ORIGIN ?? '' }]);
  await me.signUp();
}

/** The same, and its profile. */
async function joinAndOpenProfile(me: Visitor) {
  await join(me);
  await me.page.goto('/profile');
}

/** The part of the profile about the address. */
const part = ({ page, say }: Visitor) => page.getByRole('region', { name: say('email.title') });

/** Types the password of the account where the link of a mail asks for it. */
async function answerPassword(page: Page, { say }: Visitor, password: string) {
  await page.getByLabel(say('account.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: say('confirmation.submit') }).click();
}

/** Presses a button in that part. */
const press = (me: Visitor, key: string) =>
  part(me)
    .getByRole('button', { name: me.say(key) })
    .click();

const unfoldForm = (me: Visitor) => part(me).locator('summary').click();

for (const { language } of journeys('mails')) {
  test.describe(language, () => {
    test.use({ locale: LOCALE[language] });

    test(
      `${language}: the link of the first mail verifies the address, in a browser that is not signed in with the password, and says so when opened again`,
      long('its rules have tests on the server'),
      async ({ visitor, browser, page }) => {
        const me = visitor(language);
        const { say } = me;
        await joinAndOpenProfile(me);
        await expect(part(me)).toContainText(say('email.unverified'));
        await expect(part(me)).toContainText(say('email.why'));
        await press(me, 'email.send');
        await expect(part(me).getByRole('status')).toHaveText(say('email.sent', { email: me.email }));

        const mail = await openMail(page, me.email, say('mail.verifyEmail.subject'));
        const link = mail.link(/\/verify-email#token=/);
        const { page: other } = await me.elsewhere(browser);
        await other.goto(link);
        await expect(other.getByText(say('linkOpener.lead', { email: me.email }))).toBeVisible();
        await expectAccessible(other);
        await answerPassword(other, me, 'not this one');
        await expect(other.getByText(say('confirmation.wrongPassword'))).toBeVisible();
        await answerPassword(other, me, PASSWORD);
        await expect(other.getByRole('main').getByRole('status')).toHaveText(
          say('verify.done', { email: me.email }),
        );
        await expectAccessible(other);
        await other.goto('about:blank');
        await other.goto(link);
        await expect(other.getByRole('main').getByRole('status')).toHaveText(say('verify.already'));
        await other.goto('/verify-email#token=nonsense');
        await other.reload();
        await expect(other.getByRole('main').getByRole('alert')).toHaveText(say('verify.invalid'));
        await other.context().close();
        await page.reload();
        await expect(part(me)).toContainText(say('email.verified'));
        await expect(part(me).getByRole('button', { name: say('email.send') })).toHaveCount(0);
      },
    );

    test(
      `${language}: whoever did not open the account says so by the link, which ends all access to it`,
      long('its rules have tests on the server'),
      async ({ visitor, browser, page }) => {
        const me = visitor(language);
        const { say } = me;
        await join(me);
        const mail = await readMail(me.email, say('mail.verifyEmail.subject'));
        const owner = await me.elsewhere(browser);
        await owner.page.goto(mail.link(/\/verify-email#token=/));
        await owner.page.getByRole('button', { name: say('linkOpener.disown') }).click();
        await expect(owner.page.getByRole('main').getByRole('status')).toHaveText(
          say('verify.stopped', { email: me.email }),
        );
        await expectAccessible(owner.page);
        expect((await page.request.get('/api/me')).status()).toBe(401);
        await owner.page.getByRole('link', { name: say('verify.toReset') }).click();
        await expect(owner.page.getByRole('heading', { name: say('forgot.title') })).toBeVisible();
        await owner.page.context().close();
      },
    );

    test(
      `${language}: a sign-in from a new browser is told by mail, with the way to the list of devices`,
      long('its rules have tests on the server'),
      async ({ visitor, browser, page }) => {
        const me = visitor(language);
        await join(me);
        const other = await me.elsewhere(browser, { userAgent: IPHONE });
        await other.signIn();
        await other.page.context().close();
        const mail = await readMail(me.email, me.say('mail.newSignIn.subject'));
        expect(mail.text).toContain('Safari · iPhone');
        await page.goto(mail.link(/\/profile\/devices#sessions/));
        await expect(page.getByRole('listitem').filter({ hasText: 'Safari · iPhone' })).toBeVisible();
        await expect(page.getByRole('heading', { name: me.say('profile.sessionsTitle') })).toBeInViewport();
      },
    );

    test(
      `${language}: an address changes once both links are opened, and other browsers are signed out`,
      long('its rules have tests on the server'),
      async ({ visitor, browser, page }) => {
        const me = visitor(language);
        const { say } = me;
        await joinAndOpenProfile(me);
        const newEmail = `new-${me.email}`;
        const field = part(me).getByLabel(say('email.newEmail'));
        await unfoldForm(me);
        await field.fill('nobody');
        await press(me, 'email.change');
        await expect(part(me)).toContainText(say('account.emailInvalid'));
        await field.fill(newEmail);
        await press(me, 'email.change');
        await expect(part(me)).toContainText(say('email.pending', { email: newEmail }));
        await expect(part(me).getByText(say('email.waiting'))).toHaveCount(2);
        await expectAccessible(page);

        const elsewhere = await me.elsewhere(browser);
        const other = elsewhere.page;
        await other.goto(
          (await readMail(newEmail, say('mail.emailChangeNew.subject'))).link(/\/confirm-email#token=/),
        );
        await other.getByRole('button', { name: say('confirmEmail.confirm') }).click();
        await expect(other.getByText(say('linkOpener.leadChange', { email: newEmail }))).toBeVisible();
        await answerPassword(other, me, PASSWORD);
        await expect(other.getByRole('main').getByRole('status')).toHaveText(
          say('confirmEmail.waiting', { email: newEmail }),
        );
        await expectAccessible(other);
        await page.reload();
        await expect(part(me).getByText(say('email.waiting'))).toHaveCount(1);

        await elsewhere.signIn();
        const mail = await readMail(me.email, say('mail.emailChangeOld.subject'));
        mail.link(/\/confirm-email#stop=/);
        await page.goto(mail.link(/\/confirm-email#token=/));
        await page.getByRole('button', { name: say('confirmEmail.confirm') }).click();
        await expect(page.getByRole('main').getByRole('status')).toHaveText(
          say('confirmEmail.changed', { email: newEmail }),
        );
        expect((await other.request.get('/api/me')).status()).toBe(401);
        await other.context().close();
        await page
          .getByRole('main')
          .getByRole('link', { name: say('confirmEmail.toProfile') })
          .click();
        await expect(part(me)).toContainText(newEmail);
        await expect(part(me)).toContainText(say('email.verified'));
        for (const address of [me.email, newEmail])
          expect((await readMail(address, say('mail.emailChanged.subject'))).text).toContain(newEmail);
      },
    );

    test(
      `${language}: whoever did not ask for a change stops it by the mail to the old address`,
      long('its rules have tests on the server'),
      async ({ visitor, page }) => {
        const me = visitor(language);
        const { say } = me;
        await joinAndOpenProfile(me);
        await unfoldForm(me);
        await part(me).getByLabel(say('email.newEmail')).fill(`new-${me.email}`);
        await press(me, 'email.change');
        const mail = await readMail(me.email, say('mail.emailChangeOld.subject'));
        await page.goto(mail.link(/\/confirm-email#stop=/));
        await expect(page.getByRole('heading', { name: say('confirmEmail.stopTitle') })).toBeVisible();
        await page.getByRole('button', { name: say('confirmEmail.stop') }).click();
        await expect(page.getByRole('main').getByRole('status')).toHaveText(say('confirmEmail.stopped'));
        await expect(page.getByRole('link', { name: say('confirmEmail.newPassword') })).toBeVisible();
        await page.goto(mail.link(/\/confirm-email#token=/));
        await page.reload();
        await page.getByRole('button', { name: say('confirmEmail.confirm') }).click();
        await expect(page.getByRole('main').getByRole('alert')).toHaveText(say('confirmEmail.invalid'));
        await page.goto('/profile');
        await unfoldForm(me);
        await expect(part(me).getByLabel(say('email.newEmail'))).toBeVisible();
        await expect(part(me)).toContainText(me.email);
      },
    );
  });
}
