import type { Locator } from '@playwright/test';
import { long } from './long.ts';
import { journeys, type Say } from './texts.ts';
import { BRIEFLY, expect, test, Visitor } from './visitor.ts';

const FIRST = { zh: `${BRIEFLY}第一问`, en: `${BRIEFLY}First question` };
const SECOND = { zh: `${BRIEFLY}第二问`, en: `${BRIEFLY}Second question` };

function button(turn: Locator, say: Say, key: string): Locator {
  return turn.getByRole('button', { name: say(key), exact: true });
}

/** Whether the upper edge of an element is what is seen there. */
function isOnTop(element: Element): boolean {
  const { left, top } = element.getBoundingClientRect();
  return document.elementFromPoint(left + 20, top + 6) === element;
}

for (const { language, title } of journeys(
  'an answer is asked for again with another model at the price shown, and the old one stays',
)) {
  test(title, long('`answers.spec.ts` asks for an answer again'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await me.ask(FIRST[language]);
    await me.rest();
    const turn = me.turns.first();
    await button(turn, say, 'chat.regenerate').click();
    const items = page.getByRole('menuitem');
    await expect(items.nth(0)).toContainText(me.ownModel('Flash'));
    await expect(items.nth(0)).toContainText(say('chat.sameModel'));
    await expect(items.nth(0)).toContainText('15 Credits');
    await expect(items.nth(1)).toContainText('Gemini 2.5 Flash-Lite');
    await expect(items.nth(1)).toContainText('8 Credits');
    await items.nth(1).click();
    await me.expectCredits(17);
    await me.rest();
    await expect(me.turns).toHaveCount(1);
    await expect(turn).toContainText('Gemini 2.5 Flash-Lite · 8 Credits');
    await expect(turn).toContainText('2/2');

    const older = button(turn, say, 'chat.versionOlder');
    await older.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(turn).toContainText(`${me.ownModel('Flash')} · 15 Credits`);
    await expect(turn).toContainText('1/2');
    await expect(older).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(turn).toContainText('2/2');
    await me.composer.blur();
    await page.keyboard.press('[');
    await expect(turn).toContainText('1/2');
  });
}

for (const { language, title } of journeys(
  'an edited question makes a version of its own; everything below the old one is still there',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await page.evaluate(() => localStorage.setItem('chat.model', 'gemini-2.5-flash-lite'));
    await page.reload();
    await me.ask(FIRST[language]);
    await me.rest();
    await me.ask(SECOND[language]);
    await me.rest();
    await expect(me.turns).toHaveCount(2);

    const turn = me.turns.first();
    for (const action of ['chat.copyPrompt', 'chat.editPrompt', 'chat.copyAnswer', 'chat.details']) {
      await expect(button(me.turns.last(), say, action)).toHaveCSS('opacity', '1');
      await expect(button(turn, say, action)).toHaveCSS('opacity', '0');
    }
    await page.route('**/prompt-editor-*.js', (route) => route.abort(), { times: 1 });
    await button(turn, say, 'chat.editPrompt').click();
    await expect(page.getByText(say('account.unreachable'))).toBeVisible();
    await button(turn, say, 'chat.editPrompt').click();
    const editor = turn.getByRole('textbox', { name: say('chat.editPrompt') });
    await expect(editor).toBeFocused();
    await expect(editor).toHaveValue(FIRST[language]);
    await expect(turn).toContainText('8 Credits');
    await page.keyboard.press('Escape');
    await expect(editor).toBeHidden();

    // The question of the last turn, read to its end, on a phone.
    await page.setViewportSize({ width: 390, height: 600 });
    const last = me.turns.last();
    await last.hover();
    await button(last, say, 'chat.editPrompt').click();
    await expect.poll(() => last.getByRole('textbox').evaluate(isOnTop)).toBe(true);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
    await button(turn, say, 'chat.editPrompt').click();
    await editor.fill(`${BRIEFLY}改过 edited`);
    await page.keyboard.press('Enter');
    await me.rest();
    await me.expectCredits(16);
    await expect(me.turns).toHaveCount(1);
    await expect(turn).toContainText('改过 edited');

    await button(turn, say, 'chat.versionOlder').click();
    await expect(me.turns).toHaveCount(2);
    await expect(me.turns.last()).toContainText(SECOND[language]);
    const stored = await me.stored();
    expect(stored.map(({ status, creditsUsed }) => [status, creditsUsed])).toEqual([
      ['completed', 8],
      ['completed', 8],
      ['completed', 8],
    ]);
  });
}

for (const { language, title } of journeys(
  'a failed second answer costs nothing and leaves the first one arrow away',
)) {
  test(title, long('another journey goes most of the same way'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await me.ask(FIRST[language]);
    await me.rest();
    const first = await me.letters();
    const turn = me.turns.first();
    await button(turn, say, 'chat.editPrompt').click();
    await turn.getByRole('textbox').fill('/emulate http-400 坏了 broken');
    await turn.getByRole('button', { name: say('chat.send'), exact: true }).click();
    await expect(turn).toContainText(say('chat.olderKept'));
    await expect(turn).toContainText(say('chat.notCharged'));
    await me.expectCredits(25);
    await button(turn, say, 'chat.versionOlder').click();
    await expect(turn).toContainText('15 Credits');
    await expect.poll(() => me.letters()).toBe(first);
    await page.reload();
    await expect(me.turns).toHaveCount(1);
    await expect(turn).toContainText('2/2');
  });
}

test(
  'an edit that cannot be sent stays open with what was typed',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp();
    await me.ask(`${BRIEFLY}第一问`);
    await me.rest();
    const turn = me.turns.first();
    await button(turn, say, 'chat.editPrompt').click();
    await page.route('**/api/messages', (route) => route.abort('internetdisconnected'));
    await turn.getByRole('textbox').fill('改好的问题，不想丢');
    await page.keyboard.press('Enter');
    await expect(me.alerts).toHaveText(say('chat.sendFailed'));
    await expect(turn.getByRole('textbox')).toHaveValue('改好的问题，不想丢');
    expect(await me.balance()).toBe(25);
  },
);

test(
  'a tab that has not heard of newer turns sends into a branch of its own, and nothing is lost',
  long('its rules have tests on the server'),
  async ({ visitor, context }) => {
    const me = visitor('zh');
    await me.signUp();
    await me.page.evaluate(() => localStorage.setItem('chat.model', 'gemini-2.5-flash-lite'));
    await me.page.reload();
    await me.ask(`${BRIEFLY}第一问`);
    await me.rest();
    const stale = new Visitor(await context.newPage(), 'zh');
    await stale.page.route('**/api/live', (route) => route.abort());
    await stale.page.goto(me.page.url());
    await expect(stale.turns).toHaveCount(1);

    await me.ask(`${BRIEFLY}这边的第二问`);
    await me.rest();
    await expect(stale.turns).toHaveCount(1);
    await stale.ask(`${BRIEFLY}那边的第二问`);
    await stale.rest();

    await expect(me.turns).toHaveCount(2);
    await expect(me.turns.last()).toContainText('那边的第二问');
    await expect(me.turns.last()).toContainText('2/2');
    await button(me.turns.last(), me.say, 'chat.versionOlder').click();
    await expect(me.turns.last()).toContainText('这边的第二问');
    const [root, ...others] = await me.stored();
    expect(others.map(({ parentId }) => parentId)).toEqual([root?.id, root?.id]);
  },
);

test(
  'the details of an answer name model, version, times, tokens and charge',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    await me.ask(`${BRIEFLY}Who are you?`);
    await me.rest();
    await button(me.turns.first(), say, 'chat.details').click();
    const details = page.getByRole('dialog', { name: say('chat.details') });
    for (const key of ['Version', 'Asked', 'First', 'Took', 'Tokens', 'Charged']) {
      await expect(details).toContainText(say(`chat.details${key}`));
    }
    await expect(details).toContainText('Parley Flash');
    await expect(details).toContainText('15 Credits');
    await page.keyboard.press('Escape');
    await expect(details).toBeHidden();
  },
);
