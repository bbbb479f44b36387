import { long } from './long.ts';
import { journeys } from './texts.ts';
import { BRIEFLY, expect, test, type Visitor } from './visitor.ts';

const LONG = '/emulate long-answer characters=1600 ';

function waiting({ page, say }: Visitor) {
  return page.getByRole('region', { name: say('chat.queued') });
}

for (const { language, title } of journeys(
  'a message written while an answer runs waits, survives a reload and goes when the answer ends',
)) {
  test(title, async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await me.ask(`${LONG}One`);
    await expect(me.answer).toHaveText(/\S/);
    await me.composer.fill(`${BRIEFLY}Two`);
    await expect(me.stopButton).toBeVisible();
    await page.getByRole('button', { name: say('chat.queue'), exact: true }).click();
    await expect(waiting(me)).toContainText('Two');
    await expect(waiting(me)).toContainText('15 Credits');
    await expect(waiting(me)).toContainText(say('chat.queuedNote'));
    await expect(me.composer).toHaveValue('');
    await expect(me.composer).toBeFocused();
    await me.expectCredits(25);

    await page.reload();
    await expect(waiting(me)).toContainText('Two');
    await expect(me.turns).toHaveCount(2, { timeout: 60_000 });
    await expect(waiting(me)).toHaveCount(0);
    await me.rest();
    const stored = await me.stored();
    expect(stored.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(stored[1]).toMatchObject({ parentId: stored[0]?.id, content: `${BRIEFLY}Two` });
    await me.expectCredits(10);
  });
}

test(
  'it can be put back into the composer, and withdrawn',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp();
    await me.ask('/emulate never-ends 第一问');
    await expect(me.answer).toHaveText(/\S/);
    for (const text of ['第二问', '第三问']) {
      await me.composer.fill(text);
      await me.composer.press('Enter');
    }
    await expect(waiting(me).getByRole('listitem')).toHaveCount(2);
    await me.composer.fill('写了一半');
    await waiting(me)
      .getByRole('button', { name: say('chat.queueEdit') })
      .first()
      .click();
    await expect(me.composer).toHaveValue('第二问\n\n写了一半');
    await expect(me.composer).toBeFocused();
    await expect(waiting(me).getByRole('listitem')).toHaveCount(1);
    await waiting(me)
      .getByRole('button', { name: say('chat.queueWithdraw') })
      .press('Enter');
    await expect(waiting(me)).toHaveCount(0);
    await expect(me.composer).toBeFocused();
    await page.reload();
    await expect(waiting(me)).toHaveCount(0);
    await expect(me.composer).toHaveValue('第二问\n\n写了一半');
  },
);

test(
  'a stopped answer keeps it back, says so, and the next press sends it at its price',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    await me.ask('/emulate never-ends One');
    await expect(me.answer).toHaveText(/\S/);
    await me.composer.fill(`${BRIEFLY}Two`);
    await me.composer.press('Enter');
    await me.stopButton.click();
    await expect(waiting(me)).toContainText(say('chat.notSentEnded'));
    await page.reload();
    await expect(waiting(me)).toContainText(say('chat.notSentEnded'));
    await expect(me.turns).toHaveCount(1);
    expect(await me.balance()).toBe(25);
    await waiting(me)
      .getByRole('button', { name: say('chat.sendFor', { cost: 15 }) })
      .press('Enter');
    await expect(me.composer).toBeFocused();
    await expect(me.turns).toHaveCount(2);
    await expect(waiting(me)).toHaveCount(0);
    await me.rest();
    expect(await me.balance()).toBe(10);
  },
);

test(
  'two tabs show it, and send it once',
  long('`send-once.spec.ts` tries what must not be sent twice'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp();
    // It is still being written once the other tab is open, however slow the machine.
    await me.ask('/emulate long-answer characters=4000 一');
    await expect(me.answer).toHaveText(/\S/);
    const other = await me.openTab(me.page.url());
    const posts: string[] = [];
    for (const { page } of [me, other])
      page.on('request', (request) => {
        if (request.method() !== 'POST' || !request.url().endsWith('/api/messages')) return;
        posts.push((request.postDataJSON() as { id: string }).id);
      });
    await me.composer.fill(`${BRIEFLY}二`);
    await me.composer.press('Enter');
    await expect(waiting(other)).toContainText('二');
    await expect(me.turns).toHaveCount(2, { timeout: 60_000 });
    await expect(other.turns).toHaveCount(2);
    await Promise.all([me.rest(), other.rest()]);
    await expect(waiting(me)).toHaveCount(0);
    await expect(waiting(other)).toHaveCount(0);
    expect(posts.length).toBeGreaterThan(0);
    expect(new Set(posts).size).toBe(1);
    expect(await me.stored()).toHaveLength(2);
    expect(await me.balance()).toBe(10);
  },
);

test(
  'it goes although its writer has moved on to another conversation',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp();
    await me.ask(`${LONG}一`);
    await expect(me.answer).toHaveText(/\S/);
    await me.composer.fill(`${BRIEFLY}二`);
    await me.composer.press('Enter');
    await expect(waiting(me)).toContainText('二');
    const path = new URL(me.page.url()).pathname;
    await me.page
      .getByRole('link', { name: me.say('chat.newConversation') })
      .first()
      .click();
    await expect(me.page.getByText(me.say('chat.emptyTitle'))).toBeVisible();
    await me.expectCredits(10);
    await me.page.goto(path);
    await expect(me.turns).toHaveCount(2);
    await expect(waiting(me)).toHaveCount(0);
  },
);

test(
  'signing out forgets what waits',
  long('a detail of the page that seldom breaks'),
  async ({ visitor, page }) => {
    const me = visitor('zh');
    await me.signUp();
    await me.ask('/emulate never-ends 一');
    await expect(me.answer).toHaveText(/\S/);
    await me.composer.fill('不留给别人看');
    await me.composer.press('Enter');
    await expect(waiting(me)).toContainText('不留给别人看');
    await page.getByRole('button', { name: me.say('nav.accountMenu') }).click();
    await page.getByRole('menuitem', { name: me.say('nav.logout') }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: me.say('nav.register') })).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('不留给别人看');
  },
);

test(
  'at a higher price than its writer saw it is not sent',
  long('its rules have tests on the server'),
  async ({ visitor, page }) => {
    const me = visitor('en');
    await me.signUp();
    await me.ask(`${LONG}One`);
    await expect(me.answer).toHaveText(/\S/);
    await me.composer.fill(`${BRIEFLY}Two`);
    await me.composer.press('Enter');
    await expect(waiting(me)).toContainText('Two');
    await page.route('**/api/catalogue', async (route) => {
      const answer = await route.fetch();
      const catalogue = (await answer.json()) as { models: { id: string; cost: number }[] };
      const models = catalogue.models.map((one) => (one.id === 'parley-flash' ? { ...one, cost: 25 } : one));
      await route.fulfill({ response: answer, json: { ...catalogue, models } });
    });
    await page.reload();
    await expect(waiting(me)).toContainText(me.say('chat.notSentPrice'), { timeout: 60_000 });
    await expect(
      waiting(me).getByRole('button', { name: me.say('chat.sendFor', { cost: 25 }) }),
    ).toBeVisible();
    expect(await me.stored()).toHaveLength(1);
  },
);

test(
  'the server refuses a message that costs more than its writer saw, and nothing is charged',
  long('its rules have tests on the server'),
  async ({ visitor, page }) => {
    const me = visitor('en');
    await page.route('**/api/catalogue', async (route) => {
      const answer = await route.fetch();
      const catalogue = (await answer.json()) as { models: { id: string; cost: number }[] };
      const models = catalogue.models.map((one) => (one.id === 'parley-flash' ? { ...one, cost: 9 } : one));
      await route.fulfill({ response: answer, json: { ...catalogue, models } });
    });
    await me.signUp();
    await me.ask('Hello');
    await expect(me.alerts).toHaveText(me.say('errors.quote_changed', { max: 15 }));
    await expect(me.composer).toHaveValue('Hello');
    expect(await me.balance()).toBe(40);
  },
);

test(
  'the field takes the next text while a message is on its way, and gives a refused one back before it',
  long('another journey goes most of the same way'),
  async ({ visitor, page }) => {
    const me = visitor('zh');
    await me.signUp();
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/messages', async (route) => {
      await gate.promise;
      await route.fulfill({
        status: 429,
        json: { error: { code: 'rate_limited', message: '', params: {} } },
      });
    });
    await me.ask('先发这条');
    await expect(me.composer).toHaveValue('');
    await me.composer.fill('接着写');
    gate.resolve();
    await expect(me.alerts).toHaveText(me.say('errors.rate_limited'));
    await expect(page.getByText(me.say('chat.notCharged'))).toBeVisible();
    await expect(me.composer).toHaveValue('先发这条\n\n接着写');
  },
);
