import type { CDPSession } from '@playwright/test';
import { expect, test } from './visitor.ts';

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

test('Shift+Enter makes a new line, and blanks alone are not sent', async ({ visitor }) => {
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
  await expect.poll(async () => (await me.composer.boundingBox())?.height ?? 0).toBeGreaterThan(oneRow + 10);
  await me.composer.press('Enter');
  await expect(me.turns.first()).toContainText(/第一行\s+第二行/);
  await expect.poll(async () => (await me.composer.boundingBox())?.height).toBe(oneRow);
});
