import { expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { readSitemap } from './public-pages.ts';
import { journeys, variants } from './texts.ts';
import { BRIEFLY, expect, test } from './visitor.ts';

test('login and register, plain and with errors, have no violation', async ({ visitor }) => {
  const { page, say } = visitor('zh');
  await page.goto('/zh/login');
  await expectAccessibleInBothThemes(page);
  await page
    .getByRole('main')
    .getByRole('button', { name: say('account.loginSubmit'), exact: true })
    .click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.goto('/en/register');
  await expectAccessibleInBothThemes(page);
  await page.locator('form button[type=submit]').click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expectAccessibleInBothThemes(page);
});

for (const { language, title } of journeys('no public page has a violation')) {
  test(
    title,
    long('every public page in both themes; the chat and the forms are in both runs'),
    async ({ page, request }) => {
      const paths = await readSitemap(request);
      const news = paths.filter((one) => one.startsWith(`/${language}/news/`));
      const others = paths.filter((one) => `${one}/`.startsWith(`/${language}/`) && !news.includes(one));
      // They differ in their text.
      for (const path of [...others, ...variants(news, 1)]) {
        await page.goto(path);
        await expectAccessibleInBothThemes(page);
      }
    },
  );
}

/** Sections of the account, each with a text that stands there once it is read. */
const SECTIONS = [
  { path: '/profile', shown: 'accountPages.profile/details' },
  { path: '/profile/details', shown: 'profile.lastLogin' },
  { path: '/profile/security', shown: 'twoFactor.turnOn' },
  { path: '/profile/devices', shown: 'profile.thisDevice' },
  { path: '/profile/billing', shown: 'subscription.freeUpdated' },
  { path: '/profile/data', shown: 'takeout.request' },
  { path: '/profile/api', shown: 'keys.none' },
];

test(
  'the pages of an account have no violation, on a phone with its menu open',
  long('the long run judges each section'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp('subscription');
    await me.expectCredits(40);
    await expectAccessibleInBothThemes(me.page);
    await me.page.goto('/zh/orders');
    await expect(me.page.getByText(me.say('orders.empty'))).toBeVisible();
    await expectAccessibleInBothThemes(me.page);
    await me.page.goto('/zh/credits');
    await expect(me.page.getByRole('table')).toBeVisible();
    await expectAccessibleInBothThemes(me.page);
    await me.page.setViewportSize({ width: 390, height: 844 });
    for (const { path, shown } of SECTIONS) {
      await me.page.goto(path);
      await expect(me.page.getByText(me.say(shown), { exact: true }).first()).toBeVisible();
      await expectAccessibleInBothThemes(me.page);
    }
    await me.page.getByRole('button', { name: me.say('nav.open') }).click();
    await expect(me.page.getByRole('dialog')).toBeVisible();
    await expectAccessibleInBothThemes(me.page);
  },
);

test('the chat has no violation: signed out, empty, answering, menus open, error shown', async ({
  visitor,
}) => {
  const me = visitor('zh');
  const { page, say } = me;
  await page.goto('/zh/chat');
  await expect(page.getByText(say('chat.signedOutTitle'), { exact: true })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await me.signUp();
  await expect(page.getByText(say('chat.emptyTitle'))).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await me.ask('/emulate never-ends 给我看代码和表格');
  await expect(me.answer).toHaveText(/\S{20}/);
  await expectAccessibleInBothThemes(page);
  await me.stopButton.click();
  await me.rest();
  await me.modelButton.click();
  await expect(page.getByRole('menuitemradio').first()).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: say('nav.accountMenu') }).click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('Escape');
  await me.ask('/emulate http-400 失败');
  await expect(me.alerts).toBeVisible();
  await expectAccessibleInBothThemes(page);
});

test(
  'everything that opens in the chat has no violation',
  long('the chat itself is judged in both runs'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    const open = async (key: string) => {
      await page
        .getByRole('button', { name: say(key), exact: true })
        .first()
        .click();
    };
    await me.signUp();
    await open('chat.temporary');
    await expect(page.getByText(say('chat.temporaryText'))).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await open('chat.temporary');
    await me.ask(`${BRIEFLY}给我看列表`);
    await me.rest();
    await open('chat.regenerate');
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.getByRole('menuitem').last().click();
    await me.rest();
    await expect(me.turns.first()).toContainText('2/2');
    await expectAccessibleInBothThemes(page);
    await open('chat.details');
    await expect(page.getByRole('dialog', { name: say('chat.details') })).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press('Escape');
    await open('chat.editPrompt');
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press('Escape');
    await me.titleButton.click();
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.getByRole('menuitem', { name: say('chat.rename'), exact: true }).click();
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press('Escape');
    await open('chat.search');
    await page.getByRole('combobox').fill('列表');
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press('Escape');
    await me.siteMenu.click();
    await expect(page.getByRole('menuitemradio').first()).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press('Escape');
    await open('chat.keys');
    await expect(page.getByRole('dialog', { name: say('chat.keys') })).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press('Escape');
    await open('chat.archiveShow');
    await expectAccessibleInBothThemes(page);
    await open('chat.archiveLeave');
    await me.titleButton.click();
    await page.getByRole('menuitem', { name: say('chat.delete'), exact: true }).click();
    await expect(page.getByRole('button', { name: say('chat.undo') })).toBeVisible();
    await expectAccessibleInBothThemes(page);
  },
);

test(
  'the chat on a phone has no violation, its list of conversations open',
  long('the chat is judged at a desk'),
  async ({ visitor }) => {
    const me = visitor('en');
    await me.page.setViewportSize({ width: 390, height: 844 });
    await me.signUp();
    await me.ask(`${BRIEFLY}Hello`);
    await me.rest();
    await expectAccessibleInBothThemes(me.page);
    await me.page.getByRole('button', { name: me.say('chat.conversationsShow') }).click();
    await expect(me.page.getByRole('dialog')).toBeVisible();
    await expectAccessibleInBothThemes(me.page);
    await me.page.getByRole('button', { name: me.say('chat.search'), exact: true }).click();
    await expect(me.page.getByRole('combobox')).toBeFocused();
    await expectAccessibleInBothThemes(me.page);
  },
);
