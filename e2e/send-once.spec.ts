import type { Mouse } from '@playwright/test';
import { long } from './long.ts';
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

test(
  'a slow double click on Send does not stop, and one on Stop does not send',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp();
    await me.ask('/emulate blocked-prompt 占个位');
    await me.rest();
    await me.composer.fill('/emulate never-ends 说下去');
    const box = await me.sendButton.boundingBox();
    const at = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 10 };
    const { mouse } = me.page;
    await mouse.click(at.x, at.y);
    await expect(me.answer).toHaveText(/\S/);
    await secondHalf(mouse);
    const early = await me.letters();
    await expect.poll(async () => (await me.letters()).length).toBeGreaterThan(early.length + 20);

    await me.composer.fill('没打算现在发的草稿');
    await mouse.click(at.x, at.y);
    await me.rest();
    await expect(me.sendButton).toBeEnabled();
    await secondHalf(mouse);
    await expect(me.composer).toHaveValue('没打算现在发的草稿');
    expect(await me.stored()).toMatchObject([{ creditsUsed: 0 }, { status: 'stopped', creditsUsed: 15 }]);
  },
);

/** The press that a system counts as the second of a double click, on whatever is under the pointer by now. */
async function secondHalf(mouse: Mouse) {
  await mouse.down({ clickCount: 2 });
  await mouse.up({ clickCount: 2 });
}

test(
  'what is sent before everything is here goes out once it is; what is changed meanwhile waits for the next Enter',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.openAccount();
    for (const isChanged of [false, true]) {
      const gate = Promise.withResolvers<void>();
      await me.page.route('**/api/catalogue', async (route) => {
        await gate.promise;
        await route.continue();
      });
      await me.page.goto('/zh/chat');
      await me.composer.fill(`${BRIEFLY}一来就发`);
      await me.composer.press('Enter');
      await expect(me.page.getByRole('button', { name: me.say('chat.sending') })).toBeVisible();
      if (isChanged) await me.composer.press('End');
      if (isChanged) await me.page.keyboard.type('，等一下');
      gate.resolve();
      await me.rest();
      await expect(me.turns).toHaveCount(isChanged ? 0 : 1);
      await me.page.unroute('**/api/catalogue');
    }
    await expect(me.sendButton).toBeEnabled();
    await expect(me.composer).toHaveValue(`${BRIEFLY}一来就发，等一下`);
    expect(await me.balance()).toBe(25);
  },
);

test(
  'an answer comes with the request that asked for it, in a new conversation and in an old one',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp();
    const asked: string[] = [];
    me.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/messages')) asked.push(`${request.method()} ${pathname}`);
    });
    for (const question of ['一问', '再问']) {
      await me.ask(`${BRIEFLY}${question}`);
      await me.rest();
      await expect(me.turns.last()).toContainText('15 Credits');
    }
    expect(asked).toEqual(['POST /api/messages', 'POST /api/messages']);
  },
);

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

test(
  'a message that cannot get out keeps its draft, and goes out under the same id later',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
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
  },
);

test(
  'a message whose fate was unknown and that had arrived is shown, and its draft is given up',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
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
  },
);
