import { long } from './long.ts';
import { journeys } from './texts.ts';
import { BRIEFLY, expect, PASSWORD, test } from './visitor.ts';

for (const { language, title } of journeys(
  'a visitor is asked to log in and then led back to the conversation',
)) {
  test(title, long('a detail that seldom breaks'), async ({ visitor, browser }) => {
    const me = visitor(language);
    const { say } = me;
    await me.signUp();
    await me.ask(BRIEFLY + (language === 'zh' ? '记住这一页' : 'Remember this page'));
    await me.rest();
    const path = new URL(me.page.url()).pathname;

    const { page } = await me.elsewhere(browser);
    await page.goto(path);
    await expect(page.getByText(say('chat.signedOutTitle'), { exact: true })).toBeVisible();
    await expect(page.getByText(say('chat.signedOutText'), { exact: true })).toBeVisible();
    await page
      .getByRole('main')
      .getByRole('link', { name: say('nav.login') })
      .click();
    await page.getByLabel(say('account.email')).fill(me.email);
    await page.getByLabel(say('account.password'), { exact: true }).fill(PASSWORD);
    await page
      .getByRole('main')
      .getByRole('button', { name: say('account.loginSubmit'), exact: true })
      .click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('article')).toHaveCount(1);
    await page.context().close();
  });
}

for (const { language, title } of journeys("somebody else's conversation is not there")) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    await me.signUp('chat/0199ffff-ffff-7fff-bfff-ffffffffffff');
    await expect(me.page.getByText(me.say('chat.missingTitle'))).toBeVisible();
    await me.page
      .getByRole('main')
      .getByRole('link', { name: me.say('chat.newConversation') })
      .last()
      .click();
    await expect(me.page).toHaveURL(`/${language}/chat`);
    await expect(me.composer).toBeEditable();
  });
}

test('each conversation keeps its own draft until signing out', async ({ visitor }) => {
  const me = visitor('zh');
  const { page, say } = me;
  await me.signUp();
  await me.ask(`${BRIEFLY}第一个对话`);
  await me.rest();
  await me.composer.fill('第一个对话的草稿');
  await page.getByRole('link', { name: say('chat.newConversation') }).click();
  await expect(me.composer).toHaveValue('');
  await me.composer.fill('新对话的草稿');
  await page
    .getByRole('navigation', { name: say('chat.conversations') })
    .getByRole('link')
    .click();
  await expect(me.composer).toHaveValue('第一个对话的草稿');
  await page.reload();
  await expect(me.composer).toHaveValue('第一个对话的草稿');
  const kept = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('chat.draft.')).length);
  expect(await kept()).toBe(2);
  await page.getByRole('button', { name: say('nav.accountMenu') }).click();
  await page.getByRole('menuitem', { name: say('nav.logout') }).click();
  await expect.poll(kept).toBe(0);
});
