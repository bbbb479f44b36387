import { long } from './long.ts';
import { journeys } from './texts.ts';
import { BRIEFLY, expect, lettersOf, test } from './visitor.ts';

const WORDS = { zh: '说点什么', en: 'Say something' };

for (const { language, title } of journeys(
  'a failed answer costs nothing, says so, and can be asked for again beside it',
)) {
  test(title, async ({ visitor }) => {
    const me = visitor(language);
    const { say, page } = me;
    await me.signUp();
    await me.ask(`/emulate http-400 times=1 ${WORDS[language]} ${me.email}`);
    await expect(me.alerts).toHaveText(say('chat.sendFailed'));
    const turn = me.turns.last();
    await expect(turn).toContainText(say('chat.sendFailed'));
    await expect(turn).toContainText(say('chat.notCharged'));
    await expect(turn.getByText(say('chat.sendFailed'))).toHaveCount(1);
    await expect(turn).not.toContainText('0 Credits ·');
    await me.expectCredits(40);

    const [failed] = await me.stored();
    await page.getByRole('button', { name: say('chat.retryFor', { cost: 15 }), exact: true }).click();
    await me.expectCredits(25);
    await me.rest();
    await expect(me.turns).toHaveCount(1);
    await expect(me.answer).toHaveText(/\S/);
    const [, second] = await me.stored();
    expect(second).toMatchObject({
      parentId: failed?.parentId,
      content: failed?.content,
      status: 'completed',
    });
    expect(second?.id).not.toBe(failed?.id);

    await expect(turn).toContainText(say('chat.versionPlace', { place: 2, count: 2 }));
    await page.getByRole('button', { name: say('chat.versionOlder') }).click();
    await expect(turn).toContainText(say('chat.notCharged'));
    await page.getByRole('button', { name: say('chat.versionNewer') }).click();
    await expect(me.answer).toHaveText(/\S/);
  });
}

for (const { language, title } of journeys('what the provider blocks and what is empty is explained')) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    await me.signUp();
    await me.ask(`/emulate blocked-prompt ${WORDS[language]}`);
    await expect(me.turns.last()).toContainText(me.say('errors.upstream_blocked'));
    await me.rest();
    await me.ask(`/emulate empty ${WORDS[language]}`);
    await expect(me.turns).toHaveCount(2);
    await expect(me.turns.last()).toContainText(me.say('errors.upstream_empty'));
    await me.expectCredits(40);
  });
}

for (const { language, title } of journeys(
  'an answer at its length limit says so and goes on at its price, one that the filter cut is free',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { say, page } = me;
    await me.signUp();
    await me.ask(`/emulate max-tokens ${WORDS[language]}`);
    await expect(me.turns.last()).toContainText(say('chat.lengthLimit'));
    await me.expectCredits(25);
    await page.getByRole('button', { name: say('chat.continueFor', { cost: 15 }), exact: true }).click();
    await expect(me.turns).toHaveCount(2);
    await expect(me.turns.last()).toContainText(say('chat.continuePrompt'));
    await me.expectCredits(10);
    await me.rest();
    const [cut, next] = await me.stored();
    expect(next).toMatchObject({ parentId: cut?.id, status: 'completed' });
    await expect(page.getByRole('button', { name: say('chat.continueFor', { cost: 15 }) })).toHaveCount(0);

    const other = visitor(language);
    await other.signUp();
    await other.ask(`/emulate blocked-after-text ${WORDS[language]}`);
    await expect(other.turns.last()).toContainText(other.say('chat.cutByFilter'));
    await expect(other.answer).toHaveText(/\S/);
    await other.expectCredits(40);
  });
}

for (const { language, title } of journeys(
  'stopping before the first word is free, after it costs the full price',
)) {
  test(title, async ({ visitor }) => {
    const me = visitor(language);
    const { say } = me;
    await me.signUp();
    await me.ask(`/emulate slow-first-token ms=60000 ${WORDS[language]}`);
    await expect(me.page.getByText(say('chat.thinking'), { exact: true })).toBeVisible();
    await me.expectCredits(25);
    await me.stopButton.click();
    await me.rest();
    await expect(me.turns.last()).toContainText(say('chat.statusStopped'));
    await expect(me.turns.last()).toContainText('0 Credits');
    await me.expectCredits(40);

    await me.ask(`/emulate never-ends ${WORDS[language]}`);
    await expect(me.answer).toHaveText(/\S/);
    await me.stopButton.click();
    await me.rest();
    await expect(me.turns.last()).toContainText(say('chat.statusStopped'));
    await expect(me.turns.last()).toContainText('15 Credits');
    await expect(me.answer).toHaveText(/\S/);
    await me.expectCredits(25);
  });
}

test(
  'a question that is too long is refused with the limit named, and stays in the composer',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp();
    await me.composer.fill('长'.repeat(32_001));
    await me.sendButton.click();
    await expect(me.alerts).toHaveText(/32,?000/);
    await expect(me.composer).toHaveValue(/^长{32001}$/);
    expect(await me.balance()).toBe(40);
  },
);

for (const { language, title } of journeys(
  'half an answer says that it was cut off and costs nothing, once',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { say, page } = me;
    await me.signUp();
    await me.ask(`/emulate cut-off ${WORDS[language]}`);
    await expect(me.alerts).toHaveText(say('chat.halfAnswer'));
    await expect(me.turns.last().getByText(say('chat.halfAnswer'))).toBeVisible();
    await expect(me.answer).toHaveText(/\S/);
    await expect(page.getByText(say('chat.sendFailed'))).toHaveCount(0);
    await expect(page.getByRole('region', { name: say('dialog.notices') }).getByRole('alert')).toHaveCount(0);
    await me.expectCredits(40);
  });
}

test(
  'what is not set up is said on the page, with its setting, before anything is sent',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.page.route('**/api/catalogue', async (route) => {
      const answer = await route.fetch();
      const catalogue = (await answer.json()) as { models: { id: string }[] };
      const models = catalogue.models.map((one) => ({ ...one, missingSetting: 'GEMINI_API_KEY' }));
      await route.fulfill({ response: answer, json: { ...catalogue, models } });
    });
    await me.signUp();
    await expect(me.alerts).toHaveText(me.say('chat.noModel', { setting: 'GEMINI_API_KEY' }));
    await me.composer.fill('你好');
    await expect(me.sendButton).toBeDisabled();
  },
);

test(
  'a model that is not set up says so, and that others are',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.page.route('**/api/catalogue', async (route) => {
      const answer = await route.fetch();
      const catalogue = (await answer.json()) as { defaultModel: string; models: { id: string }[] };
      const models = catalogue.models.map((one) =>
        one.id === catalogue.defaultModel ? { ...one, missingSetting: 'GEMINI_API_KEY' } : one,
      );
      await route.fulfill({ response: answer, json: { ...catalogue, models } });
    });
    await me.signUp();
    await expect(me.alerts).toHaveText(
      me.say('chat.modelMissing', { model: me.ownModel('Flash'), setting: 'GEMINI_API_KEY' }),
    );
  },
);

test(
  'an answer is read aloud by whole sentences while it is written',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp();
    await me.page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      new MutationObserver(() => {
        const text = document.querySelector('[role=log]')?.textContent ?? '';
        if (text !== '' && said.at(-1) !== text) said.push(text);
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    await me.ask('/emulate long-answer characters=900 怎样写一份好的周报？');
    await me.rest();
    const [message] = await me.stored();
    const response = message?.response ?? '';
    const said = () => me.page.evaluate(() => (window as unknown as { said: string[] }).said);
    await expect
      .poll(async () => lettersOf((await said()).join('')).slice(-10))
      .toBe(lettersOf(response).slice(-10));
    const parts = await said();
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.length).toBeLessThan(response.length / 20);
    const lines = response.split('\n').map(lettersOf);
    const endsWhole = (part: string) =>
      /[。？！：]$/.test(part) ||
      part.endsWith(me.say('chat.code')) ||
      lines.some((line) => line.endsWith(lettersOf(part).slice(-3)));
    expect(parts.filter((part) => !endsWhole(part))).toEqual([]);
    await expect(me.page.getByRole('log')).toHaveText('', { timeout: 15_000 });
  },
);

test(
  'an answer that ends before its text is drawn has at once the height of all of it',
  long('`chat-states.spec.ts` watches what moves'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page } = me;
    await page.setViewportSize({ width: 390, height: 844 });
    await me.signUp();
    await me.ask(`${BRIEFLY}你好`);
    await me.rest();
    // Once some text is drawn, what waits for a frame waits for the end; heights are those of each change, before it and after it.
    await page.evaluate(() => {
      const heights: { running: number[]; ended: number[] } = { running: [], ended: [] };
      Object.assign(window, { heights });
      const held: FrameRequestCallback[] = [];
      const draw = window.requestAnimationFrame;
      window.requestAnimationFrame = (callback) =>
        document.querySelector('[aria-busy=true] .answer') ? held.push(callback) : draw(callback);
      new MutationObserver(() => {
        const [, text] = document.querySelectorAll('article .answer');
        if (!text) return;
        const isEnded = text.closest('[aria-busy=false]') !== null;
        heights[isEnded ? 'ended' : 'running'].push(text.getBoundingClientRect().height);
        if (isEnded) for (const callback of held.splice(0)) draw(callback);
      }).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
    });
    await me.ask('/emulate long-answer characters=900 怎样写一份好的周报？');
    await expect(me.turns).toHaveCount(2);
    await me.rest();
    const { running, ended } = await page.evaluate(
      () => (window as unknown as { heights: { running: number[]; ended: number[] } }).heights,
    );
    const height = await me.answer.evaluate((text) => text.getBoundingClientRect().height);
    expect(running.length).toBeGreaterThan(0);
    expect(Math.max(...running)).toBeLessThan(height);
    expect(ended.length).toBeGreaterThan(0);
    expect(ended.filter((one) => one !== height)).toEqual([]);
  },
);
