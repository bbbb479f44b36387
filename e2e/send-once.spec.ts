import { BRIEFLY, expect, test } from './visitor.ts';

test('a double click sends one message and charges once', async ({ visitor }) => {
  const me = visitor('zh');
  await me.signUp();
  await me.composer.fill(`${BRIEFLY}只发一次`);
  await me.sendButton.dblclick();
  await expect(me.composer).toBeFocused();
  await me.rest();
  await expect(me.turns).toHaveCount(1);
  expect(await me.stored()).toHaveLength(1);
  expect(await me.balance()).toBe(25);
});

test('the second half of a slow double click does not stop what the first half sent', async ({ visitor }) => {
  const me = visitor('zh');
  await me.signUp();
  await me.composer.fill(`${BRIEFLY}只发一次`);
  await me.page.evaluate((label) => {
    const watch = new MutationObserver(() => {
      const stop = [...document.querySelectorAll('button')].find((one) => one.textContent === label);
      if (!stop) return;
      watch.disconnect();
      stop.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
    });
    watch.observe(document.body, { childList: true, subtree: true });
  }, me.say('chat.stop'));
  await me.sendButton.click();
  await me.rest();
  expect(await me.stored()).toMatchObject([{ status: 'completed', creditsUsed: 15 }]);
});

test('an answer of the server that gets lost is asked for again under the same id', async ({ visitor }) => {
  const me = visitor('zh');
  await me.signUp();
  const ids: string[] = [];
  await me.page.route('**/api/messages', async (route) => {
    const { id } = route.request().postDataJSON() as { id: string };
    ids.push(id);
    if (ids.length > 1) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await me.ask(`${BRIEFLY}网络不好的时候`);
  await me.rest();
  await expect(me.turns).toHaveCount(1);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(await me.stored()).toHaveLength(1);
  expect(await me.balance()).toBe(25);
});

test('a message that cannot get out keeps its draft, and goes out under the same id later', async ({
  visitor,
}) => {
  const me = visitor('en');
  const question = `${BRIEFLY}Is anybody there?`;
  await me.signUp();
  const ids: string[] = [];
  let isDown = true;
  await me.page.route('**/api/messages', async (route) => {
    ids.push((route.request().postDataJSON() as { id: string }).id);
    await (isDown ? route.abort('internetdisconnected') : route.continue());
  });
  await me.ask(question);
  await expect(me.alerts).toHaveText(me.say('chat.sendFailed'));
  await expect(me.page.getByText(me.say('chat.chargedOnce'))).toBeVisible();
  await expect(me.composer).toHaveValue(question);
  await expect(me.turns).toHaveCount(0);
  expect(await me.balance()).toBe(40);

  isDown = false;
  await me.sendButton.click();
  await me.rest();
  await expect(me.turns).toHaveCount(1);
  expect(new Set(ids).size).toBe(1);
  await me.expectCredits(25);
});

test('a message whose fate was unknown and that had arrived is shown, and its draft is given up', async ({
  visitor,
}) => {
  const me = visitor('zh');
  await me.signUp();
  await me.page.route('**/api/messages', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await me.ask(`${BRIEFLY}其实送到了`);
  await expect(me.turns).toHaveCount(1);
  await me.rest();
  await expect(me.composer).toHaveValue('');
  await expect(me.page).toHaveURL(/\/zh\/chat\/[0-9a-f-]{36}$/);
  expect(await me.balance()).toBe(25);
});
