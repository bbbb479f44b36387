import type { CDPSession, Page } from '@playwright/test';
import { long } from './long.ts';
import { variants } from './texts.ts';
import { BRIEFLY, expect, test } from './visitor.ts';

/** What Chromium delivers when Enter confirms the candidate of an input method: a keydown 229, then the end of composing. */
async function confirmWithEnter(cdp: CDPSession, text: string) {
  await cdp.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    windowsVirtualKeyCode: 229,
    code: 'Enter',
    key: 'Process',
  });
  await cdp.send('Input.insertText', { text });
  await cdp.send('Input.dispatchKeyEvent', {
    type: 'keyUp',
    windowsVirtualKeyCode: 13,
    code: 'Enter',
    key: 'Enter',
  });
}

async function compose(cdp: CDPSession, letters: string) {
  for (let end = 1; end <= letters.length; end++) {
    await cdp.send('Input.imeSetComposition', {
      text: letters.slice(0, end),
      selectionStart: end,
      selectionEnd: end,
    });
  }
}

test('Enter that confirms a candidate never sends, the next Enter does', async ({ visitor, context }) => {
  const me = visitor('zh');
  await me.signUp();
  const cdp = await context.newCDPSession(me.page);
  await me.composer.focus();
  await compose(cdp, 'nihao');
  await confirmWithEnter(cdp, '你好');
  await expect(me.composer).toHaveValue('你好');
  await compose(cdp, 'shijie');
  await confirmWithEnter(cdp, '世界');
  await expect(me.composer).toHaveValue('你好世界');
  await expect(me.turns).toHaveCount(0);
  expect(await me.balance()).toBe(40);

  await me.composer.press('Enter');
  await expect(me.turns).toHaveCount(1);
  await expect(me.turns.first()).toContainText('你好世界');
  await me.expectCredits(25);
  await expect(me.composer).toHaveValue('');
});

test(
  'Shift+Enter makes a new line, and blanks alone are not sent',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp();
    await me.composer.fill('   ');
    await expect(me.sendButton).toBeDisabled();
    await me.composer.press('Enter');
    await expect(me.turns).toHaveCount(0);

    await me.composer.fill('第一行');
    const oneRow = (await me.composer.boundingBox())?.height ?? 0;
    await me.composer.press('Shift+Enter');
    await me.composer.pressSequentially('第二行');
    await expect(me.composer).toHaveValue('第一行\n第二行');
    await expect
      .poll(async () => (await me.composer.boundingBox())?.height ?? 0)
      .toBeGreaterThan(oneRow + 10);
    await me.composer.press('Enter');
    await expect(me.turns.first()).toContainText(/第一行\s+第二行/);
    await expect.poll(async () => (await me.composer.boundingBox())?.height).toBe(oneRow);
  },
);

type Step = [type: string, init?: Record<string, unknown>];

/** What each browser delivers when Enter confirms a candidate, as synthetic events on the field that has the focus. */
const ORDERS: Record<string, Step[]> = {
  Chromium: [
    ['compositionstart'],
    ['keydown', { key: 'Process', code: 'Enter', keyCode: 229, isComposing: true }],
    ['compositionend'],
    ['keyup', { key: 'Enter', code: 'Enter', keyCode: 13 }],
  ],
  'Safari, late': [
    ['compositionstart'],
    ['compositionend'],
    ['keydown', { key: 'Enter', code: 'Enter', keyCode: 13 }],
    ['keyup', { key: 'Enter', code: 'Enter', keyCode: 13 }],
  ],
  Firefox: [
    ['compositionstart'],
    ['keydown', { key: 'Enter', code: 'Enter', keyCode: 229, isComposing: true }],
    ['compositionend'],
    ['keyup', { key: 'Enter', code: 'Enter', keyCode: 13, isComposing: false }],
  ],
  Safari: [
    ['compositionstart'],
    ['compositionend'],
    ['keydown', { key: 'Enter', code: 'Enter', keyCode: 229 }],
    ['keyup', { key: 'Enter', code: 'Enter', keyCode: 13 }],
  ],
};

async function play(page: Page, steps: Step[]) {
  await page.evaluate((events) => {
    const field = document.activeElement;
    for (const [type, init = {}] of events) {
      const options = { bubbles: true, cancelable: true, ...init };
      const event = type.startsWith('key')
        ? new KeyboardEvent(type, options)
        : new CompositionEvent(type, options);
      field?.dispatchEvent(event);
    }
  }, steps);
}

for (const [browser, steps] of variants(Object.entries(ORDERS), 2)) {
  test(
    `in the event order of ${browser} a confirming Enter does nothing in the composer, an edit, a rename and the search`,
    long('the first journey confirms a candidate'),
    async ({ visitor }) => {
      const me = visitor('zh');
      const { page, say } = me;
      await me.signUp();
      await me.composer.fill('你好');
      await play(page, steps);
      await page.waitForTimeout(120);
      await expect(me.turns).toHaveCount(0);
      await me.composer.fill(`${BRIEFLY}你好`);
      await me.composer.press('Enter');
      await me.rest();

      await me.turns
        .first()
        .getByRole('button', { name: say('chat.editPrompt') })
        .click();
      await play(page, steps);
      const editor = me.turns.first().getByRole('textbox');
      await expect(editor).toBeVisible();
      await page.keyboard.press('Escape');

      await me.titleButton.click();
      await page.getByRole('menuitem', { name: say('chat.rename') }).click();
      const field = page.getByRole('textbox', { name: say('chat.renameLabel') });
      await field.fill('新的名字');
      await play(page, steps);
      await expect(field).toBeVisible();
      await page.waitForTimeout(120);
      await field.press('Enter');
      await expect(page.getByRole('heading', { name: '新的名字' })).toBeVisible();

      await page.keyboard.press('Control+k');
      const search = page.getByRole('combobox');
      await search.fill('新的名字');
      await expect(page.getByRole('option').first()).toBeVisible();
      await play(page, steps);
      await expect(search).toBeVisible();
      await page.waitForTimeout(120);
      await search.press('Enter');
      await expect(search).toBeHidden();
      expect(await me.balance()).toBe(25);
    },
  );
}
