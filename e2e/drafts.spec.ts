import { BRIEFLY, expect, test } from './visitor.ts';

test('two tabs keep a draft each, through reloads and through the sending of one', async ({ visitor }) => {
  const me = visitor('zh');
  await me.signUp();
  const other = await me.openTab('/zh/chat');
  await me.composer.fill('这一页的草稿');
  await other.composer.fill(`${BRIEFLY}那一页的草稿`);
  await me.page.reload();
  await other.page.reload();
  await expect(me.composer).toHaveValue('这一页的草稿');
  await expect(other.composer).toHaveValue(`${BRIEFLY}那一页的草稿`);
  await other.composer.press('Enter');
  await other.rest();
  await expect(other.composer).toHaveValue('');
  await other.page.getByRole('link', { name: other.say('chat.newConversation') }).click();
  await expect(other.composer).toHaveValue('');
  await me.page.reload();
  await expect(me.composer).toHaveValue('这一页的草稿');
});

test('the draft of a tab that was closed is there in the next one', async ({ visitor }) => {
  const me = visitor('zh');
  await me.signUp();
  await me.composer.fill('还没写完');
  await me.page.close();
  const next = await me.openTab('/zh/chat');
  await expect(next.composer).toHaveValue('还没写完');
});

test('the length of a long question is shown near the limit, and a long paste is taken whole', async ({
  visitor,
  context,
}) => {
  const me = visitor('en');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await me.signUp();
  const paste = async (text: string) => {
    await me.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await me.composer.focus();
    await me.page.keyboard.press('Control+a');
    await me.page.keyboard.press('Control+v');
    await expect(me.composer).toHaveValue(text);
  };
  await paste('word '.repeat(4_000));
  await expect(me.page.getByText('/ 32,000 characters')).toBeHidden();
  await paste('word\n'.repeat(6_200));
  await expect(me.page.getByText('30,999 / 32,000 characters')).toBeVisible();
  const box = await me.composer.boundingBox();
  expect(box?.height).toBeLessThan(800 * 0.41);
  await expect(me.sendButton).toBeInViewport();
  await expect(me.sendButton).toBeEnabled();
});
